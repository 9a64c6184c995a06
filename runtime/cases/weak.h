// Test cases that say little, because many faults would leave their outputs as they are.
#pragma once

#include "model/interface.h"
#include "runtime/cases/bytes.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

// What a launch did to an argument.
struct ObservedArgument {
  std::span<const model::Leaf> leaves{};        // of an element, or of a pixel
  std::size_t element = 0;                      // bytes of it; 0: nothing is known of it
  bool output = false;                          // is compared
  bool varies = false;                          // may have other values: may_vary()
  std::span<const std::byte> before{}, after{}; // after: of outputs
};

// Each output is one value all over, or is what it was before the launch.
bool says_nothing(std::span<const ObservedArgument> arguments);

// The kernel reads it, and it is no whole number by value, which would be a size.
bool may_vary(const model::Argument& argument);

// What other whole numbers are in memory.
enum class OtherIntegers {
  Any,      // small ones, and one more than it was: whoever launches sees accesses out of bounds
  Occurring // those of other elements, with which indices mostly stay within their bounds
};

// The launch again, with each argument beginning as these bytes: what it leaves in outputs, by
// position. nullopt: the kernel is at fault then, or its inputs are not allowed.
using Relaunch = std::function<std::optional<std::vector<Bytes>>(const std::vector<Bytes>& before)>;

// What makes a case weak: that it says nothing, or that outputs stay as they are in each of a few
// launches with other values. Empty: nothing, or no value can be another. Throws what `relaunch`
// throws.
std::string why_weak(std::span<const ObservedArgument> arguments, OtherIntegers integers,
                     const Relaunch& relaunch);

} // namespace gputest::runtime
