# Copies what the page consists of into one folder, anew each time so that nothing old stays behind.
#   cmake -D SITE=<folder> -D WEB=<web/> -D PAGE_FILES=<list> -D NOTICES=<list> -D MODULE=<path without suffix>
#         -P assemble_site.cmake
file(REMOVE_RECURSE "${SITE}")
foreach(file IN LISTS PAGE_FILES)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${WEB}" OUTPUT_VARIABLE path)
  cmake_path(GET path PARENT_PATH folder)
  file(COPY "${file}" DESTINATION "${SITE}/${folder}")
endforeach()
file(COPY ${NOTICES} "${MODULE}.mjs" "${MODULE}.wasm" DESTINATION "${SITE}")
