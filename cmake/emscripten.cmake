# Finds Emscripten (an SDK's, or Debian's package) and hands over to its own toolchain file.

if(DEFINED ENV{EMSDK})
  set(vram_emscripten "$ENV{EMSDK}/upstream/emscripten")
else()
  set(vram_emscripten "/usr/share/emscripten")
endif()

# Emscripten's own guess passes options to Node.js that newer versions refuse.
find_program(VRAM_NODE NAMES node nodejs REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR "${VRAM_NODE}" CACHE FILEPATH "Runs wasm32 test programs")

# Debian's Emscripten needs Debian's Node.js modules also when another Node.js comes first on the path.
if(EXISTS "/usr/share/nodejs" AND NOT DEFINED ENV{EMSDK})
  set(ENV{NODE_PATH} "/usr/share/nodejs")
  set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;NODE_PATH=/usr/share/nodejs" CACHE STRING "")
endif()

include("${vram_emscripten}/cmake/Modules/Platform/Emscripten.cmake")
