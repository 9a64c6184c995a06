// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a launch's arguments and sizes that are symbolic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gputest::testgen {

// The most work-items of a launch, and of a group, whose sizes the solver chooses.
constexpr std::size_t kMostItems = 4096, kMostItemsOfGroup = 1024;
// The largest global offset that inputs get, in each dimension.
constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 20;

// One number among the inputs, which the solver chooses as a whole. A struct or vector has several
// units.
struct Unit {
  enum class Kind : std::uint8_t {
    Argument,   // `size` bytes from `offset` of argument `argument`
    GlobalSize, // of the launch, in dimension `offset`; the next two likewise
    LocalSize,
    GlobalOffset,
    Free // an unknown value; only in proofs (prove.h)
  };
  Kind kind = Kind::Argument;
  bool floating = false; // an IEEE 754 number
  bool fixed = false;    // the solver must not change it
  std::uint8_t size = 4; // 1, 2, 4 or 8
  std::uint32_t argument = 0;
  std::uint64_t offset = 0;
  bool operator==(const Unit&) const = default;
};

// The kind of "global_size", "local_size" and "global_offset" in an expression.
inline Unit::Kind size_named(std::string_view name) {
  return name == "global_size"  ? Unit::Kind::GlobalSize
         : name == "local_size" ? Unit::Kind::LocalSize
                                : Unit::Kind::GlobalOffset;
}

// A symbolic part of an argument, in units of `unit` bytes. A remainder smaller than a unit is
// split into units of one byte.
struct SymbolicRange {
  std::uint32_t argument = 0;
  std::uint64_t offset = 0, size = 0; // bytes; what is beyond the argument's end is ignored
  std::uint8_t unit = 4;              // 1, 2, 4 or 8
  bool floating = false;
  bool fixed = false;
};

// What has labels in the code of a kernel that is traced.
struct Traceable {
  bool launch_sizes = false; // can be inputs, too, which slows down code that uses ids
  bool outputs = false;      // what the kernel leaves in buffers has labels, too
};

} // namespace gputest::testgen
