// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outcome of a mutant whose worker died.
#pragma once

#include "runtime/cases/values.h"
#include "runtime/process/worker.h"
#include "store/store.h"

#include <string>

namespace gputest::runtime {

// An outcome, and the key of the program that it belongs to.
struct KeyedOutcome {
  std::string program;
  store::Outcome outcome;
  bool is_known = true; // false: the runs gave no verdict, so the outcome is not stored
};

// Returns what a worker announces before runs, so that its parent knows which runs it died in. An
// outcome with the verdict CompileError announces that `program` is built.
Json lost_detail(const std::string& program, const store::Outcome& outcome);

// Returns the outcome of the announced runs, by how the worker was lost. After
// Loss::Disturbed the outcome is undecided.
KeyedOutcome lost_outcome(const Json& detail, Loss loss, const std::string& message,
                          double seconds);

} // namespace gputest::runtime
