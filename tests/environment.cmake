# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CTest reads this before it runs tests. What it sets is the environment of all of them.

# Tests are many processes that take memory for a moment. Each of its pages is a page fault, which
# is dear in virtual machines: with pages of 2 MB, tests that compile take a quarter less time.
if(NOT DEFINED ENV{GLIBC_TUNABLES})
  set(ENV{GLIBC_TUNABLES} glibc.malloc.hugetlb=1)
endif()
