// Inputs as test cases (docs/formats.md), and back.
#pragma once

#include "runtime/cases/bound_case.h"
#include "testgen/inputs/input.h"
#include "testgen/target.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct CaseText {
  std::string name;
  std::vector<std::string> reaches{}; // "12:7 if true"
  std::vector<std::string> kills{};   // ids of mutants
  std::string fails{};                // what is wrong with it; empty: nothing
  std::string weak{};                 // why it says little; empty: it does not
  // By argument; empty: nothing is recorded, for the reason given.
  std::vector<runtime::Bytes> recorded{};
  std::string not_recorded{};
};

// Writes "<name>.json" to the folder, and large buffers beside it as .npy: all or nothing. Throws
// std::runtime_error. A file that is there is never replaced: the name gets a number.
std::filesystem::path write_case(const std::filesystem::path& folder, const Target& target,
                                 const Input& input, const CaseText& text);

// How close outputs must be to those recorded, as such a case says: results of other devices differ
// in the last digits.
Tolerance tolerance_of(const Target& target);

// NaNs that a text cannot tell apart become one, so that what is written is what was run.
void make_writable(const Target& target, Input& input);

// nullopt: an input cannot be the same, because it is too large or has a global offset.
std::optional<Input> input_of(const Target& target, const runtime::BoundCase& test_case);

} // namespace gputest::testgen
