# cmake -DCOMPILER=<gputest-cuda> -DWORK=<folder> -P broken.cmake
#
# What does not compile is told by the compiler, at its place; options nobody knows are, too.
cmake_minimum_required(VERSION 3.25)
file(WRITE ${WORK}/broken.cu "__global__ void k(int* p) {\n  *p = undeclared;\n}\nint main() {}\n")
execute_process(COMMAND ${COMPILER} -c broken.cu -o broken.o WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed
                ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "broken.cu:2:8: error: use of undeclared identifier 'undeclared'")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
execute_process(COMMAND ${COMPILER} -o RESULT_VARIABLE failed ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "gputest-cuda: error: nothing follows -o")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version)
if(NOT version MATCHES "clang version")
  message(FATAL_ERROR "--version says:\n${version}")
endif()
