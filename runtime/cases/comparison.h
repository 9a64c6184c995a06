// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what a kernel computed with what was expected.
#pragma once

#include "gputest/launch.h"
#include "model/type.h"
#include "runtime/cases/bytes.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Mismatch {
  std::size_t index = 0;        // of the element
  std::string path;             // the scalar within the element: "", ".s2", ".position.s0"
  std::string expected, actual; // as text
};

struct Comparison {
  static constexpr std::size_t kShown = 5;

  std::size_t differing = 0, compared = 0; // numbers of scalars, not of elements
  std::vector<Mismatch> first;             // at most kShown

  bool equal() const { return differing == 0; }
};

// Compares scalar by scalar, so that padding does not matter. `Tolerance` says what is close
// enough. Both sides have the same number of elements.
Comparison compare(const model::Type& element, std::span<const std::byte> expected,
                   std::span<const std::byte> actual, const Tolerance& tolerance);

// As above, with one or more outputs that are all right. A scalar may be close to that of any of
// them, or lie between those of two. Messages show the first as the expected one.
Comparison compare(const model::Type& element, std::span<const Bytes> expected,
                   std::span<const std::byte> actual, const Tolerance& tolerance);

// Compares bit for bit, but takes any NaN for any other NaN. Padding does not matter here either.
Comparison compare_bits(const model::Type& element, std::span<const std::byte> expected,
                        std::span<const std::byte> actual);

// Returns true if there are floating-point scalars, and every one of them is NaN.
bool is_entirely_nan(const model::Type& element, std::span<const std::byte> elements);

// Returns a tolerance for outputs that another compiler's code computed; it is at least `given`.
// Compilers may fuse a * b + c, and where terms cancel, more differs. So floating-point scalars may
// be 4096 representable values apart. In elements that hold nothing else, they may also differ by a
// thousandth of the largest magnitude in `expected`.
Tolerance for_other_compilers(Tolerance given, const model::Type& element,
                              std::span<const std::byte> expected);

// Returns "'out' differs in 3 of 64 values:\n  out[2].s0: expected 1, got 2\n …".
std::string describe(const Comparison& comparison, const std::string& argument);

} // namespace gputest::runtime
