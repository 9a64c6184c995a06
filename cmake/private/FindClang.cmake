# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the development files of Clang and LLVM: in the version GPUTEST_LLVM_VERSION, else in the
# first of the tested versions that is installed, else in the newest from 19.
#
# Sets what their package configurations set (LLVM_INCLUDE_DIRS, CLANG_INCLUDE_DIRS, …) and makes
# the targets clang-cpp and LLVM. To choose an installation: -DClang_DIR=<prefix>/lib/cmake/clang.

set(gputest_oldest_llvm 19)
set(gputest_tested_llvm 19 22)

set(GPUTEST_LLVM_VERSION ""
    CACHE STRING "Major version of LLVM and Clang; empty: the first of ${gputest_tested_llvm} that \
is installed")

# Debian and Ubuntu keep each version in a folder of its own.
file(GLOB gputest_clang_dirs /usr/lib/llvm-*/lib/cmake/clang)
list(SORT gputest_clang_dirs COMPARE NATURAL ORDER DESCENDING)
list(REVERSE gputest_tested_llvm)
foreach(version IN LISTS gputest_tested_llvm)
  if("/usr/lib/llvm-${version}/lib/cmake/clang" IN_LIST gputest_clang_dirs)
    list(PREPEND gputest_clang_dirs /usr/lib/llvm-${version}/lib/cmake/clang)
  endif()
endforeach()
set(gputest_clang_nowhere_else "")
if(GPUTEST_LLVM_VERSION)
  set(gputest_clang_dirs /usr/lib/llvm-${GPUTEST_LLVM_VERSION}/lib/cmake/clang)
  set(gputest_clang_nowhere_else NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
endif()

find_package(Clang CONFIG QUIET HINTS ${gputest_clang_dirs} ${gputest_clang_nowhere_else})
if(NOT Clang_FOUND)
  set(gputest_llvm ${GPUTEST_LLVM_VERSION})
  if(NOT gputest_llvm)
    set(gputest_llvm ${gputest_oldest_llvm})
  endif()
  message(FATAL_ERROR "GpuTestCheck needs Clang ${gputest_llvm} or later with its development "
                      "files (Debian and Ubuntu: apt install clang-${gputest_llvm} "
                      "llvm-${gputest_llvm}-dev libclang-${gputest_llvm}-dev). If they are in an "
                      "unusual place, set -DClang_DIR=<prefix>/lib/cmake/clang.")
endif()
if(LLVM_VERSION_MAJOR LESS gputest_oldest_llvm)
  message(FATAL_ERROR "GpuTestCheck needs Clang ${gputest_oldest_llvm} or later, and ${Clang_DIR} "
                      "is of version ${LLVM_PACKAGE_VERSION}. Set "
                      "-DClang_DIR=<prefix>/lib/cmake/clang to a later one.")
endif()
if(GPUTEST_LLVM_VERSION AND NOT LLVM_VERSION_MAJOR EQUAL GPUTEST_LLVM_VERSION)
  message(FATAL_ERROR "GPUTEST_LLVM_VERSION is ${GPUTEST_LLVM_VERSION}, and ${Clang_DIR} is of "
                      "version ${LLVM_PACKAGE_VERSION}. Install that version (Debian and Ubuntu: "
                      "apt install clang-${GPUTEST_LLVM_VERSION} llvm-${GPUTEST_LLVM_VERSION}-dev "
                      "libclang-${GPUTEST_LLVM_VERSION}-dev), or set -DClang_DIR.")
endif()
message(STATUS "GpuTestCheck uses Clang ${LLVM_PACKAGE_VERSION} in ${Clang_DIR}")
