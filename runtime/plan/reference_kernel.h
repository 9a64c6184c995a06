// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel as the oracle of another: REFERENCE_KERNEL, a simple kernel in any language, runs in the
// simulator with the arguments of the kernel under test.
#pragma once

#include "runtime/plan/oracles.h"

#include <string>

namespace gputest::runtime {

struct Plan;

// Returns the reference that the plan's description names. Reads its interface. Throws UsageError
// for a kernel that is not there, and for arguments that do not correspond: each argument of the
// reference is the one of the same name, or the one that REFERENCE_KERNEL's ARGUMENTS names, and is
// of its kind. Integers are converted to the reference's type.
//
// The machine is opened at the first call, in the process that calls. A launch has the sizes of the
// case unless the description gives expressions for them (model/expressions/expression.h). The
// reference says nothing of arguments that it does not have.
Reference kernel_reference(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
