// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two kernels: looks for an input with which they differ (docs/compare-kernels.md).
//
// The second kernel says what is right. An input counts if the second kernel is without findings of
// the checks with it. The kernels differ if the first one then has a finding, does not end, or
// leaves another output.
#pragma once

#include "testgen/comparison/examine.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// Arguments, requirements, launches and cases are the second kernel's.
struct ComparisonSettings : InputSettings {
  // Makes the mutants of a kernel; is called when they are looked for. It may throw UsageError: the
  // result then says why there are none. Without it, mutants are no goals.
  using Mutants = std::function<std::shared_ptr<const MutantProgram>()>;
  Mutants first_mutants{}, second_mutants{};
  PairingSettings pairing;
  std::filesystem::path output;              // the folder for the input that differs
  std::vector<std::filesystem::path> replay; // not empty: runs these cases and nothing else
  LaunchLimit limit = kGenerationLimit;
};

// An input with which the kernels do not differ, for both.
struct ComparedInput {
  std::string name;
  Input first, second;
};

struct KernelComparison {
  std::optional<KernelDifference> difference;
  // No input can show a difference (equality.h); false: why that is not known.
  bool proved = false;
  std::string not_proved{};
  // The given cases, or else the input with the largest buffers, if possible without integers that
  // are larger than these.
  std::vector<ComparedInput> examples;
  std::uint64_t inputs = 0; // that were compared
  // False: no input made the second kernel write an output, so next to nothing was compared.
  bool enough = true;
  // Inputs that do not count, by the reason.
  std::map<std::string, std::uint64_t> left_out;
  std::size_t goals = 0, reached = 0;  // outcomes of both kernels
  std::size_t mutants = 0, killed = 0; // of both kernels, made if no verdict came before
  // Questions to the solver about both kernels, and those without an answer, proved.
  std::size_t asked = 0, excluded = 0;
  std::optional<OutputError> largest_ulp, largest_relative;
  std::vector<std::string> notes;
  double seconds = 0; // of processor time, after compiling
  bool out_of_time = false;
};

// Compares, in at most InputSettings::seconds of processor time. Throws ExpressionError and NoInput
// for settings that allow no input, std::runtime_error if the case cannot be written, and what
// compiling throws.
KernelComparison compare_kernels(const Target& first, const Target& second,
                                 const ComparisonSettings& settings,
                                 const InputSearch::Report& report);

} // namespace gputest::testgen
