# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/command.cmake)

# gputest_private_add_variant(<subcommand> <comment> <source> <folder> <outputs> <options>)
#
# Makes files in the folder from the kernel's source, with `gputest <subcommand>`.
function(gputest_private_add_variant subcommand comment source dir outputs options)
  gputest_private_command(gputest)
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${gputest} ${subcommand} ${source} --output-dir ${dir} --depfile ${dir}/${subcommand}.d
            --source-root ${CMAKE_SOURCE_DIR} ${options}
    DEPENDS ${source} ${gputest}
    DEPFILE ${dir}/${subcommand}.d
    COMMENT "${comment}"
    VERBATIM COMMAND_EXPAND_LISTS)
endfunction()
