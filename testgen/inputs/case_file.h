// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes inputs as test cases (docs/reference/test-cases.md) and reads them.
#pragma once

#include "runtime/cases/bound_case.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct CaseText {
  std::string name;
  std::vector<std::string> reaches{};       // "12:7 if true"
  std::vector<std::string> kills{};         // ids of mutants
  std::vector<std::string> assumes_fixed{}; // faults of the kernel with this input
  std::string fails{};                      // what fails with this input; empty: nothing
  std::string weak{};                       // why it is weak (weak.h); empty: it is not
  // The outputs by argument. Empty: nothing is recorded, because of `not_recorded`.
  std::vector<runtime::Bytes> recorded{};
  std::string not_recorded{};
  // Cases that give no global offset have a default, so that this one gives even 0.
  bool offset_has_default = false;
};

// Writes "<name>.json" to the folder, and large buffers beside it as .npy files, and returns the
// path of the case. Existing files are never replaced: the name gets a number instead. Throws
// std::runtime_error if a file cannot be written; then none of them stays.
std::filesystem::path write_case(const std::filesystem::path& folder, const Target& target,
                                 const Input& input, const CaseText& text);

// Returns the tolerance that a case with recorded outputs gets, because results of other devices
// differ in the last digits.
Tolerance tolerance_of(const Target& target);

// Replaces NaNs that a case cannot tell apart by one NaN. Then the written case is the input that
// was run.
void make_writable(const Target& target, Input& input);

// Returns the case as an input, or nullopt if no input can equal it, because it is too large.
std::optional<Input> input_of(const Target& target, const runtime::BoundCase& test_case);

} // namespace gputest::testgen
