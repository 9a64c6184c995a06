// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of a launch on which sizes and conditions depend: integer scalars, the NDRange, and
// which pointers are null.
#pragma once

#include "testgen/inputs/input.h"
#include "testgen/inputs/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Features {
  // `nullable`: positions of the buffers that are features, too.
  explicit Features(const Target& target, const std::vector<std::size_t>& nullable = {});

  std::vector<std::string> names; // in the notation of expressions: "n", "global_size(0)"
  struct Place {
    // Null has 1 for a null pointer and 0 for others, and the name of the buffer.
    enum class Kind { Scalar, Global, Local, Groups, Offset, Null } kind;
    std::size_t argument; // position of the scalar or buffer
    unsigned dimension;   // others
  };
  std::vector<Place> places; // of the features

  std::vector<std::int64_t> of(const Input& input) const;
  // Gives a feature another value, and changes other sizes of the launch with it where they must
  // fit. Returns false if the value is not possible; `input` then is of no use. A pointer that is
  // no longer null has no memory yet.
  bool set(Input& input, std::size_t feature, std::int64_t value) const;

private:
  std::vector<std::pair<std::size_t, model::Scalar>> scalars_; // arguments by position
  unsigned dimensions_, offsets_;                              // the first so many dimensions
};

// `factor` * product of some features + `offset`.
struct Formula {
  std::vector<std::size_t> features;
  std::int64_t factor = 1, offset = 0;

  std::int64_t evaluate(const std::vector<std::int64_t>& values) const; // saturates
  std::string text(const Features& features) const;
};

// The features of a launch, and a number that was observed in it.
struct Sample {
  std::vector<std::int64_t> features;
  std::int64_t number = 0;
};

// Returns the formula that is nowhere below the samples' numbers and equals most of them; among
// equally good ones, the simplest. Returns nullopt if none equals half of them, or for fewer than
// four samples.
std::optional<Formula> smallest_bound(const Features& features, const std::vector<Sample>& samples);

} // namespace gputest::testgen
