// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what two kernels leave in memory, and measures by how much numbers differ.
#pragma once

#include "gputest/launch.h"
#include "runtime/cases/bytes.h"
#include "testgen/inputs/target.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// One scalar that both kernels wrote, and how far apart the two values are.
struct OutputError {
  std::string place;         // "out[3].x"
  std::string first, second; // values, as text
  double ulp = 0;            // representable values between them; integers: their distance
  double relative = 0;       // of the second's magnitude
  bool finite = true;        // both are numbers
};

// A scalar that differs by more than is allowed.
struct OutputDifference {
  std::size_t argument = 0; // position of the second kernel's
  std::size_t offset = 0;   // bytes
  model::Scalar scalar = model::Scalar::Int;
  double first = 0, second = 0;
  OutputError error;
};

// The tolerance for floating-point numbers of a type where users give none. Integers are equal or
// not.
Tolerance usual_tolerance(model::Scalar scalar);

class OutputComparison {
public:
  // `tolerance`: without any of its values, usual_tolerance() of each type.
  OutputComparison(const Target& second, Tolerance tolerance)
      : second_(second), tolerance_(tolerance) {}

  // Compares one argument, and remembers the largest error that is allowed. `most`: ends after so
  // many differences.
  std::vector<OutputDifference> compare(std::size_t argument, const runtime::Bytes& first,
                                        const runtime::Bytes& second, std::size_t most);

  // The errors that are allowed, the largest by each measure; nullopt: all outputs were the same.
  const std::optional<OutputError>& largest_ulp() const { return ulp_; }
  const std::optional<OutputError>& largest_relative() const { return relative_; }

private:
  const Target& second_;
  Tolerance tolerance_;
  std::optional<OutputError> ulp_, relative_;
};

} // namespace gputest::testgen
