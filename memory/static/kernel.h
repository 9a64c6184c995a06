// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-item's code for the value analysis: expressions over ids, arguments and iterations of
// loops in place of instructions. memory/trace/extract.h makes it from the traced code, with the
// same numbers of blocks and references.
#pragma once

#include "memory/static/values.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::memory {

using NodeId = std::uint32_t;
constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};

// An unsigned word of `bits` bits.
struct Node {
  enum class Kind {
    Constant,   // `value`
    LocalId,    // `value`: the dimension
    Context,    // an id or size of the launch: LaunchWord `value`
    Argument,   // bytes of the block of arguments, from `value` on
    Unknown,    // read from memory, for example
    Binary,     // operator `what` of two operands
    Truncate,   // of one operand
    ZeroExtend, // of one operand
    SignExtend, // of one operand
    Select,     // operands: condition, value if true, value if false
    Union,      // one of the operands
    Iteration,  // the iteration of loop `value`, from 0 on
    Recurrence  // in loop `value`: the first operand on entry, then the second, computed from the
                // value before
  };
  Kind kind = Kind::Unknown;
  unsigned bits = 64;
  std::uint64_t value = 0;
  Operator what = Operator::Add;
  std::vector<NodeId> operands{};

  std::uint64_t loops = 0; // set by finish(): a bit for each loop that it depends on
};

// Words of a gputest_context (templates/simulator/context.h). The first dimension comes first.
enum LaunchWord : std::uint64_t {
  GlobalSize = 0,
  EnqueuedLocalSize = 3,
  NumGroups = 6,
  GlobalOffset = 9,
  WorkDim = 12,
  GroupId = 14,
  LocalSize = 17,
  LaunchWords = 20
};

struct StaticLoop {
  std::uint32_t parent = kNoNumber;
  unsigned depth = 1;
};

struct StaticStep {
  enum class Kind { Access, Barrier };
  Kind kind = Kind::Access;
  std::uint32_t reference = 0;
  NodeId offset = 0; // bytes from the object's begin
};

// The last iteration of a loop in which a block runs, by one of the loop's exits: `iteration` if
// the block comes before the exit (`before_exit`), otherwise one less.
struct IterationBound {
  std::uint32_t loop = 0;
  NodeId iteration = 0;
  bool before_exit = false;
};

struct StaticBlock {
  std::uint32_t loop = kNoNumber; // the innermost
  std::uint32_t header_of = kNoNumber;
  std::vector<IterationBound> bounds{};
  std::vector<StaticStep> steps{};
  std::vector<std::uint32_t> successors{}; // blocks
  std::string file{};                      // of its branch, the name in #line
  unsigned line = 0, column = 0;
  NodeId condition = kNoNumber; // with two successors: the first if it is 1, the second if it is 0
};

struct StaticKernel {
  std::vector<Node> nodes;
  std::vector<StaticLoop> loops;   // outer ones first
  std::vector<StaticBlock> blocks; // in reverse post order; the first is the entry

  // Fills Node::loops.
  void finish();

  // Returns, for each of so many references, whether its place in the object depends on an Unknown
  // node.
  std::vector<bool> chosen_by_data(std::size_t references) const;
};

constexpr std::size_t kMostStaticLoops = 64; // kernels with more have no static analysis

} // namespace gputest::memory
