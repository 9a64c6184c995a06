// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several operations of a kernel that make one label together, because nobody asks for what they
// compute in between. For example, the address of a[i * n + j] takes four of them.
#pragma once

#include "testgen/concolic/table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::testgen {

struct Chain {
  static constexpr std::size_t kMostInputs = 4;

  // The chain's inputs come first, and then the results of steps, the last of which is that of the
  // chain.
  struct Operand {
    bool is_constant = false;
    std::uint32_t place = 0; // of an input or a result
    std::uint64_t value = 0; // of a constant
    std::uint8_t bits = 64;
  };
  struct Step {
    Op op = Op::Add; // of whole numbers, with one or two operands; no division
    std::uint8_t bits = 64;
    std::uint8_t operands = 2;
    Operand a{}, b{};
  };

  std::size_t inputs = 0;
  std::vector<Step> steps{};
};

} // namespace gputest::testgen
