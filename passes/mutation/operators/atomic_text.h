// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an atomic operation without atomicity as people would, for reports.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace gputest::passes::mutation {

// `operation`: that of the function's name in small letters, without what comes before and behind,
// such as add, cas, compare_exchange_strong or flag_test_and_set. `arguments`: the texts of the
// call's arguments, the pointer first. `unused`: nobody uses the old value. Examples:
//
//     bins[b] += part           b = atomic_add(&n, 1)  ->  b = (old = n, n = old + 1, old)
//
// Empty: the operation is not known.
std::string without_atomicity(llvm::StringRef operation, const std::vector<std::string>& arguments,
                              bool unused);

} // namespace gputest::passes::mutation
