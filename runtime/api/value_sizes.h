// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of the kernel's own types, as a device has them.
#pragma once

#include "runtime/machine/machine.h"

#include <string>

namespace gputest::runtime {

// Sets DeclaredArgument::size of values whose types the program defines. An OpenCL device tells
// their names only, so a kernel behind `text` asks for their sizes. They stay 0 if that kernel does
// not build, as when a macro has the name of a type. A process asks a device once about a text that
// includes no file. Throws DeviceError where a launch fails.
void add_value_sizes(Machine& machine, const std::string& text, BuildSettings settings,
                     const std::string& source, Signature& signature);

} // namespace gputest::runtime
