// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what two runs of a program read back, piece by piece.
#pragma once

#include "program/opencl/run_folder.h"
#include "program/schedules.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

// The pieces that a run has kept (RunSettings::keep_reads), by number of the process and of the
// piece.
using KeptReads = std::map<std::pair<std::size_t, std::size_t>, RecordedRead>;
KeptReads kept_reads(const RunRecords& records);

// Compares the pieces that both runs have. `tolerance`: relative, of floating-point numbers.
ReadValues compare(const KeptReads& launched, const KeptReads& other, double tolerance);

} // namespace gputest::program
