# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An overlay port of the checkout that it is in. Clang and LLVM come from the system:
# docs/install.md.
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE port)
cmake_path(SET SOURCE_PATH NORMALIZE "${port}/../../..")

# The command, the library and the toolkit for CUDA find each other by where they are.
set(VCPKG_POLICY_ALLOW_EXES_IN_BIN enabled)
set(VCPKG_BUILD_TYPE release)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DGPUTEST_BUILD_TESTS=OFF -DGPUTEST_BUILD_EXAMPLES=OFF -DGPUTEST_BUILD_PYTHON=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME gputestcheck CONFIG_PATH lib/cmake/GpuTestCheck)
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
