// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions over the bytes of a launch's inputs, each known by a label of 32 bits.
//
// Each node is a bit vector of 1 to 64 bits. The table only grows, and equal nodes are stored once.
// Operands have lower labels than the nodes that use them, so a pass over ascending labels meets
// operands first. (Chen et al., SymSan, USENIX Security 2022, section 3, has the same form.)
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gputest::testgen {

// 0: a value that depends on no input.
using Label = std::uint32_t;

// Operations of LLVM IR. Floating-point operations take the bits of IEEE 754 numbers of 32 or 64
// bits and round to nearest even. Comparisons return 1 bit; missing ones are expressed by negation
// or swapped operands.
enum class Op : std::uint8_t {
  Input,    // unit `number` of the inputs (inputs.h)
  Constant, // `number`
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  Equal,
  ULess,
  ULessEqual,
  SLess,
  SLessEqual,
  ZExt,
  SExt,
  Trunc,
  Extract, // bits [number, number + bits) of a
  Concat,  // a above b
  Select,  // a ? b : c
  CountOnes,
  CountLeading,
  CountTrailing,
  SwapBytes,
  ReverseBits,
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRem,
  FNeg,
  FAbs,
  FSqrt,
  FFloor,
  FCeil,
  FTrunc,
  FRint,
  FRound,
  FMin,
  FMax,    // the other operand if one is a NaN
  FMulAdd, // a * b + c, rounded once
  FEqual,
  FLess,
  FLessEqual, // false if one is a NaN; so are the two above
  FUnordered, // one is a NaN
  FToS,
  FToU,
  SToF,
  UToF,
  FExt,
  FRoundTo,
  Call, // function `number` of Functions (evaluate.h), applied to a, b, c
};

struct Node {
  Op op = Op::Constant;
  std::uint8_t bits = 0;
  Label a = 0, b = 0, c = 0; // 0: there is no such operand
  std::uint64_t number = 0;
  bool operator==(const Node&) const = default;
};

// Returns how many operands the node has.
unsigned operands(const Node& node);

class Table {
public:
  // Labels 1 to `inputs.size()` are Input nodes; `inputs` has their widths in bits. The table holds
  // at most `limit` nodes. Further nodes get label 0, and full() returns true.
  explicit Table(std::span<const std::uint8_t> inputs = {}, std::size_t limit = kMost);

  const Node& operator[](Label label) const { return nodes_[label]; }
  Label end() const { return static_cast<Label>(nodes_.size()); } // one past the last label
  std::size_t inputs() const { return inputs_; }
  Label input(std::size_t unit) const { return static_cast<Label>(unit + 1); }
  bool full() const { return full_; }

  // Makes place for so many nodes.
  void reserve(std::size_t nodes);

  // Adds an input unit after all others and returns its label.
  Label add_input(unsigned bits);

  // `number` is cut to `bits`.
  Label constant(std::uint64_t number, unsigned bits);

  // Returns the label of the node, or of a simpler node with the same value. Operands must be in
  // the table.
  Label make(Op op, unsigned bits, Label a, Label b = 0, Label c = 0, std::uint64_t number = 0);

  Label negation(Label condition) { return make(Op::Xor, 1, condition, constant(1, 1)); }

  // A label in shadow memory has 29 bits for the node (shadow.h), so this fits.
  static constexpr std::size_t kMost = std::size_t{1} << 24;

private:
  Label intern(const Node& node);
  Label simplified(Node& node);
  void rehash(std::size_t size);

  std::vector<Node> nodes_; // [0] is no node
  std::vector<Label> slots_;
  std::vector<Label> constants_; // a cache: the latest constant of each hash
  std::size_t inputs_ = 0, limit_;
  bool full_ = false;
};

// Returns all labels that `roots` are made of, with the roots themselves, ascending.
std::vector<Label> parts_of(const Table& table, std::span<const Label> roots);

// Returns `root` with each label that is a key of `by` replaced by its value. 0: the table is full.
Label replaced(Table& table, Label root, const std::map<Label, Label>& by);

// Returns an expression as text, such as "(in[3] + 7) < in[4]", close to C's notation. Text beyond
// about `most` characters is cut and ends with "…". `names`: those of input units; empty: "#0",
// "#1", …
std::string text_of(const Table& table, Label label, std::span<const std::string> names = {},
                    std::size_t most = 400);

} // namespace gputest::testgen
