// Expressions over the bytes of a launch's inputs, each known by a label of 32 bits.
//
// Each node stands for a bit vector of 1 to 64 bits. The table only grows, equal nodes are one, and
// operands have lower labels than what is made of them, so that a pass over ascending labels meets
// operands first. (Chen et al., SymSan, USENIX Security 2022, section 3, has the same shape.)
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gputest::testgen {

// 0: a value that depends on no input.
using Label = std::uint32_t;

// Operations of LLVM IR. Floating-point ones work on the bits of IEEE 754 numbers of 32 or 64 bits,
// rounded to the nearest even. Comparisons have 1 bit; those that are not here are these, negated
// or with operands swapped.
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
  FMax,    // the other one where one is a NaN
  FMulAdd, // a * b + c, rounded once
  FEqual,
  FLess,
  FLessEqual, // false where one is a NaN
  FUnordered, // one is a NaN
  FToS,
  FToU,
  SToF,
  UToF,
  FExt,
  FRoundTo,
  Call, // function `number` of the kernel's (functions.h) of a, b, c
};

struct Node {
  Op op = Op::Constant;
  std::uint8_t bits = 0;
  Label a = 0, b = 0, c = 0; // 0: there is no such operand
  std::uint64_t number = 0;
  bool operator==(const Node&) const = default;
};

// How many operands the node has.
unsigned operands(const Node& node);

class Table {
public:
  // Labels 1 to `inputs.size()` are Input nodes of so many bits. No more than `limit` nodes: what
  // does not fit any more has label 0, and full() says so.
  explicit Table(std::span<const std::uint8_t> inputs = {}, std::size_t limit = kMost);

  const Node& operator[](Label label) const { return nodes_[label]; }
  Label end() const { return static_cast<Label>(nodes_.size()); } // one past the last label
  std::size_t inputs() const { return inputs_; }
  Label input(std::size_t unit) const { return static_cast<Label>(unit + 1); }
  bool full() const { return full_; }

  // One more input unit, after all others; its label.
  Label add_input(unsigned bits);

  // `number` is cut to `bits`.
  Label constant(std::uint64_t number, unsigned bits);

  // The node, or one of the same value that is simpler. Operands must be in the table.
  Label make(Op op, unsigned bits, Label a, Label b = 0, Label c = 0, std::uint64_t number = 0);

  Label negation(Label condition) { return make(Op::Xor, 1, condition, constant(1, 1)); }

  // Byte numbers have 3 bits in memory's labels, which leaves 29 for nodes.
  static constexpr std::size_t kMost = std::size_t{1} << 24;

private:
  Label intern(const Node& node);
  Label simplified(Node& node);
  void rehash(std::size_t size);

  std::vector<Node> nodes_; // [0] is no node
  std::vector<Label> slots_;
  std::vector<Label> constants_; // the latest of each of some kinds, which are asked for most
  std::size_t inputs_ = 0, limit_;
  bool full_ = false;
};

// All labels that `roots` are made of, themselves included, ascending.
std::vector<Label> parts_of(const Table& table, std::span<const Label> roots);

// `root` with other labels in the place of some. 0: the table is full.
Label replaced(Table& table, Label root, const std::map<Label, Label>& by);

// "(in[3] + 7) < in[4]", in C's notation as far as that goes; what is longer than about `most`
// characters is cut with "…". `names`: of input units; empty: "#0", "#1", …
std::string text_of(const Table& table, Label label, std::span<const std::string> names = {},
                    std::size_t most = 400);

} // namespace gputest::testgen
