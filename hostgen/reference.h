// Generates C++ that calls a user's reference function with a kernel's arguments.
#pragma once

#include "model/interface.h"

#include <string>

namespace gputest::hostgen {

// A function template `call_reference`, which also passes the launch if `function` takes it.
std::string reference_caller(const std::string& function);

// A lambda that calls it, as the value of KernelDescription::reference.
// runtime/include/gputest/reference.h says what stands for each kind of argument. Throws
// HarnessError for a kernel with an argument that has no value on the host.
std::string reference_lambda(const model::KernelInterface& kernel, std::size_t indent);

} // namespace gputest::hostgen
