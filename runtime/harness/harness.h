// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a host program with the machines and analyses that it is given. gputest::harness_main()
// gives it all there are.
#pragma once

#include "runtime/harness/registry.h"
#include "runtime/plan/description.h"

namespace gputest::runtime {

// As gputest::harness_main().
int run_harness(const KernelDescription& description, int argc, const char* const* argv,
                const Registry& registry);

} // namespace gputest::runtime
