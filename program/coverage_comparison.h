// Does a program do the same with its kernels instrumented? No shape of instrumented code is safe
// from all compilers, so what the program reads back, and how it ends, is compared with runs of it
// in which its own kernels run.
#pragma once

#include "program/child.h"
#include "program/run_folder.h"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

// The run with coverage.
struct MeasuredRun {
  std::filesystem::path run_folder; // its own; those of other runs are beside it
  RunSettings run;
  ChildSettings child;
  ChildResult result;
  std::optional<std::int64_t> input_from; // repeatable_input() before it
};

struct Comparison {
  std::string difference;              // empty: none that is not the program's own
  std::vector<std::string> kernels;    // labels of those that make it, instrumented alone
  std::size_t pieces = 0, varying = 0; // read back; of these, those that vary by themselves
  unsigned runs = 0;                   // of the program, made for this
  bool is_known = false;               // an earlier run without instrumentation read back the same
};

// Runs the program without instrumentation, unless what `records` read back is what such a run had
// read back before; more than once, and with instrumentation again, where the two differ.
// `launched`: labels of kernels. What runs without instrumentation read back is kept in the cache.
// Throws std::runtime_error.
Comparison compare_with_plain(const MeasuredRun& measured, const RunRecords& records,
                              const std::set<std::string>& launched);

} // namespace gputest::program
