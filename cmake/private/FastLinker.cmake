# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The linker of a fast build. It links the hundred programs and libraries of a build with tests, of
# which some have 40 MB.
include_guard(GLOBAL)
include(CheckLinkerFlag)

# gputest_use_fast_linker()
#
# What this folder and those below it build is linked by LLVM's linker, or else by gold, where the
# compiler has one: they take a seventh, or half, of the time of GNU's linker.
function(gputest_use_fast_linker)
  foreach(linker IN ITEMS lld gold)
    check_linker_flag(CXX -fuse-ld=${linker} GPUTEST_HAS_LINKER_${linker})
    if(GPUTEST_HAS_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      return()
    endif()
  endforeach()
endfunction()
