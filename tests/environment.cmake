# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CTest reads this before it runs tests. What it sets is the environment of all of them.

# Tests are many processes that take memory for a moment. Each of its pages is a page fault, which
# is dear in virtual machines. With pages of 2 MB, tests that compile take a quarter less time, and
# where a process also keeps what it frees, for all of its threads, those that compile often take
# another eighth less.
if(NOT DEFINED ENV{GLIBC_TUNABLES})
  string(JOIN ":" tunables
    glibc.malloc.hugetlb=1
    glibc.malloc.arena_max=1
    glibc.malloc.mmap_threshold=33554432
    glibc.malloc.trim_threshold=268435456
    glibc.malloc.top_pad=4194304)
  set(ENV{GLIBC_TUNABLES} ${tunables})
endif()
