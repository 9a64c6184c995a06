# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A toolchain file: projects with CMake's language HIP build with gputest-cuda, and their kernels
# run in the simulator.
#
#     cmake --toolchain <this file> …
#
# Users may set what they like before project(); what is not set is set here. Projects that compile
# HIP as C++ set CMAKE_CXX_COMPILER to bin/hipcc instead.
if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "gputest-hip.cmake: CMake has the language HIP since 3.21, and this is "
                      "${CMAKE_VERSION}; compile with bin/hipcc beside this file")
endif()
get_filename_component(gputest_hip_toolkit "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(gputest_hip_toolkit "${gputest_hip_toolkit}" DIRECTORY)
if(NOT EXISTS "${gputest_hip_toolkit}/bin/gputest-cuda")
  message(FATAL_ERROR "gputest-hip.cmake: there is no ${gputest_hip_toolkit}/bin/gputest-cuda: "
                      "name the file where it is installed, and no copy of it")
endif()
set(CMAKE_HIP_COMPILER "${gputest_hip_toolkit}/bin/gputest-cuda")
# lib/cmake/hip-lang/hip-lang-config.cmake
set(CMAKE_HIP_COMPILER_ROCM_ROOT "${gputest_hip_toolkit}")
set(CMAKE_HIP_PLATFORM amd)
set(hip_ROOT "${gputest_hip_toolkit}") # find_package(hip)
set(HIP_ROOT "${gputest_hip_toolkit}")
if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  set(CMAKE_HIP_ARCHITECTURES gfx90a)
endif()
# Projects may have CUDA as well.
if(NOT DEFINED CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER "${gputest_hip_toolkit}/bin/gputest-cuda")
  set(CUDAToolkit_ROOT "${gputest_hip_toolkit}")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80)
endif()
# Programs that are linked by the compiler of C++, which knows no toolkit, find its libraries as
# well.
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_STANDARD_LIBRARIES_INIT
      "-L\"${gputest_hip_toolkit}/lib64\" -Wl,-rpath,\"${gputest_hip_toolkit}/lib64\" \
-Wl,--disable-new-dtags")
endforeach()
# find_library(… hiprtc)
list(APPEND CMAKE_LIBRARY_PATH "${gputest_hip_toolkit}/lib64")
