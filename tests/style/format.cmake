# cmake -DCLANG_FORMAT=… -DSOURCE_DIR=… -P format.cmake
# To put it right: clang-format-19 -i <file>

include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

set(files "")
foreach(folder IN LISTS room_folders ITEMS tests benchmarks examples)
  file(GLOB_RECURSE found ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
  list(APPEND files ${found})
endforeach()
# What the generator writes, data of golden tests, and CUDA's headers have a form of their own.
list(FILTER files EXCLUDE REGEX "/tests/[a-z]+/(cases|data)/|^${SOURCE_DIR}/cuda/include/")
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${files} RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "clang-format would change these files: run it with -i on them")
endif()
