// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/workers.h"

#include "ir/error.h"
#include "model/files.h"
#include "model/whole_number.h"
#include "process/child.h"
#include "process/descriptor.h"
#include "process/memory_file.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <new>
#include <sched.h>
#include <set>
#include <sstream>
#include <utility>

namespace gputest::simulator {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// What the processes of a run share.
struct Shared {
  std::atomic<std::size_t> next = 0;          // the first group that has not begun
  std::atomic<std::size_t> faulty = kNone;    // the first group with a fault
  std::atomic<std::uint64_t> nanoseconds = 0; // of processor time, in groups that have ended
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void lower(std::atomic<std::size_t>& most, std::size_t to) {
  std::size_t now = most.load();
  while (to < now && !most.compare_exchange_weak(now, to)) {
  }
}

// Takes groups until none is left.
class Worker {
public:
  Worker(Shared& shared, const GroupsToRun& groups, const std::function<void(std::size_t)>& run)
      : shared_(shared), groups_(groups), run_(run),
        step_(std::max<std::size_t>(1, (groups.end - groups.first) / groups.processes / kSteps)) {}

  RunPart work() {
    RunPart part;
    part.fault = run_guarded([&] { take_all(); }, groups_.limit);
    if (ended_) // the kernel is stopped in its own code, so the place is known
      part.fault = run_guarded(
          [&] {
            while (true)
              run_(group_);
          },
          kMoment);
    if (part.fault) {
      part.group = group_;
      lower(shared_.faulty, group_);
    }
    return part;
  }

private:
  static constexpr std::size_t kSteps = 16; // a process takes this many times what it runs, about
  static constexpr double kMoment = 1e-4;   // seconds

  void take_all() {
    double before = processor_seconds();
    while (true) {
      const std::size_t begin = shared_.next.fetch_add(step_);
      const std::size_t end = std::min(begin + step_, groups_.end);
      for (std::size_t group = begin; group < end; ++group) {
        if (group > shared_.faulty.load())
          return;
        group_ = group;
        run_(group);
      }
      if (begin + step_ >= groups_.end)
        return;
      const double now = processor_seconds();
      const double took = std::max(now - std::exchange(before, now), 0.0);
      const auto spent = static_cast<std::uint64_t>(took * 1e9);
      const std::uint64_t all = shared_.nanoseconds.fetch_add(spent) + spent;
      if (groups_.limit > 0 && static_cast<double>(all) * 1e-9 > groups_.limit) {
        ended_ = true;
        return;
      }
    }
  }

  Shared& shared_;
  const GroupsToRun& groups_;
  const std::function<void(std::size_t)>& run_;
  std::size_t step_;
  volatile std::size_t group_ = 0; // read after a jump out of a signal handler
  bool ended_ = false;
};

// A fault and what was said, as bytes from a fork of this process.
struct Header {
  bool has_fault = false;
  std::size_t group = 0;
  Fault fault;
};

void send(int descriptor, const RunPart& part) {
  Header header;
  header.has_fault = part.fault.has_value();
  header.group = part.group;
  header.fault = part.fault.value_or(Fault{});
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), static_cast<const void*>(&header), sizeof header);
  bytes += part.said;
  process::write_all(descriptor, bytes.data(), bytes.size());
}

RunPart received(const std::string& bytes) {
  Header header;
  if (bytes.size() < sizeof header)
    throw ir::SimulatorFailure("a process that ran work-groups has not said how they ended");
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  return {.fault = header.has_fault ? std::optional(header.fault) : std::nullopt,
          .group = header.group,
          .said = bytes.substr(sizeof header)};
}

struct Fork {
  process::Child child;
  process::Descriptor answer;
};

// Says each of these once in a process.
void say_once(const std::string& what) {
  static std::set<std::string> said;
  if (said.insert(what).second)
    fmt::print(stderr, "gputest-simulator: {}\n", what);
}

// Cores of the control group's quota; infinity: it has none.
double quota() {
  std::istringstream words(model::read_text("/sys/fs/cgroup/cpu.max").value_or(""));
  double allowed = 0, period = 0;
  if (words >> allowed >> period && period > 0)
    return allowed / period;
  return std::numeric_limits<double>::infinity();
}

} // namespace

unsigned simulator_threads() {
  if (const char* const wanted = std::getenv("GPUTEST_SIMULATOR_THREADS")) {
    if (const auto number = model::whole_number(wanted, model::kJobs))
      return static_cast<unsigned>(*number);
    say_once(fmt::format("GPUTEST_SIMULATOR_THREADS does not count: '{}' is no whole number from 1 "
                         "to {}",
                         wanted, model::kJobs.most));
  }
  if (std::getenv("CTEST_INTERACTIVE_DEBUG_MODE"))
    return 1;
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0)
    return 1;
  const double most = std::min<double>(CPU_COUNT(&cores), std::floor(quota()));
  return static_cast<unsigned>(std::max(most, 1.0));
}

std::vector<RunPart> run_at_once(const GroupsToRun& groups,
                                 const std::function<void(std::size_t)>& run,
                                 const std::function<std::string()>& tell) {
  process::MemoryFile file("work-groups", sizeof(Shared));
  Shared& shared = *std::construct_at(reinterpret_cast<Shared*>(file.map().data()));
  shared.next = groups.first;
  Worker worker(shared, groups, run);
  std::vector<Fork> forks;
  for (unsigned i = 1; i < groups.processes; ++i)
    try {
      process::Ends ends = process::pipe_to_us();
      process::Child child = process::Child::fork(
          [&] {
            RunPart part = worker.work();
            part.said = tell();
            send(ends.theirs.number(), part);
          },
          process::Group::Ours);
      ends.theirs.close();
      forks.push_back({std::move(child), std::move(ends.ours)});
    } catch (const std::runtime_error& error) {
      say_once(fmt::format("work-groups run in fewer processes at once: {}", error.what()));
      break;
    }
  std::vector<RunPart> parts{worker.work()};
  for (Fork& fork : forks) {
    const std::string bytes = process::read_all(fork.answer.number());
    const process::Ended ended = fork.child.wait();
    if (ended.signal != 0) { // others have ended it, and with it this process
      std::signal(ended.signal, SIG_DFL);
      ::raise(ended.signal);
    }
    parts.push_back(received(bytes));
  }
  return parts;
}

} // namespace gputest::simulator
