// A work-item's code as the value analysis needs it: expressions over ids, arguments and iterations
// of loops in place of instructions. memory/trace/extract.h makes it of the same code that a trace
// is recorded of, with the same numbers of blocks and references.
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
    Context,    // ids and sizes of the launch: LaunchWord number `value`
    Argument,   // of the block of arguments, the bytes from `value` on
    Unknown,    // what is read from memory, for example
    Binary,     // `what`, of two operands
    Truncate,   // of one operand
    ZeroExtend, // of one operand
    SignExtend, // of one operand
    Select,     // a condition, what it is if that holds, what else
    Union,      // one of the operands
    Iteration,  // of loop `value`: 0 when it is entered
    Recurrence  // in loop `value`: the first operand when it is entered, then the second, each time
                // of what it was before
  };
  Kind kind = Kind::Unknown;
  unsigned bits = 64;
  std::uint64_t value = 0;
  Operator what = Operator::Add;
  std::vector<NodeId> operands{};

  std::uint64_t loops = 0; // that it depends on, a bit for each: finish()
};

// The numbers of which the first dimension comes first, as in a gputest_context
// (templates/simulator/context.h).
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

// A loop's last iteration in which a block runs, as one of its exits has it: number `iteration` if
// the block comes before that exit (`before_exit`), else one less.
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
  std::string file{};                      // of its branch, as #line names it
  unsigned line = 0, column = 0;
  NodeId condition = kNoNumber; // two successors: the first where it is 1, the second where it is 0
};

struct StaticProgram {
  std::vector<Node> nodes;
  std::vector<StaticLoop> loops;   // outer ones first
  std::vector<StaticBlock> blocks; // in reverse post order; the first is the entry

  // Fills what nodes depend on.
  void finish();
};

constexpr std::size_t kMostStaticLoops = 64; // of a program; with more there is no static analysis

} // namespace gputest::memory
