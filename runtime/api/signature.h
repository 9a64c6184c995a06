// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks arguments from C++ against what the kernel declares. A machine tells that of the built
// kernel, or `gputest` of its source.
#pragma once

#include "gputest/kernel_argument.h"
#include "runtime/machine/signature.h"

#include <string>

namespace gputest::runtime {

// Returns the signature that the source declares.
Signature signature_of(const model::KernelInterface& kernel);

// Returns whether it is a value of a type that the program defines.
bool is_own_value(const DeclaredArgument& declared);

// Throws UsageError naming the argument, its declared type and what was given. Values of types that
// the program defines are checked by name and, if it is known, size: a "struct View" by value is
// neither a number nor a vector, an "enum Mode" is an integer, and a typedef may be anything.
void check_argument(const DeclaredArgument& declared, const detail::KernelArgument& given,
                    std::size_t position, const std::string& kernel);

} // namespace gputest::runtime
