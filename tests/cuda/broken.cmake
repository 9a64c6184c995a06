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
file(WRITE ${WORK}/shape.cu "#include <mma.h>\n__global__ void k() {\n"
     "  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 8, 16, float> c;\n  (void)c;\n}\nint main() {}\n")
execute_process(COMMAND ${COMPILER} -c shape.cu -o shape.o WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed
                ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "there is no accumulator of this shape and type")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
file(WRITE ${WORK}/deduced.cu "template <typename T> __global__ void set(T* p) {}\n"
     "__global__ void k(int* p) {\n  set<<<1, 1>>>(p);\n}\nint main() {}\n")
execute_process(COMMAND ${COMPILER} -c deduced.cu -o deduced.o WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed
                ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "deduced.cu:3:")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
execute_process(COMMAND ${COMPILER} -o RESULT_VARIABLE failed ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "gputest-cuda: error: nothing follows -o")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
execute_process(COMMAND ${COMPILER} --default-stream both -c broken.cu WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed
                ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "--default-stream: 'both' is neither legacy nor per-thread")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version)
if(NOT version MATCHES "clang version")
  message(FATAL_ERROR "--version says:\n${version}")
endif()
file(WRITE ${WORK}/free.cu "int main() { return cudaFree(0); }\n")
execute_process(COMMAND ${COMPILER} free.cu -o free WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
foreach(limit IN ITEMS x 1x -1 " 1")
  set(ENV{GPUTEST_CUDA_LIMIT} "${limit}")
  execute_process(COMMAND ${WORK}/free RESULT_VARIABLE failed ERROR_VARIABLE errors)
  if(NOT failed EQUAL 3 OR NOT errors MATCHES "GPUTEST_CUDA_LIMIT is '${limit}', which is no number of seconds")
    message(FATAL_ERROR "with the limit '${limit}' a program returned ${failed}, and said:\n${errors}")
  endif()
endforeach()
unset(ENV{GPUTEST_CUDA_LIMIT})
foreach(devices IN ITEMS 0 17 x)
  set(ENV{GPUTEST_CUDA_DEVICES} "${devices}")
  execute_process(COMMAND ${WORK}/free RESULT_VARIABLE failed ERROR_VARIABLE errors)
  if(NOT failed EQUAL 3 OR NOT errors MATCHES "GPUTEST_CUDA_DEVICES is '${devices}', which is no number of devices")
    message(FATAL_ERROR "with '${devices}' devices a program returned ${failed}, and said:\n${errors}")
  endif()
endforeach()

# A library that is newer than the toolkit: one message with the names that are missing.
set(header ${WORK}/new/cub/device/device_new.cuh)
file(WRITE ${header} "inline int use() {\n  ::CUnewType value{};\n  return ::cuNewFunction(&value) + ::cuNewFunction(&value);\n}\n")
file(WRITE ${WORK}/new.cu "#include <cub/device/device_new.cuh>\nint main() { return use(); }\n")
execute_process(COMMAND ${COMPILER} -I${WORK}/new -c new.cu -o new.o WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed
                ERROR_VARIABLE errors)
string(REGEX MATCHALL "\n" lines "${errors}")
list(LENGTH lines count)
if(NOT failed OR NOT count EQUAL 1 OR NOT errors MATCHES
   "device_new.cuh:2:[0-9]+: error: the library uses 'CUnewType', 'cuNewFunction', which this toolkit .* does not have")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
# The project's own errors stay.
file(WRITE ${header} "template <typename T> int use() { return ::cuNewFunction(T()); }\n")
file(WRITE ${WORK}/own.cu "int main() { return wrong; }\n#include <cub/device/device_new.cuh>\n")
execute_process(COMMAND ${COMPILER} -I${WORK}/new -c own.cu -o own.o WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed
                ERROR_VARIABLE errors)
if(NOT failed OR NOT errors MATCHES "own.cu:1:21: error: use of undeclared identifier 'wrong'")
  message(FATAL_ERROR "returned ${failed}, and said:\n${errors}")
endif()
