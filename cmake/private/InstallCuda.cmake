# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the CUDA toolkit: a folder of its own, as build systems expect one.

set(gputest_cuda_dir ${CMAKE_INSTALL_LIBDIR}/gputest/cuda)
set_target_properties(gputest_cuda_gpu PROPERTIES EXPORT_NAME cuda-gpu)
install(TARGETS gputest-cuda-launcher gputest_cuda_gpu EXPORT GpuTestCheckTargets
        RUNTIME DESTINATION ${gputest_cuda_dir}/bin ARCHIVE DESTINATION ${gputest_cuda_dir}/lib64)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cuda/compiler/nvidia DESTINATION ${gputest_cuda_dir})
install(TARGETS gputest-cuda RUNTIME DESTINATION ${gputest_cuda_dir}/bin)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/cuda/toolkit/nvcc ${PROJECT_SOURCE_DIR}/cuda/toolkit/hipcc
                 ${PROJECT_SOURCE_DIR}/cuda/toolkit/nvlink
                 ${PROJECT_SOURCE_DIR}/cuda/toolkit/fatbinary DESTINATION ${gputest_cuda_dir}/bin)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cuda/toolkit/crt DESTINATION ${gputest_cuda_dir}/bin)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cuda/include/ ${PROJECT_BINARY_DIR}/cuda/parts/
        DESTINATION ${gputest_cuda_dir}/include)
get_property(gputest_libraries TARGET gputest-cuda PROPERTY GPUTEST_LIBRARIES)
get_property(gputest_library_files TARGET gputest-cuda PROPERTY GPUTEST_LIBRARY_FILES)
get_property(gputest_library_includes TARGET gputest-cuda PROPERTY GPUTEST_LIBRARY_INCLUDES)
install(FILES ${gputest_library_files} DESTINATION ${gputest_cuda_dir}/lib64)
foreach(gputest_folder IN LISTS gputest_library_includes)
  install(DIRECTORY ${gputest_folder}/ DESTINATION ${gputest_cuda_dir}/include)
endforeach()
install(TARGETS gputest_nvrtc gputest_cuda_driver ${gputest_libraries}
        LIBRARY DESTINATION ${gputest_cuda_dir}/lib64)
install(TARGETS gputest_cudart ARCHIVE DESTINATION ${gputest_cuda_dir}/lib64)
install(FILES ${PROJECT_SOURCE_DIR}/cuda/toolkit/libcudadevrt.a
              ${PROJECT_SOURCE_DIR}/cuda/toolkit/libcudart.so
              ${PROJECT_SOURCE_DIR}/cuda/toolkit/libcuda.so
              ${PROJECT_SOURCE_DIR}/cuda/toolkit/libnvToolsExt.so
              ${PROJECT_SOURCE_DIR}/cuda/toolkit/libamdhip64.so
              ${PROJECT_BINARY_DIR}/cuda/toolkit/lib64/libnvrtc.so
              ${PROJECT_BINARY_DIR}/cuda/toolkit/lib64/libhiprtc.so
        DESTINATION ${gputest_cuda_dir}/lib64)
install(FILES ${PROJECT_SOURCE_DIR}/cuda/toolkit/gputest-cuda.cmake
        ${PROJECT_SOURCE_DIR}/cuda/toolkit/gputest-hip.cmake
        DESTINATION ${gputest_cuda_dir})
install(FILES ${PROJECT_SOURCE_DIR}/cuda/toolkit/hip-config-version.cmake
        DESTINATION ${gputest_cuda_dir}/lib/cmake/hip-lang
        RENAME hip-lang-config-version.cmake)
install(FILES ${PROJECT_SOURCE_DIR}/cuda/toolkit/hip-lang-config.cmake
        DESTINATION ${gputest_cuda_dir}/lib/cmake/hip-lang)
install(FILES ${PROJECT_SOURCE_DIR}/cuda/toolkit/hip-config.cmake
        ${PROJECT_SOURCE_DIR}/cuda/toolkit/hip-config-version.cmake
        DESTINATION ${gputest_cuda_dir}/lib/cmake/hip)
file(WRITE ${PROJECT_BINARY_DIR}/cuda/empty/libdevice.10.bc "")
install(FILES ${PROJECT_BINARY_DIR}/cuda/empty/libdevice.10.bc
        DESTINATION ${gputest_cuda_dir}/nvvm/libdevice)
file(RELATIVE_PATH gputest_simulator_installed "/${gputest_cuda_dir}/bin"
     "/${CMAKE_INSTALL_BINDIR}/gputest-simulator")
file(WRITE ${PROJECT_BINARY_DIR}/cuda/installed/gputest-simulator.path
     "${gputest_simulator_installed}\n")
install(FILES ${PROJECT_BINARY_DIR}/cuda/installed/gputest-simulator.path
        DESTINATION ${gputest_cuda_dir}/bin)
