// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the author's atomic accesses order others.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator {

// Names of metadata: the access acquires, or releases. Later passes give all accesses an order.
constexpr const char *kAcquires = "gputest.acquires", *kReleases = "gputest.releases";

// Marks the accesses of the author's code, whose variables are memory. Removes the calls that tell
// orders (ir/kernels/lower.h).
void note_orders(CheckedKernel& kernel);

} // namespace gputest::simulator
