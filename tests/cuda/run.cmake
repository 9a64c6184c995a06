# cmake -DCOMPILER=<gputest-cuda> -DSOURCE=<file.cu> -DWORK=<folder> [-DCHECKS=<list>] -P run.cmake
#
# Compiles a program and runs it: it must return 0, and print what its lines `// Expected: <regex>` say.
# With CHECKS the simulator's checks are on.
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY ${WORK})
cmake_path(GET SOURCE STEM name)
cmake_path(GET SOURCE FILENAME file)
cmake_path(GET SOURCE PARENT_PATH folder)
execute_process(COMMAND ${COMPILER} -std=c++17 -O1 -I${CMAKE_CURRENT_LIST_DIR} -o ${WORK}/${name} ${file}
                WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${SOURCE} does not compile")
endif()
set(ENV{GPUTEST_CUDA_CHECKS} "${CHECKS}")
execute_process(COMMAND ${WORK}/${name} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
file(STRINGS ${SOURCE} wanted REGEX "^// Expected: ")
if(failed)
  message(FATAL_ERROR "${name} returns ${failed}:\n${output}")
endif()
foreach(line IN LISTS wanted)
  string(REGEX REPLACE "^// Expected: " "" regex "${line}")
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${name} does not print '${regex}', but:\n${output}")
  endif()
endforeach()
if(CHECKS AND NOT wanted AND output MATCHES "error: ")
  message(FATAL_ERROR "${name} has nothing wrong with it, and yet:\n${output}")
endif()
