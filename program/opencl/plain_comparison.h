// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks whether a program does the same with instrumented kernels. No compiler promises that
// instrumented code computes the same. So this compares what the program reads back, and how it
// ends, with runs of its own kernels.
#pragma once

#include "program/child.h"
#include "program/comparison.h"
#include "program/opencl/run_folder.h"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

// The run with instrumented kernels: with coverage, or with all mutants and none of them active.
struct MeasuredRun {
  std::filesystem::path run_folder; // the run's own folder; those of other runs are beside it
  RunSettings run;
  ChildSettings child;
  ChildResult result;
  std::optional<std::int64_t> input_from; // repeatable_input() before it
  // The simulator, which then judges who is wrong; empty: nobody does.
  std::filesystem::path judge{};
};

// Runs the program without instrumentation, unless an earlier such run read back what `records`
// read back. If the two differ, runs both again, more than once. `launched`: labels of kernels. The
// cache keeps what runs without instrumentation read back. Throws std::runtime_error.
Comparison compare_with_plain(const MeasuredRun& measured, const RunRecords& records,
                              const std::set<std::string>& launched);

} // namespace gputest::program
