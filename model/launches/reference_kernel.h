// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REFERENCE_KERNEL: which kernel is the oracle of another, and what it is launched with. The build
// and the run refuse the same mistakes.
#pragma once

#include "model/expressions/expression.h"
#include "model/interface.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::model {

// A reference that does not fit. what() begins with "REFERENCE_KERNEL: ".
class ReferenceKernelError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// What an argument of the reference takes its content from.
struct ReferenceArgument {
  std::size_t position = 0;       // of the argument of the kernel under test
  std::optional<Scalar> converts; // the reference's integer type, if it is another
};

// Returns the kernel of that name; "": the only one. Throws ReferenceKernelError.
const KernelInterface& reference_kernel(const Interface& interface, const std::string& name);

// Returns an entry for each argument of the reference: that of the same name, or the one that
// `named` ("theirs=ours") says. Throws ReferenceKernelError where there is none, where it is of
// another kind, and where two are the same memory.
std::vector<ReferenceArgument> reference_arguments(const KernelInterface& reference,
                                                   const std::vector<std::string>& named,
                                                   const KernelInterface& kernel);

// Returns the expressions of GLOBAL_SIZE or LOCAL_SIZE. Throws ReferenceKernelError for a text that
// is none, or that names no argument of the kernel.
std::vector<Expression> reference_sizes(const char* keyword, const std::vector<std::string>& texts,
                                        const KernelInterface& kernel);

} // namespace gputest::model
