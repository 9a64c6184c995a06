// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a worker's process is asked and answers, as bytes.
#pragma once

#include "testgen/inputs/wire.h"
#include "testgen/outcome.h"
#include "testgen/trial.h"

namespace gputest::testgen {

void put(Writer& to, const Outcome& outcome);
Outcome take_outcome(Reader& from);

void put(Writer& to, const Checked& checked);
Checked take_checked(Reader& from);

void put(Writer& to, const Oracle& oracle);
Oracle take_oracle(Reader& from);

} // namespace gputest::testgen
