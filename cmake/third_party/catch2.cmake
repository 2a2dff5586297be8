vram_third_party(catch2)

# The amalgamated source compiles four times as fast as the library's hundred files. The headers are used by their own
# names (<catch2/catch_test_macros.hpp>), which are the same in a full installation and cheaper than the amalgamated one.
add_library(vram_catch STATIC EXCLUDE_FROM_ALL "${catch2_SOURCE_DIR}/extras/catch_amalgamated.cpp")
set(vram_catch_config "${PROJECT_BINARY_DIR}/third_party_headers/catch2")
set(CATCH_CONFIG_DEFAULT_REPORTER console)
set(CATCH_CONFIG_CONSOLE_WIDTH 80)
configure_file("${catch2_SOURCE_DIR}/src/catch2/catch_user_config.hpp.in"
               "${vram_catch_config}/catch2/catch_user_config.hpp")
target_compile_features(vram_catch PUBLIC cxx_std_20)
target_include_directories(vram_catch SYSTEM PUBLIC
  "${catch2_SOURCE_DIR}/src" "${catch2_SOURCE_DIR}/extras" "${vram_catch_config}")
target_compile_options(vram_catch PRIVATE -w -O1 $<$<BOOL:${EMSCRIPTEN}>:-fexceptions>)
