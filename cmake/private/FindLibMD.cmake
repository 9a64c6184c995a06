# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds libmd, message digests: the target LibMD::LibMD, and LibMD_FOUND.
find_path(LibMD_INCLUDE_DIR NAMES sha2.h)
find_library(LibMD_LIBRARY NAMES md)
mark_as_advanced(LibMD_INCLUDE_DIR LibMD_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibMD REQUIRED_VARS LibMD_LIBRARY LibMD_INCLUDE_DIR)

if(LibMD_FOUND AND NOT TARGET LibMD::LibMD)
  add_library(LibMD::LibMD UNKNOWN IMPORTED)
  set_target_properties(LibMD::LibMD PROPERTIES
    IMPORTED_LOCATION "${LibMD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LibMD_INCLUDE_DIR}")
endif()
