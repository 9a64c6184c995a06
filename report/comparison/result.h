// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comparing two kernels has shown: docs/compare-kernels.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::report {

struct ComparedKernel {
  std::string kernel, source;       // as the user named them
  std::vector<std::string> lines{}; // of the source; for the page
};

// A number that both kernels computed.
struct ComparedNumber {
  std::string place;         // "out[3].x"
  std::string first, second; // values
  double ulp = 0;            // units in the last place; infinite: next to 0
  double relative = 0;
};

// What both kernels take on the model of a GPU.
struct ComparedCycles {
  std::string input; // "the largest input, of 64 work-items"
  std::uint64_t first = 0, second = 0;
};

struct ComparedDifference {
  std::string kind;    // "output", "finding", "endless", "crash", "order"
  std::string message; // for people
  std::string hint{};  // what to do if it is no fault; empty: nothing
  std::string file;    // the case
  std::string text{};  // its content; for the page
  std::string replay{};
};

struct ComparisonResult {
  ComparedKernel first, second;
  bool replayed = false;
  std::optional<ComparedDifference> difference{};
  bool proved = false;
  std::string not_proved{}; // why; empty: nothing was to be proved
  std::uint64_t inputs = 0;
  bool enough = true; // false: next to nothing was compared
  std::vector<std::pair<std::string, std::uint64_t>> left_out{}; // inputs, by reason
  std::size_t goals = 0, reached = 0, mutants = 0, killed = 0;   // of both kernels
  std::size_t asked = 0, excluded = 0;                           // questions to the solver
  std::optional<ComparedNumber> largest_ulp{}, largest_relative{};
  std::string gpu{}; // of the cycles; empty: they were not compared
  std::vector<ComparedCycles> cycles{};
  std::vector<std::string> notes{};
  double seconds = 0; // of processor time
  bool out_of_time = false;
};

// Returns "differs", "equal" (proved), "no difference found" or "not enough compared".
const char* verdict_of(const ComparisonResult& result);

// Return texts for people: "17 ulp, 2e-06 relative, in out[3]: 1 and 1.000002", and "1,200 and
// 2,400 cycles, half as many".
std::string number_text(const ComparedNumber& number);
std::string cycles_text(const ComparedCycles& cycles);

// {"format": "gputest-kernel-comparison-1", …}; docs/reference/formats.md.
std::string comparison_json(const ComparisonResult& result);

// Returns one self-contained page.
std::string comparison_html(const ComparisonResult& result);

} // namespace gputest::report
