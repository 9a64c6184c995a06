// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a case's report to what memory.json has of it.
#pragma once

#include "memory/analysis.h"
#include "model/memory/results.h"

namespace gputest::memory {

model::MemoryCase results_of(const CaseReport& report);

} // namespace gputest::memory
