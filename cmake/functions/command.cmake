# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_private_command(<variable>)
#
# The command that runs as `gputest` during the build. For cross-compiling, GPUTEST_EXECUTABLE names
# a command for the machine that builds.
function(gputest_private_command variable)
  if(GPUTEST_EXECUTABLE)
    set(${variable} "${GPUTEST_EXECUTABLE}" PARENT_SCOPE)
  elseif(NOT TARGET GpuTestCheck::gputest)
    message(FATAL_ERROR "GpuTestCheck: this package has no gputest command for the machine that "
                        "builds: set -DGPUTEST_EXECUTABLE=<path of one>")
  else()
    set(${variable} "$<TARGET_FILE:GpuTestCheck::gputest>" PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_results_dir(<variable>)
#
# The folder of all results: <build>/gputest, or with several configurations a folder in it for
# each.
function(gputest_private_results_dir variable)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    set(${variable} "${CMAKE_BINARY_DIR}/gputest/$<CONFIG>" PARENT_SCOPE)
  else()
    set(${variable} "${CMAKE_BINARY_DIR}/gputest" PARENT_SCOPE)
  endif()
endfunction()
