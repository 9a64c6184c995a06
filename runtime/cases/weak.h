// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds test cases that say little, because many faults would leave their outputs as they are.
#pragma once

#include "model/interface.h"
#include "runtime/cases/bytes.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

// An argument before and after a launch.
struct ObservedArgument {
  std::span<const model::Leaf> leaves{}; // the scalars of an element or a pixel
  std::size_t element = 0;               // bytes of an element; 0: the type is unknown
  bool output = false;                   // it is compared
  bool varies = false;                   // it may get other values: may_vary()
  // The memory before the launch and, of outputs, after it.
  std::span<const std::byte> before{}, after{};
};

// Returns true if each output holds one value all over, or is what it was before the launch.
bool says_nothing(std::span<const ObservedArgument> arguments);

// Returns true if the kernel reads the argument, and it is no integer by value, which may be a
// size.
bool may_vary(const model::Argument& argument);

// The integers that a variation puts into memory.
enum class OtherIntegers {
  // Small ones, and one more than it was. The launch must be one that finds accesses out of bounds.
  Any,
  // Those of other elements. Indices then mostly stay within their bounds.
  Occurring
};

// Launches again, with each argument beginning as these bytes. Returns what the launch leaves in
// outputs, by position; nullopt: the kernel is at fault then, or its inputs are not allowed.
using Relaunch = std::function<std::optional<std::vector<Bytes>>(const std::vector<Bytes>& before)>;

// Returns why a case is weak: it says nothing, or its outputs stay the same in each of a few
// launches with other values. Empty: it is not weak, or no value can vary. Throws what `relaunch`
// throws.
std::string why_weak(std::span<const ObservedArgument> arguments, OtherIntegers integers,
                     const Relaunch& relaunch);

} // namespace gputest::runtime
