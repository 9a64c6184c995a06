// What of a launch's arguments is symbolic.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gputest::testgen {

// The most work-items that a launch has whose sizes are made up.
constexpr std::size_t kMostItems = 4096, kMostItemsOfGroup = 1024;

// Bytes of an argument that the solver may choose together: one number. Structs and vectors are
// several units.
struct Unit {
  enum class Kind : std::uint8_t {
    Argument,   // `size` bytes from `offset` of argument `argument`
    GlobalSize, // of dimension `offset`; so are the next two
    LocalSize,
    GlobalOffset,
    Free // a value that nothing is known about; in proofs alone (prove.h)
  };
  Kind kind = Kind::Argument;
  bool floating = false; // an IEEE 754 number
  bool fixed = false;    // the solver must leave it as it is
  std::uint8_t size = 4; // 1, 2, 4 or 8
  std::uint32_t argument = 0;
  std::uint64_t offset = 0;
  bool operator==(const Unit&) const = default;
};

// A part of an argument that is symbolic, in units of `unit` bytes; a rest that is no whole unit
// has units of one byte.
struct SymbolicRange {
  std::uint32_t argument = 0;
  std::uint64_t offset = 0, size = 0; // bytes; beyond the argument's end there is nothing
  std::uint8_t unit = 4;              // 1, 2, 4 or 8
  bool floating = false;
  bool fixed = false;
};

} // namespace gputest::testgen
