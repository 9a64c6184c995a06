# cmake -DCOMPILER=<gputest-cuda> -DTOOLCHAIN=<file> -DCUDA=<folder> -DWORK=<folder> [-DALL=1] -P names.cmake
#
# How libraries are found, with ALL also by CMake, and what is said of those that are missing.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(folder ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

function(must_say header text)
  file(WRITE ${WORK}/one.cu "#include <${header}>\nint main() {}\n")
  step(${COMPILER} ${ARGN} one.cu -o one)
  string(REGEX MATCHALL "error: " errors "${output}")
  list(LENGTH errors count)
  if(NOT failed OR NOT output MATCHES "${text}" OR count GREATER 2) # host and device
    message(FATAL_ERROR "#include <${header}> says\n${output}")
  endif()
endfunction()
foreach(header IN ITEMS nccl.h cudnn.h npp.h nvjpeg.h cupti.h)
  must_say(${header} "error: \"${header}: [A-Za-z]+ is missing without CUDA")
endforeach()
# A header of the system's is that one.
file(WRITE ${WORK}/other/nccl.h "#define OTHER 1\n")
file(WRITE ${WORK}/other.cu "#include <nccl.h>\nint main() { return OTHER - 1; }\n")
must_pass(${COMPILER} -I${WORK}/other other.cu -o other_nccl)
# Without packages
set(headers cublas_v2.h cufft.h cusolverDn.h)
set(packages libopenblas-dev libfftw3-dev "liblapacke-dev and libopenblas-dev")
must_pass(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/without_packages -B ${WORK}/without -DCUDA=${CUDA})
if(NOT output MATCHES "no libcublas for CUDA programs, because libopenblas-dev is not installed")
  message(FATAL_ERROR "nothing is said of a missing package:\n${output}")
endif()
foreach(header package IN ZIP_LISTS headers packages)
  must_say(${header} "error: \"${header}: install ${package}, then build GpuTestCheck again" -I${WORK}/without/parts)
endforeach()
if(ALL)
  must_pass(${CMAKE_COMMAND} -G Ninja --toolchain ${TOOLCHAIN} -S ${CMAKE_CURRENT_LIST_DIR}/found -B ${WORK}/found)
  must_pass(${CMAKE_COMMAND} --build ${WORK}/found)
  # Also where another toolkit's folder is in the environment.
  file(WRITE ${WORK}/foreign/libcublas.so.12 "no library")
  set(ENV{LD_LIBRARY_PATH} ${WORK}/foreign)
  must_pass(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/found --output-on-failure)
endif()
