vram_third_party(imgui)

# PUBLIC on purpose: ImGui's own sources and all that include it must see one and the same configuration.
add_library(vram_imgui STATIC EXCLUDE_FROM_ALL
  "${imgui_SOURCE_DIR}/imgui.cpp"
  "${imgui_SOURCE_DIR}/imgui_draw.cpp"
  "${imgui_SOURCE_DIR}/imgui_tables.cpp"
  "${imgui_SOURCE_DIR}/imgui_widgets.cpp")
target_compile_features(vram_imgui PUBLIC cxx_std_20)
target_include_directories(vram_imgui SYSTEM PUBLIC "${imgui_SOURCE_DIR}" "${imgui_SOURCE_DIR}/backends")
target_include_directories(vram_imgui PUBLIC "${PROJECT_SOURCE_DIR}")
target_compile_definitions(vram_imgui PUBLIC IMGUI_USER_CONFIG="wasm/ui/imconfig.h")
target_compile_options(vram_imgui PRIVATE -w)
vram_small_in_wasm(vram_imgui)
