// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random commands in queues, and waits of the host. What happens before what is computed here a
// second time: each rule of OpenCL adds edges to a graph, and two commands are ordered if there is
// a path. GPUTEST_RANDOM: the number of programs.
#include "layer/opencl/host/command_order.h"
#include "layer/opencl/host/touched_memory.h"
#include "tests/catch.h"
#include "tests/random_count.h"

#include <random>
#include <set>

namespace gputest::layer {
namespace {

constexpr int kQueues = 3, kBytes = 12;

// A node is a command, or a step of the host.
struct Graph {
  std::vector<std::vector<std::size_t>> before;

  std::size_t add(std::vector<std::size_t> nodes) {
    before.push_back(std::move(nodes));
    return before.size() - 1;
  }
  bool reaches(std::size_t from, std::size_t to) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> todo{to};
    while (!todo.empty()) {
      const std::size_t node = todo.back();
      todo.pop_back();
      if (node == from)
        return true;
      if (seen.insert(node).second)
        todo.insert(todo.end(), before[node].begin(), before[node].end());
    }
    return false;
  }
};

class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random_(seed) {
    for (std::size_t queue = 0; queue < kQueues; ++queue) {
      in_order_.push_back(below(2) == 0);
      order_.made(&handles_[queue], in_order_.back());
    }
    host_ = graph_.add({});
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i)
      step();
  }

private:
  struct Made {
    CommandPtr command;
    std::size_t node = 0;
    std::vector<Touch> touches;
  };

  std::size_t below(std::size_t limit) { return random_() % limit; }

  void step() {
    const std::size_t queue = below(kQueues), what = below(10);
    if (what == 0) {
      order_.host_waits_for(&handles_[queue]);
      std::vector<std::size_t> nodes = of_queue_[queue];
      nodes.push_back(host_);
      host_ = graph_.add(nodes);
    } else if (what == 1 && !made_.empty()) {
      const Made& one = made_[below(made_.size())];
      order_.host_waits(*one.command);
      host_ = graph_.add({host_, one.node});
    } else {
      put(queue, what == 2   ? CommandKind::Marker
                 : what == 3 ? CommandKind::Barrier
                             : CommandKind::Plain);
    }
  }

  void put(std::size_t queue, CommandKind kind) {
    std::vector<CommandPtr> waits;
    std::vector<std::size_t> nodes{host_};
    while (!made_.empty() && below(3) == 0) {
      const Made& one = made_[below(made_.size())];
      waits.push_back(one.command);
      nodes.push_back(one.node);
    }
    const bool all = in_order_[queue] || (kind != CommandKind::Plain && waits.empty());
    const auto& earlier = all ? of_queue_[queue] : barriers_[queue];
    nodes.insert(nodes.end(), earlier.begin(), earlier.end());
    Made made{.command = order_.put(&handles_[queue], kind, waits),
              .node = graph_.add(nodes),
              .touches = {}};
    of_queue_[queue].push_back(made.node);
    if (kind == CommandKind::Barrier)
      barriers_[queue].push_back(made.node);
    for (std::size_t i = kind == CommandKind::Plain ? below(3) : 0; i > 0; --i)
      made.touches.push_back({.begin = below(kBytes),
                              .size = 1 + below(3),
                              .write = below(2) == 0,
                              .atomic = below(4) == 0});
    check(made);
    made_.push_back(std::move(made));
  }

  void check(const Made& made) {
    bool any = false;
    std::set<const Command*> racing;
    for (const Made& other : made_) {
      const bool apart = !graph_.reaches(other.node, made.node);
      REQUIRE(unordered(*other.command, *made.command) == apart);
      if (apart && conflicts(other.touches, made.touches))
        racing.insert(other.command.get());
    }
    for (const TouchConflict& found :
         touched_.add(nullptr, made.command, made.touches, order_.host())) {
      REQUIRE(racing.contains(found.earlier.get()));
      any = true;
    }
    REQUIRE(any == !racing.empty());
  }

  static bool conflicts(const std::vector<Touch>& some, const std::vector<Touch>& others) {
    for (std::uint64_t byte = 0; byte < kBytes + 3; ++byte)
      for (const Touch& one : some)
        for (const Touch& other : others)
          if (byte >= one.begin && byte < one.begin + one.size && byte >= other.begin &&
              byte < other.begin + other.size && (one.write || other.write) &&
              !(one.atomic && other.atomic))
            return true;
    return false;
  }

  std::mt19937 random_;
  Graph graph_;
  CommandOrder order_;
  TouchedMemory touched_;
  int handles_[kQueues]{};
  std::vector<bool> in_order_;
  std::size_t host_ = 0;
  std::vector<std::size_t> of_queue_[kQueues], barriers_[kQueues];
  std::vector<Made> made_;
};

} // namespace

TEST_CASE("Commands are ordered as OpenCL says, and race where nothing orders them") {
  for (const std::size_t seed : tests::random_seeds(200)) {
    INFO("seed " << seed);
    RandomProgram(static_cast<unsigned>(seed)).run(40);
  }
}

TEST_CASE("What waits for an event of the program's is not judged until the host has waited") {
  CommandOrder order;
  int first = 0, second = 0;
  const CommandPtr event = order.made_event();
  const CommandPtr one = order.put(&first, CommandKind::Plain, {});
  const std::vector waits{event};
  const CommandPtr late = order.put(&second, CommandKind::Plain, waits);
  const CommandPtr after = order.put(&second, CommandKind::Plain, {});
  CHECK_FALSE(unordered(*one, *late));
  CHECK_FALSE(unordered(*one, *after)); // perhaps the host waits before it sets the event
  order.set_event(*event);
  const CommandPtr other = order.put(&first, CommandKind::Plain, waits);
  CHECK(unordered(*order.put(&second, CommandKind::Plain, {}), *other) == false);
  order.host_waits_for(&second);
  const CommandPtr again = order.put(&second, CommandKind::Plain, {});
  CHECK(unordered(*other, *again));
}

} // namespace gputest::layer
