# What targets have in common:
#   vram_our_code(target)       warnings as errors, the repository root on the include path, sanitizers when asked for
#   vram_small_in_wasm(target)  built for size where it travels to a browser
#   vram_program(target)        a console program in the build folder; as wasm32, one for Node.js in its folder node/

add_library(vram_flags INTERFACE)
target_compile_features(vram_flags INTERFACE cxx_std_20)
target_include_directories(vram_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(vram_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<CXX_COMPILER_ID:Clang>:-Wshorten-64-to-32>
  $<$<BOOL:${VRAM_WARNINGS_ARE_ERRORS}>:-Werror>
  # The native and the wasm32 build must give the same bytes: no fused multiply-add behind our back.
  -ffp-contract=off)

# Only our code is instrumented: it halves the time, and the others test their own.
if(VRAM_SANITIZE)
  target_compile_options(vram_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(vram_flags INTERFACE -fsanitize=address,undefined)
endif()

# libFuzzer sees which branches an input takes.
if(VRAM_FUZZ)
  target_compile_options(vram_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(vram_our_code target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE vram_flags)
endfunction()

function(vram_small_in_wasm target)
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -Oz -finline-functions -fno-exceptions -fno-rtti)
  endif()
endfunction()

function(vram_program target)
  vram_our_code(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  if(EMSCRIPTEN)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/node")
    target_compile_options(${target} PRIVATE -O1)
    # Node.js has a fetch() that knows no file names; compiling the module at once avoids it.
    target_link_options(${target} PRIVATE -O1 -sENVIRONMENT=node -sNODERAWFS=1 -sWASM_ASYNC_COMPILATION=0
      -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1)
  endif()
endfunction()
