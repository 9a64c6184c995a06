# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cpack -G DEB: what `cmake --install` installs, as a package of Debian and Ubuntu; -G TGZ: as an
# archive. Needs dpkg-shlibdeps (dpkg-dev), which finds the packages of libraries.
set(CPACK_PACKAGE_NAME gputestcheck)
set(CPACK_PACKAGE_CONTACT "GpuTestCheck <gputestcheck@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
if(EXISTS /etc/debian_version)
  list(PREPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The package's own library, which its programs load from a folder of the package.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/driver)
# The packages that its programs need at run time: Clang compiles CUDA programs, and the simulator
# links libclc.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "clang-${LLVM_VERSION_MAJOR}, libclc-${LLVM_VERSION_MAJOR}, opencl-c-headers")
# CUDA's libraries open the last four when a program calls them (cuda/libraries/host.h).
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "cmake, ninja-build | make, g++ | clang-${LLVM_VERSION_MAJOR}, pocl-opencl-icd | opencl-icd, \
libopenblas0, liblapacke, libfftw3-double3, libfftw3-single3")
include(CPack)
