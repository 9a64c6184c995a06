// What expressions are for given inputs.
#pragma once

#include "testgen/concolic/table.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gputest::testgen {

// A function of the kernel's built-in library that is one node: its machine code takes bits and
// gives bits.
struct Function {
  std::string name; // "sin(float)"
  void (*call)(const std::uint64_t* arguments, std::uint64_t* result) = nullptr;
};

// The functions of Call nodes, and what keeps their code loaded.
struct Functions {
  std::vector<Function> all;
  std::shared_ptr<const void> code;
};

// The lowest `bits`; and as a signed number of so many bits.
inline std::uint64_t cut(std::uint64_t number, unsigned bits) {
  return bits >= 64 ? number : number & ((std::uint64_t{1} << bits) - 1);
}
inline std::int64_t sign_extended(std::uint64_t number, unsigned bits) {
  return bits >= 64 ? static_cast<std::int64_t>(number)
                    : static_cast<std::int64_t>(number << (64 - bits)) >> (64 - bits);
}

// Its operands are floating-point numbers.
bool takes_floating(Op op);

// The node's value for values of its operands; not of Input, Constant and Call. `from`: bits of
// operand a. What LLVM leaves undefined: x / 0 and x % 0 are 0, shifts by too much take the amount
// modulo the width, and conversions to integers that do not fit are what x86's cvttss2si gives.
std::uint64_t apply(const Node& node, unsigned from, std::uint64_t a, std::uint64_t b,
                    std::uint64_t c);

// Some expressions, ready to be evaluated many times. Millions of nodes a second.
class Tape {
public:
  // `functions` must outlive it; null: there are no Call nodes.
  Tape(const Table& table, std::span<const Label> roots, const Functions* functions);

  // The values of the roots, in their order. `inputs`: by unit. Valid until the next call.
  std::span<const std::uint64_t> run(std::span<const std::uint64_t> inputs);

  // The value of any part of the roots, after run().
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
