#include "tests/simulator/scripts.h"

#include <algorithm>

namespace gputest::simulator::tests {
namespace {

// One visit of an interleaving; `round`: how often the group had met before.
struct Event {
  std::size_t process = 0, round = 0;
  gputest_visit visit{};
};

// Interleavings that differ only in the order of independent visits have the same: of all their
// orders that with the lowest processes first.
std::vector<std::size_t> canonical(const Script& program, const std::vector<Event>& events) {
  std::vector<bool> taken(events.size());
  std::vector<std::size_t> order;
  const auto comes_before = [&](std::size_t i, std::size_t j) {
    const bool met = events[i].process < program.group && events[j].process < program.group &&
                     events[i].round != events[j].round;
    return events[i].process == events[j].process || met ||
           dependent(events[i].visit, events[j].visit);
  };
  while (order.size() < events.size()) {
    std::size_t best = events.size();
    for (std::size_t j = 0; j < events.size(); ++j) {
      bool ready = !taken[j];
      for (std::size_t i = 0; i < j && ready; ++i)
        ready = taken[i] || !comes_before(i, j);
      if (ready && (best == events.size() || events[j].process < events[best].process))
        best = j;
    }
    taken[best] = true;
    order.push_back(events[best].process);
  }
  return order;
}

} // namespace

BruteForce::BruteForce(const Script& program) : program_(program), machine_(program) {
  run({});
}

void BruteForce::run(const std::vector<std::size_t>& prefix) {
  machine_.restart();
  std::vector<Event> events;
  std::size_t round = 0;
  for (const std::size_t process : prefix) {
    events.push_back({process, round, *machine_.next(process)});
    if (machine_.step(process))
      ++round;
  }
  std::vector<std::size_t> enabled;
  for (std::size_t process = 0; process < machine_.processes(); ++process)
    if (machine_.next(process))
      enabled.push_back(process);
  if (enabled.empty()) {
    ++interleavings;
    outcomes.insert(machine_.cells);
    traces.insert(canonical(program_, events));
  }
  for (const std::size_t process : enabled) {
    std::vector<std::size_t> longer = prefix;
    longer.push_back(process);
    run(longer);
  }
}

Script random_script(std::mt19937_64& random) {
  Script program;
  const std::size_t processes = 2 + random() % 3, cells = 1 + random() % 3;
  const std::size_t most = processes == 2 ? 5 : processes == 3 ? 3 : 2;
  program.group = random() % 2 ? 0 : 2 + random() % (processes - 1);
  for (std::size_t process = 0; process < processes; ++process) {
    std::vector<Operation> code;
    const std::size_t length = 1 + random() % most;
    for (std::size_t i = 0; i < length; ++i)
      code.push_back(
          {static_cast<Operation::Kind>(random() % 8), static_cast<unsigned>(random() % cells),
           static_cast<unsigned>(random() % cells), static_cast<unsigned>(random() % 3)});
    program.processes.push_back(std::move(code));
  }
  return program;
}

} // namespace gputest::simulator::tests
