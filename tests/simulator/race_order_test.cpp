// What fences, strong accesses and barriers order between threads: random histories beside the
// truth, which is a graph of all events, and paths in it.
#include "tests/catch.h"
#include "tests/random_count.h"

#include "simulator/checks/races/race_order.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>

using namespace gputest::simulator;
using Thread = RaceOrder::Thread;
using Scope = RaceOrder::Scope;

namespace {

constexpr std::uint64_t kGroups = 3, kItems = 3, kPlaces = 2;

struct Event {
  enum class Kind { Access, Fence, Strong, Meeting, Arrival, Wait } kind = Kind::Access;
  std::vector<Thread> threads{}; // one, or those that meet
  Scope scope = Scope::Device;   // of a fence
  bool sequential = false;
  std::uint64_t place = 0, phase = 0, epoch = 0;
  RaceOrder::Strong what{};
  std::vector<std::size_t> before{};     // events that come first
  std::vector<std::size_t> by_barrier{}; // those of them that come first without strong accesses
};

// As the PTX ISA says it, event by event.
class Truth {
public:
  void add(Event event) {
    const std::size_t mine = events_.size();
    for (const Thread thread : event.threads)
      if (const auto last = last_of(thread, mine))
        event.before.push_back(*last);
    for (std::size_t i = 0; i < mine && event.kind == Event::Kind::Wait; ++i)
      if (events_[i].kind == Event::Kind::Arrival && events_[i].place == event.place &&
          events_[i].phase == event.phase)
        event.before.push_back(i);
    event.by_barrier = event.before;
    events_.push_back(event);
    // A pair of release and acquire is complete with its acquire.
    if (event.kind == Event::Kind::Strong && event.what.acquires)
      synchronise(mine, mine, Scope::Device);
    if (event.kind == Event::Kind::Fence)
      for (std::size_t read = 0; read < mine; ++read)
        if (events_[read].kind == Event::Kind::Strong && is_of(read, event.threads[0]))
          synchronise(read, mine, event.scope);
    if (event.sequential && event.scope == Scope::Device)
      come_after_fences(mine);
  }

  bool comes_before(std::size_t first, std::size_t second,
                    std::vector<std::size_t> Event::* edges = &Event::before) const {
    std::vector<bool> seen(events_.size());
    std::vector<std::size_t> open{second};
    while (!open.empty()) {
      const std::size_t event = open.back();
      open.pop_back();
      if (event == first)
        return true;
      if (!seen[event])
        open.insert(open.end(), (events_[event].*edges).begin(), (events_[event].*edges).end());
      seen[event] = true;
    }
    return false;
  }

  const std::vector<Event>& events() const { return events_; }

private:
  bool is_of(std::size_t event, Thread thread) const {
    return std::ranges::find(events_[event].threads, thread) != events_[event].threads.end();
  }

  std::optional<std::size_t> last_of(Thread thread, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;)
      if (is_of(i, thread))
        return i;
    return std::nullopt;
  }

  // A sequential fence comes after another one if an access behind that one was read by one before
  // this one: the other order would put the reader before what it has read.
  void come_after_fences(std::size_t mine) {
    for (std::size_t read = 0; read < mine; ++read) {
      if (events_[read].kind != Event::Kind::Strong ||
          !comes_before(read, mine, &Event::by_barrier))
        continue;
      each_write(read, [&](std::size_t write) {
        const bool near = events_[write].threads[0] >> RaceOrder::kItemBits ==
                          events_[read].threads[0] >> RaceOrder::kItemBits;
        if (events_[write].what.scope == Scope::Block ||
            (events_[read].what.scope == Scope::Block && !near))
          return;
        for (std::size_t fence = 0; fence < write; ++fence)
          if (events_[fence].sequential && events_[fence].scope == Scope::Device &&
              comes_before(fence, write, &Event::by_barrier))
            events_[mine].before.push_back(fence);
      });
    }
  }

  void synchronise(std::size_t read, std::size_t acquire, Scope scope) {
    each_write(read, [&](std::size_t write) {
      release(write, acquire,
              events_[read].what.scope == Scope::Block || events_[write].what.scope == Scope::Block
                  ? Scope::Block
                  : scope);
    });
  }

  // What `read` reads was written by the last write, or by those that it updates.
  void each_write(std::size_t read, auto&& visit) const {
    if (!events_[read].what.reads)
      return;
    for (std::size_t write = read; write-- > 0;) {
      const Event& event = events_[write];
      if (event.kind != Event::Kind::Strong || event.place != events_[read].place ||
          !event.what.writes)
        continue;
      const bool updates = event.what.reads;
      visit(write);
      if (!updates)
        return;
    }
  }

  void release(std::size_t write, std::size_t acquire, Scope scope) {
    const Thread writer = events_[write].threads[0], reader = events_[acquire].threads[0];
    const bool near = writer >> RaceOrder::kItemBits == reader >> RaceOrder::kItemBits;
    if (events_[write].what.releases && (near || scope == Scope::Device))
      events_[acquire].before.push_back(write);
    for (std::size_t fence = 0; fence < write; ++fence)
      if (events_[fence].kind == Event::Kind::Fence && is_of(fence, writer) &&
          (near || (scope == Scope::Device && events_[fence].scope == Scope::Device)))
        events_[acquire].before.push_back(fence);
  }

  std::vector<Event> events_;
};

// Both get to know an event; nothing orders what it is about but what has come before.
void happen(Event event, std::uint64_t& epoch, RaceOrder& order, Truth& truth) {
  const Thread thread = event.threads[0];
  if (event.kind == Event::Kind::Fence || event.kind == Event::Kind::Meeting ||
      event.kind == Event::Kind::Arrival || event.what.releases)
    ++epoch;
  event.epoch = epoch;
  if (event.kind == Event::Kind::Fence)
    order.fence(thread, event.scope, epoch, event.sequential);
  else if (event.kind == Event::Kind::Arrival)
    order.arrive(thread, event.place, event.phase, epoch);
  else if (event.kind == Event::Kind::Wait)
    order.wait(thread, event.place, event.phase);
  else if (event.kind == Event::Kind::Strong)
    order.access(thread, event.place, event.what, epoch);
  else if (event.kind == Event::Kind::Meeting && event.threads.size() == kItems)
    order.barrier(thread >> RaceOrder::kItemBits, epoch);
  else if (event.kind == Event::Kind::Meeting)
    order.meet(event.threads, epoch);
  truth.add(std::move(event));
}

} // namespace

TEST_CASE("Random histories of fences, strong accesses and barriers") {
  const std::size_t count = gputest::tests::random_count(300);
  std::size_t ordered = 0, unordered = 0;
  for (std::size_t seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t end) { return random() % end; };
    RaceOrder order;
    Truth truth;
    std::uint64_t epoch = 1;
    const std::uint64_t meetings = below(3), arrivals = below(3), sequential = below(3);
    std::array<std::uint64_t, 2> phases{1, 1}; // of two barriers: the one that has not ended
    for (std::size_t step = 0; step < 60; ++step) {
      const std::uint64_t group = below(kGroups), item = below(kItems);
      Event event{.threads = {RaceOrder::thread_of(group, item)}, .place = below(kPlaces)};
      const std::uint64_t kind = below(9);
      if (kind < 2) {
        event.kind = Event::Kind::Fence;
        event.scope = below(4) == 0 ? Scope::Block : Scope::Device;
        event.sequential = below(3) < sequential;
      } else if (kind < 5) {
        event.kind = Event::Kind::Strong;
        event.what.reads = below(2) == 0;
        event.what.writes = !event.what.reads || below(2) == 0;
        event.what.acquires = event.what.reads && below(6) == 0;
        event.what.releases = event.what.writes && below(6) == 0;
        event.what.scope = below(4) == 0 ? Scope::Block : Scope::Device;
      } else if (kind == 5 && below(3) < meetings) {
        event.kind = Event::Kind::Meeting;
        const std::uint64_t size = 2 + below(2);
        for (std::uint64_t other = 1; other < size; ++other)
          event.threads.push_back(RaceOrder::thread_of(group, (item + other) % kItems));
      } else if (kind == 8 && below(3) < arrivals) {
        event.place = below(phases.size());
        std::uint64_t& phase = phases[event.place];
        event.kind = below(3) == 0 ? Event::Kind::Wait : Event::Kind::Arrival;
        if (event.kind == Event::Kind::Wait && below(2) == 0)
          ++phase;
        event.phase = event.kind == Event::Kind::Wait ? phase - 1 : phase;
      }
      happen(event, epoch, order, truth);
      if (event.kind != Event::Kind::Access)
        continue;
      const std::size_t now = truth.events().size() - 1;
      for (std::size_t earlier = 0; earlier < now; ++earlier) {
        const Event& other = truth.events()[earlier];
        if (other.kind != Event::Kind::Access || other.threads == event.threads)
          continue;
        const bool known = order.knows(event.threads[0], other.threads[0], other.epoch);
        INFO("seed " << seed << ", events " << earlier << " and " << now);
        REQUIRE(known == truth.comes_before(earlier, now));
        ++(known ? ordered : unordered);
      }
    }
  }
  CHECK(ordered > count);
  CHECK(unordered > count);
}
