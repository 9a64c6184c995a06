// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on the numbers of a launch that tell inputs with a finding from all others.
#pragma once

#include "testgen/inputs/features.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// A feature, compared with the product of one or two others, or with a constant. Null pointers are
// compared with constants only.
struct Comparison {
  std::size_t left = 0;
  std::string sign; // "<", ">", "!=", "<=", ">=" or "=="
  std::vector<std::size_t> right;
  std::int64_t constant = 0; // without `right`

  std::int64_t right_value(const std::vector<std::int64_t>& values) const; // saturates
  bool holds(const std::vector<std::int64_t>& values) const;
  std::string text(const Features& features) const;
};

// One comparison, or two of which both must hold.
struct Condition {
  std::vector<Comparison> all;

  bool holds(const std::vector<std::int64_t>& values) const;
  std::string text(const Features& features) const; // as in REQUIRE: "n > 8 && mask == NULL"
};

// Whether the condition holds for exactly the samples whose number is not 0.
bool separates(const Condition& condition, const std::vector<Sample>& samples);

// Returns a condition that separates the samples, the simplest first. No number is compared with a
// multiple of itself, such as n with n*m, or the global size with the local size: then nobody could
// read what it says. Returns nullopt if there is none, if two samples with the same features
// differ, or if one side has fewer than three.
std::optional<Condition> separating_condition(const Features& features,
                                              const std::vector<Sample>& samples);

} // namespace gputest::testgen
