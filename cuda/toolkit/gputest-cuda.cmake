# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A toolchain file: CUDA projects build with gputest-cuda, and their kernels run in the simulator.
#
#     cmake --toolchain <this file> …
#
# Users may set what they like before project(); what is not set is set here.
get_filename_component(gputest_cuda_toolkit "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(gputest_cuda_toolkit "${gputest_cuda_toolkit}" DIRECTORY)
set(CMAKE_CUDA_COMPILER "${gputest_cuda_toolkit}/bin/gputest-cuda")
set(CUDAToolkit_ROOT "${gputest_cuda_toolkit}")
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80)
endif()
# Programs with sources of C++ as well are linked by the compiler of C++, which knows no toolkit.
# Their loader finds NVRTC and the libraries there, also where $LD_LIBRARY_PATH names the folder of
# another toolkit. CMAKE_EXE_LINKER_FLAGS is the user's.
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_STANDARD_LIBRARIES_INIT
      "-L\"${gputest_cuda_toolkit}/lib64\" -Wl,-rpath,\"${gputest_cuda_toolkit}/lib64\" \
-Wl,--disable-new-dtags")
endforeach()
