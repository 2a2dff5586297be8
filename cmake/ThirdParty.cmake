# Third-party libraries, always compiled as system code:
#   vram_json     nlohmann/json (header only)
#   vram_imgui    Dear ImGui without a backend
#   vram_catch    Catch2 with its main()
#
# Each is looked for in this order: FETCHCONTENT_SOURCE_DIR_<NAME>, the folder VRAM_THIRD_PARTY (filled by
# cmake/fetch-third-party), a system package where there is one, and at last upstream, pinned by hash.
include(FetchContent)

FetchContent_Declare(json
  URL "https://github.com/nlohmann/json/releases/download/v3.11.2/json.tar.xz"
  URL_HASH SHA256=8c4b26bf4b422252e13f332bc5e388ec0ab5c3443d24399acb675e68278d341f
  SOURCE_SUBDIR none DOWNLOAD_EXTRACT_TIMESTAMP OFF)
FetchContent_Declare(imgui  # v1.92.2b
  URL "https://github.com/ocornut/imgui/archive/45acd5e0e82f4c954432533ae9985ff0e1aad6d5.tar.gz"
  URL_HASH SHA256=97484925aec2f4d3e913d6644d46b234f8d6d8d98c6aa9c50109e0f0df772090
  SOURCE_SUBDIR none DOWNLOAD_EXTRACT_TIMESTAMP OFF)
FetchContent_Declare(catch2
  URL "https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz"
  URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
  SOURCE_SUBDIR none DOWNLOAD_EXTRACT_TIMESTAMP OFF)

# Sets <name>_SOURCE_DIR in the caller's scope. Only the sources are wanted: each library is built by the few lines of
# its file in third_party/, the same way natively and as wasm32.
macro(vram_third_party name)
  string(TOUPPER ${name} vram_upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${vram_upper} AND EXISTS "${VRAM_THIRD_PARTY}/${name}")
    set(FETCHCONTENT_SOURCE_DIR_${vram_upper} "${VRAM_THIRD_PARTY}/${name}")
  endif()
  FetchContent_MakeAvailable(${name})
endmacro()

include(third_party/json)
if(EMSCRIPTEN OR VRAM_BUILD_TESTS)
  include(third_party/imgui)
endif()
if(VRAM_BUILD_TESTS)
  include(third_party/catch2)
endif()
