// The numbers of a launch that sizes and conditions are about: integer scalars and the NDRange.
#pragma once

#include "testgen/inputs/input.h"
#include "testgen/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Features {
  explicit Features(const Target& target);

  std::vector<std::string> names; // as expressions have them: "n", "global_size(0)"
  std::vector<std::int64_t> of(const Input& input) const;

private:
  std::vector<std::pair<std::size_t, model::Scalar>> scalars_; // arguments by position
  unsigned dimensions_;
};

// `factor` * product of some features + `offset`.
struct Formula {
  std::vector<std::size_t> features;
  std::int64_t factor = 1, offset = 0;

  std::int64_t evaluate(const std::vector<std::int64_t>& values) const; // saturates
  std::string text(const Features& features) const;
};

// What the features of a launch were, and a number that was seen there.
struct Sample {
  std::vector<std::int64_t> features;
  std::int64_t number = 0;
};

// The simplest formula that is never below the numbers, and meets them most often; nullopt: none
// meets half of them, or there are fewer than four samples.
std::optional<Formula> smallest_bound(const Features& features, const std::vector<Sample>& samples);

// A condition that holds for exactly the samples whose number is not 0: "n > global_size(0)";
// or two of those; empty: there is none that compares two features, one with a product of two, or
// one with a constant, or there are fewer than three samples on one side.
std::string separating_condition(const Features& features, const std::vector<Sample>& samples);

} // namespace gputest::testgen
