// What the expressions of a program are for one work-item of a launch.
#pragma once

#include "memory/static/program.h"

#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gputest::memory {

// Where in its loops a work-item is: a block, and for each loop around it whether the iteration is
// the first one or a later one (loops are unrolled once, virtually).
struct LoopContext {
  std::uint32_t block = 0;
  std::uint64_t inside = 0; // a bit for each loop around the block that is told apart
  std::uint64_t later = 0;  // of those: not the first iteration
};

class Evaluator {
public:
  // `contexts` is how many numbers value() is given.
  Evaluator(const StaticProgram& program, std::vector<std::byte> arguments, std::size_t contexts);

  void begin_item(const std::array<std::uint64_t, LaunchWords>& launch,
                  const std::array<std::uint64_t, 3>& local_id);

  // `number`: of the context, always the same.
  ValueSet value(NodeId node, const LoopContext& context, std::size_t number);

  // Whether there is such an iteration of all loops.
  bool exists(const LoopContext& context, std::size_t number);

private:
  struct Known {
    std::uint64_t item = 0; // the number of the item it was computed for
    ValueSet value = ValueSet::any();
  };
  ValueSet evaluate(NodeId id);
  ValueSet compute(const Node& node, NodeId id);
  ValueSet argument(const Node& node) const;
  ValueSet iterations(std::uint32_t loop);
  std::optional<std::uint64_t> last_iteration(std::uint32_t loop); // kNever: there is none at all
  ValueSet all_of_recurrence(const Node& node, NodeId id);
  // What a recurrence is next if it was one of `assumed` before.
  ValueSet under(const Node& node, NodeId id, const ValueSet& assumed);

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  const StaticProgram& program_;
  std::vector<std::byte> arguments_;
  std::array<std::uint64_t, LaunchWords> launch_{};
  std::array<std::uint64_t, 3> local_id_{};
  std::uint64_t item_ = 0;
  std::vector<std::vector<Known>> known_; // by context, and at the end those without loops
  const LoopContext* context_ = nullptr;
  std::size_t number_ = 0;

  // While a recurrence is followed: what it is assumed to be, and the loops of which any iteration
  // may be meant.
  std::unordered_map<NodeId, ValueSet> assumed_;
  std::uint64_t open_ = 0;
  std::unordered_map<NodeId, ValueSet> scratch_; // known under these assumptions
  unsigned depth_ = 0;
};

} // namespace gputest::memory
