# Installs the command, the runtime and the CMake functions as the package GpuTestCheck. The folder
# can be moved: nothing in it holds an absolute path.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(gputest_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/GpuTestCheck)

set_target_properties(gputest_model PROPERTIES EXPORT_NAME model)
set_target_properties(gputest_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(gputest_store PROPERTIES EXPORT_NAME store)
install(TARGETS gputest_cases gputest_machine gputest_model gputest_opencl gputest_process gputest_public gputest_runtime
                gputest_store gputest_variants
        EXPORT GpuTestCheckTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(NOT GPUTEST_EXECUTABLE)
  # Clang's libraries may be where the loader does not look.
  set_target_properties(gputest-passes PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  set_target_properties(gputest-simulator PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS gputest gputest-passes gputest-simulator EXPORT GpuTestCheckTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS gputest_layer LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/gputest DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")

install(EXPORT GpuTestCheckTargets NAMESPACE GpuTestCheck:: DESTINATION ${gputest_package_dir})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/GpuTestCheckConfig.cmake.in ${PROJECT_BINARY_DIR}/GpuTestCheckConfig.cmake
  INSTALL_DESTINATION ${gputest_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GpuTestCheckConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GpuTestCheckConfig.cmake ${PROJECT_BINARY_DIR}/GpuTestCheckConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindLibMD.cmake
        DESTINATION ${gputest_package_dir})
file(GLOB gputest_function_files ${PROJECT_SOURCE_DIR}/cmake/*.cmake)
install(FILES ${gputest_function_files} DESTINATION ${gputest_package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/functions DESTINATION ${gputest_package_dir}
        FILES_MATCHING PATTERN "*.cmake")
