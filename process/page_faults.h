// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the process's accesses of protected pages, before its own handler of SIGSEGV gets them.
#pragma once

namespace gputest::process {

// Handles an access of the page at `at` by the instruction at `pc` (null: not known). False: the
// access is none of those that were expected.
using OnPageFault = bool (*)(const void* at, bool writes, const void* pc);

// From now on, `on_fault` gets them; a process has one. Called again, it also takes them back from
// a handler that the program has set since.
void take_page_faults(OnPageFault on_fault);

} // namespace gputest::process
