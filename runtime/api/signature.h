// Checking arguments given from C++ against what the kernel declares: what a machine says of the
// built kernel, or what `gputest` says of its source.
#pragma once

#include "gputest/kernel_argument.h"
#include "runtime/machine/signature.h"

#include <string>

namespace gputest::runtime {

// What the source says.
Signature signature_of(const model::KernelInterface& kernel);

// Throws UsageError naming the argument, what is declared and what was given. Of types that the
// program defines, only what their names say is checked: a "struct View" by value is no number and
// no vector, an "enum Mode" is an integer, a typedef is anything.
void check_argument(const DeclaredArgument& declared, const detail::KernelArgument& given,
                    std::size_t position, const std::string& kernel);

} // namespace gputest::runtime
