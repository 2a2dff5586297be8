add_library(vram_json INTERFACE)

# The headers are reached through a folder of their own: /usr/include itself would shadow Emscripten's system headers.
find_path(VRAM_JSON_INCLUDE nlohmann/json.hpp PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
if(VRAM_JSON_INCLUDE AND NOT FETCHCONTENT_SOURCE_DIR_JSON)
  set(vram_json_headers "${VRAM_JSON_INCLUDE}/nlohmann")
else()
  vram_third_party(json)
  set(vram_json_headers "${json_SOURCE_DIR}/include/nlohmann")
endif()
set(vram_json_link "${PROJECT_BINARY_DIR}/third_party_headers/json")
file(MAKE_DIRECTORY "${vram_json_link}")
file(CREATE_LINK "${vram_json_headers}" "${vram_json_link}/nlohmann" SYMBOLIC)

target_include_directories(vram_json SYSTEM INTERFACE "${vram_json_link}")
# Errors are values in the core: the parser reports, it never throws.
target_compile_definitions(vram_json INTERFACE JSON_NOEXCEPTION=1)
