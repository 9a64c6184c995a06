# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gputest_private_add_variant(<subcommand> <comment> <output>…)
#
# Makes files from the kernel's source with `gputest <subcommand>`. Reads the caller's variables
# gputest, source, dir, source_options and variant_options.
function(gputest_private_add_variant subcommand comment)
  add_custom_command(
    OUTPUT ${ARGN}
    COMMAND ${gputest} ${subcommand} ${source} --output-dir ${dir} --depfile ${dir}/${subcommand}.d
            --source-root ${CMAKE_SOURCE_DIR} ${source_options} ${variant_options}
    DEPENDS ${source} ${gputest}
    DEPFILE ${dir}/${subcommand}.d
    COMMENT "${comment}"
    VERBATIM COMMAND_EXPAND_LISTS)
endfunction()
