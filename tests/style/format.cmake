# cmake -DCLANG_FORMAT=… -DSOURCE_DIR=… -P format.cmake
# To put it right: clang-format-19 -i <file>

set(files "")
foreach(folder IN ITEMS model store frontend passes ir hostgen runtime simulator testgen memory report program driver layer python cuda/compiler cuda/driver cuda/nvrtc cuda/run cuda/runtime tests benchmarks examples)
  file(GLOB_RECURSE found ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp)
  list(APPEND files ${found})
endforeach()
# What the generator writes, and data of golden tests, has a form of its own.
list(FILTER files EXCLUDE REGEX "/tests/[a-z]+/(cases|data)/")
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${files} RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "clang-format would change these files: run it with -i on them")
endif()
