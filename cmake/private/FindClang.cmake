# Finds the development files of Clang and LLVM, in the newest installed version from 19.
#
# Sets what their package configurations set (LLVM_INCLUDE_DIRS, CLANG_INCLUDE_DIRS, …) and makes
# the targets clang-cpp and LLVM. To choose an installation: -DClang_DIR=<prefix>/lib/cmake/clang.

set(gputest_oldest_llvm 19)

# Debian and Ubuntu keep each version in a folder of its own.
file(GLOB gputest_clang_dirs /usr/lib/llvm-*/lib/cmake/clang)
list(SORT gputest_clang_dirs COMPARE NATURAL ORDER DESCENDING)

find_package(Clang CONFIG QUIET HINTS ${gputest_clang_dirs})
if(NOT Clang_FOUND)
  message(FATAL_ERROR "GpuTestCheck needs Clang ${gputest_oldest_llvm} or later with its development files "
                      "(Debian and Ubuntu: apt install clang-19 llvm-19-dev libclang-19-dev). "
                      "If they are in an unusual place, set -DClang_DIR=<prefix>/lib/cmake/clang.")
endif()
if(LLVM_VERSION_MAJOR LESS gputest_oldest_llvm)
  message(FATAL_ERROR "GpuTestCheck needs Clang ${gputest_oldest_llvm} or later, and ${Clang_DIR} is of version "
                      "${LLVM_PACKAGE_VERSION}. Set -DClang_DIR=<prefix>/lib/cmake/clang to a later one.")
endif()
message(STATUS "GpuTestCheck uses Clang ${LLVM_PACKAGE_VERSION} in ${Clang_DIR}")
