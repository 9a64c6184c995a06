// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates C++ that calls a user's functions, a reference or a property, with a kernel's
// arguments.
#pragma once

#include "model/interface.h"

#include <string>
#include <string_view>

namespace gputest::hostgen {

// One of KernelDescription's functions.
struct UserFunction {
  std::string_view what;    // "reference": call_reference() is generated
  std::string_view keyword; // of gputest_add_kernel()
  std::string_view call;    // the type that has the arguments
};
inline constexpr UserFunction kReference{"reference", "REFERENCE", "gputest::ReferenceCall"};
inline constexpr UserFunction kProperty{"property", "PROPERTY", "gputest::PropertyCall"};

// Returns a function template `call_<what>`, which also passes the launch if `name` takes it. Where
// nothing of this name is declared, the compiler says that `file` must define it. `signature`: what
// it should be; empty: not known.
std::string caller(const UserFunction& function, const std::string& name, const std::string& file,
                   const std::string& signature);

// Returns a lambda that calls it, as the value of KernelDescription::<what>.
// runtime/include/gputest/reference.h and property.h say what is passed for each kind of argument.
// Throws HarnessError for a kernel with an argument that has no value on the host.
std::string calling_lambda(const UserFunction& function, const model::KernelInterface& kernel,
                           std::size_t indent);

} // namespace gputest::hostgen
