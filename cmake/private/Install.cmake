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
install(TARGETS gputest_pocl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
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
  install(TARGETS gputest-cuda-run EXPORT GpuTestCheckTargets
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET gputest-cuda)
    include(${CMAKE_CURRENT_LIST_DIR}/InstallCuda.cmake)
  endif()
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
