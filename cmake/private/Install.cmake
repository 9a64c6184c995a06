# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the command, the runtime and the CMake functions as the package GpuTestCheck. The folder
# can be moved: nothing in it holds an absolute path.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(gputest_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/GpuTestCheck)

# The loader may not look in the folders of its libraries.
set_target_properties(gputest_runtime_shared PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS gputest_public gputest_runtime_shared EXPORT GpuTestCheckTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET gputest_python)
  install(TARGETS gputest_python EXPORT GpuTestCheckTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gputest/python)
  get_property(gputest_python_files TARGET gputest_python PROPERTY GPUTEST_FILES)
  get_property(gputest_python_dist TARGET gputest_python PROPERTY GPUTEST_DIST)
  install(FILES ${PROJECT_SOURCE_DIR}/python/gputest.pyi ${gputest_python_files}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/gputest/python)
  install(DIRECTORY ${gputest_python_dist} DESTINATION ${CMAKE_INSTALL_LIBDIR}/gputest/python)
endif()
if(NOT GPUTEST_EXECUTABLE)
  # The loader may not look in the folder of Clang's libraries.
  set_target_properties(gputest-passes PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  set_target_properties(gputest-simulator PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  set_target_properties(gputest-generate PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  set_target_properties(gputest-memory PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS gputest gputest-devices gputest-generate gputest-memory gputest-passes
          gputest-simulator EXPORT GpuTestCheckTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET gputest-solver) # Z3 is there
    install(TARGETS gputest-solver RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  # The CUDA toolkit is a folder of its own, as build systems expect one.
  set(gputest_cuda_dir ${CMAKE_INSTALL_LIBDIR}/gputest/cuda)
  install(TARGETS gputest-cuda-run EXPORT GpuTestCheckTargets
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
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
  install(TARGETS gputest_layer LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/gputest
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")

# Debian's policy wants the licence under this name.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gputestcheck
        RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gputestcheck)

install(EXPORT GpuTestCheckTargets NAMESPACE GpuTestCheck:: DESTINATION ${gputest_package_dir})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/GpuTestCheckConfig.cmake.in
  ${PROJECT_BINARY_DIR}/GpuTestCheckConfig.cmake
  INSTALL_DESTINATION ${gputest_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GpuTestCheckConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GpuTestCheckConfig.cmake
        ${PROJECT_BINARY_DIR}/GpuTestCheckConfigVersion.cmake
        DESTINATION ${gputest_package_dir})
file(GLOB gputest_function_files ${PROJECT_SOURCE_DIR}/cmake/*.cmake)
install(FILES ${gputest_function_files} DESTINATION ${gputest_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/functions DESTINATION ${gputest_package_dir}
        FILES_MATCHING PATTERN "*.cmake")
# For people who build without CMake.
file(RELATIVE_PATH gputest_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" gputest_pc_to_prefix "${gputest_pc_to_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/gputestcheck.pc.in ${PROJECT_BINARY_DIR}/gputestcheck.pc
               @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gputestcheck.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
include(${CMAKE_CURRENT_LIST_DIR}/InstallDocumentation.cmake)
if(PROJECT_IS_TOP_LEVEL AND NOT GPUTEST_EXECUTABLE)
  include(${CMAKE_CURRENT_LIST_DIR}/Package.cmake)
endif()
