# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the libraries of the store of results: SQLite, and libmd for SHA-256.
#
# libmd is small and sets up nothing when it is loaded. A cryptographic library is no alternative,
# because a program with the runtime shares its process with OpenCL implementations that bring
# their own cryptography.

find_package(SQLite3 3.37 QUIET)
if(NOT SQLite3_FOUND)
  message(FATAL_ERROR "GpuTestCheck needs SQLite 3.37 or later with its header (Debian and Ubuntu: "
                      "apt install libsqlite3-dev). If it is in an unusual place, set "
                      "-DSQLite3_INCLUDE_DIR=<folder> and -DSQLite3_LIBRARY=<file>.")
endif()

list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(LibMD QUIET)
list(POP_FRONT CMAKE_MODULE_PATH)
if(NOT LibMD_FOUND)
  message(FATAL_ERROR "GpuTestCheck needs libmd with its header sha2.h (Debian and Ubuntu: apt "
                      "install libmd-dev). If it is in an unusual place, set "
                      "-DLibMD_INCLUDE_DIR=<folder> and -DLibMD_LIBRARY=<file>.")
endif()
