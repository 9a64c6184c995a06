// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that have no effect here: those of nvcc for the code of GPUs, and those with which GCC
// tunes its own optimizer.
#pragma once

#include <string>
#include <string_view>

namespace gputest::cuda::compiler {

// Returns whether nvcc has an option of this name, after one dash or two, that is left out.
bool is_ignored(std::string_view name);
// The same with a value, after the name or after '='.
bool is_ignored_with_value(std::string_view name);
// What may follow nvcc's -Werror, which the host's compiler has by itself.
bool is_kind_of_warning(std::string_view word);

// Returns whether this is an option of GCC, with its dash, that Clang does not know.
bool is_of_gcc(std::string_view option);

} // namespace gputest::cuda::compiler
