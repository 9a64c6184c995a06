// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says of one input whether two kernels differ with it.
#pragma once

#include "model/names.h"
#include "testgen/comparison/outputs.h"
#include "testgen/comparison/pairing.h"
#include "testgen/comparison/side.h"
#include "testgen/inputs/random.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// What is different with one input.
struct KernelDifference {
  enum class Kind { Output, Finding, Endless, Crash, Order };
  Kind kind = Kind::Output;
  std::string what;             // tells differences of one kind apart: an argument, or a place
  std::string message;          // for people
  bool is_outside = false;      // an access beyond memory whose size nobody has given
  std::filesystem::path file{}; // the case
};
constexpr auto names_of(KernelDifference::Kind) {
  return std::to_array<std::string_view>({"output", "finding", "endless", "crash", "order"});
}

class Examiner {
public:
  // References must outlive the examiner.
  Examiner(Side& first, Side& second, const Pairing& pairing, const InputSettings& settings)
      : first_(first), second_(second), pairing_(pairing),
        outputs_(second.target, settings.tolerance), random_(settings.seed),
        has_written_(std::ranges::none_of(second.target.arguments, &KernelArgument::output)) {}

  struct Looked {
    std::optional<KernelDifference> difference{};
    std::string left_out{}; // why the input does not count
  };

  // Says why a launch of the second kernel with a fault is not compared.
  static std::string why_left_out(Fault fault, bool late);

  // Runs both kernels with an input of the second. Throws what workers throw.
  Looked looked_at(const Input& input);
  // Runs the first kernel with the input in other orders of work-groups and work-items.
  std::optional<KernelDifference> in_other_orders(const Input& input);

  // Returns the same input for the first kernel; nullopt: it cannot get it.
  std::optional<Input> input_of_first(const Input& input);

  // Whether no integer is beyond all sizes. With one that is, a loop up to it may do nothing but
  // count, so the cycles would say nothing about the kernels.
  bool has_usual_numbers(const Input& input) const;

  const OutputComparison& outputs() const { return outputs_; }
  // Whether the second kernel has changed an output's memory with some input, or has no output.
  bool has_written() const { return has_written_; }

private:
  void note_written(const Input& input, const std::vector<runtime::Bytes>& after);
  bool is_own(std::size_t argument) const; // of the first: it has no counterpart
  // Whether the input has an integer that may be the length of a long loop.
  bool has_large_numbers(const Input& input) const;
  KernelDifference fault_of(const Checked& checked) const;
  // Compares what both left. `kind`: what a difference is.
  Looked looked_at_outputs(const Input& input, const std::vector<runtime::Bytes>& first,
                           const std::vector<runtime::Bytes>& second, KernelDifference::Kind kind);

  Side &first_, &second_;
  const Pairing& pairing_;
  OutputComparison outputs_;
  Random random_;
  bool has_written_;
};

} // namespace gputest::testgen
