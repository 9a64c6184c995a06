// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates expressions for given inputs.
#pragma once

#include "testgen/concolic/table.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gputest::testgen {

// A built-in function that is one Call node. Its machine code takes and returns the bits of
// numbers.
struct Function {
  std::string name; // "sin(float)"
  void (*call)(const std::uint64_t* arguments, std::uint64_t* result) = nullptr;
};

// The functions of Call nodes, by number, and the owner of their machine code.
struct Functions {
  std::vector<Function> all;
  std::shared_ptr<const void> code;
};

// cut() returns the lowest `bits` bits of a number. sign_extended() reads them as a signed number.
inline std::uint64_t cut(std::uint64_t number, unsigned bits) {
  return bits >= 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
}
inline std::int64_t sign_extended(std::uint64_t number, unsigned bits) {
  return bits >= 64 ? static_cast<std::int64_t>(number)
                    : static_cast<std::int64_t>(number << (64 - bits)) >> (64 - bits);
}

// Returns whether the operands are floating-point numbers.
bool takes_floating(Op op);

// Returns the node's value for the operands' values; the node is no Input, Constant or Call.
// `from`: the width of operand a in bits. Results that LLVM leaves undefined are defined here: x /
// 0 and x % 0 are 0, and a shift takes its amount modulo the width. A float that does not fit an
// integer becomes the result of x86's cvttss2si.
std::uint64_t apply(const Node& node, unsigned from, std::uint64_t a, std::uint64_t b,
                    std::uint64_t c);

// Some expressions, prepared for many evaluations.
class Tape {
public:
  // `functions` must outlive the tape. Null: the expressions have no Call nodes.
  Tape(const Table& table, std::span<const Label> roots, const Functions* functions);

  // Returns the values of the roots, in their order, valid until the next call. `inputs`: a value
  // for each unit.
  std::span<const std::uint64_t> run(std::span<const std::uint64_t> inputs);

  // Returns the value that the latest run() had for a part of the roots.
  std::uint64_t value(Label label) const { return values_[place_of(label)]; }

  const std::vector<Label>& parts() const { return parts_; }
  std::vector<std::size_t> units() const; // that the roots depend on, ascending

private:
  struct Step {
    Node node; // operands are places in values_
    unsigned from = 0;
  };
  std::size_t place_of(Label label) const;

  std::vector<Label> parts_;
  std::vector<Step> steps_;
  std::vector<std::uint64_t> values_, results_;
  std::vector<std::size_t> roots_; // places
  const Functions* functions_;
};

} // namespace gputest::testgen
