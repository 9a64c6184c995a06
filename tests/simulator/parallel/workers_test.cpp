// Work-groups in several processes at the same time: results are those of one after the other.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include "process/child.h"
#include "simulator/memory/guard.h"
#include "simulator/parallel/workers.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using gputest::tests::ContainsSubstring;
using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

class Threads {
public:
  explicit Threads(const std::string& number) {
    ::setenv("GPUTEST_SIMULATOR_THREADS", number.c_str(), 1);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { ::unsetenv("GPUTEST_SIMULATOR_THREADS"); }
};

Ran run_in(const std::string& processes, Run what) {
  const Threads threads(processes);
  what.in_full = true;
  return run(what);
}

// A kernel whose groups take long enough for forks. Each writes `b` from `a`, and its process too.
Run long_kernel(const std::string& middle, std::size_t groups = 64) {
  std::vector<int> numbers(groups * 16);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(i * 7919 % 1009);
  return {.text = "kernel void k(global int* a, global int* b, int n) {\n"
                  "  int i = get_global_id(0), v = a[i];\n"
                  "  for (int j = 0; j < n; ++j) v = v * 1103515245 + (v ^ j);\n" +
                  middle +
                  "\n  b[i] = v;\n"
                  "}\n",
          .global_size = numbers.size(),
          .local_size = 16,
          .arguments = {buffer(numbers), buffer(std::vector<int>(numbers.size())), value(100'000)}};
}

// A page that forks share with this process.
template <typename Value> Value* shared_page() {
  return static_cast<Value*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

} // namespace

TEST_CASE("Several processes leave the same memory as one") {
  const Run what = long_kernel("");
  const Ran alone = run_in("1", what), together = run_in("3", what);
  CHECK(alone.memory == together.memory);
  CHECK(alone.values<int>(1) != std::vector<int>(what.global_size));
  CHECK(together.findings().empty());
}

TEST_CASE("Of several faults, that of the first work-group ends the launch") {
  Run what = long_kernel("  if (get_group_id(0) >= 40) b[1 << 28] = v;");
  for (const char* processes : {"1", "2", "4"}) {
    const Ran ran = run_in(processes, what);
    CHECK(ran.result.fatal);
    REQUIRE(ran.result.findings.size() == 1);
    CHECK(ran.result.findings[0].site.line == 4);
    CHECK_THAT(ran.result.findings[0].message, ContainsSubstring("group (40,"));
  }
}

TEST_CASE("A barrier that not all reach is reported for the first work-group that shows it") {
  const Run what = long_kernel("  if (get_group_id(0) < 33 || get_local_id(0) < 8)\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);");
  const Ran alone = run_in("1", what), together = run_in("4", what);
  REQUIRE(alone.result.findings.size() == 1);
  CHECK(alone.result.findings == together.result.findings);
  CHECK_THAT(alone.result.findings[0].message, ContainsSubstring("group (33)"));
}

TEST_CASE("What groups before the forks show counts once") {
  const Run what = long_kernel("  if (get_local_id(0) < 8)\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);");
  const Ran alone = run_in("1", what), together = run_in("4", what);
  REQUIRE(alone.result.findings.size() == 1);
  CHECK(alone.result.findings[0].count == what.global_size / what.local_size);
  CHECK(alone.result.findings == together.result.findings);
}

// Statements for long_kernel() and its `mode`: what checks find in them, or nothing.
constexpr const char* kChecked[] = {
    "v += i;",
    "v += a[i + (1 << 20)];",                 // out of bounds
    "if (g % 5 == 3) v += a[i - (1 << 20)];", // the same in some groups
    "if (g > 40) b[i ^ 1] = v;",              // a race in a group
    "b[g * 16] = v; b[g * 16 + 1] = l;",      // races in each group
    "t[l] = v; v += t[15 - l];",              // a race and an unwritten value
    "t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v += t[15 - l];",
    "int u; if (v & 1) u = 3; if (g % 7 == 6 && u > 2) v = 1;", // an unwritten value
    "if (g < 9 || l < 8) barrier(CLK_LOCAL_MEM_FENCE);",        // a barrier that not all reach
    "int u[2]; u[v & 1] = 1; b[i] = u[0];",                     // unwritten output
    "v += c[i];",                                               // of a buffer
    "c[i] = v; v += c[i];",
};

constexpr std::size_t kClean[] = {0, 6, 10, 11};

TEST_CASE("Checks find the same in several processes as in one") {
  std::string text =
      "kernel void k(global int* a, global int* b, global int* c, int n, int mode) {\n"
      "  int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);\n"
      "  int v = a[i];\n"
      "  local int t[16];\n"
      "  for (int j = 0; j < n; ++j) v = v * 1103515245 + j;\n";
  for (std::size_t mode = 0; mode < std::size(kChecked); ++mode)
    text += "  if (mode == " + std::to_string(mode) + ") {" + kChecked[mode] + "}\n";
  text += "  b[i] = v;\n}\n";
  std::vector<Run> runs;
  for (std::size_t mode = 0; mode < std::size(kChecked); ++mode) {
    Run what = long_kernel("");
    what.text = text;
    what.arguments[2] = what.arguments[0]; // c
    what.arguments.push_back(value(20'000));
    what.arguments.push_back(value(static_cast<int>(mode)));
    what.checks = {"races", "bounds", "uninitialized"};
    what.in_full = true;
    runs.push_back(what);
  }
  const auto run_in = [&](const char* processes) {
    const Threads threads(processes);
    return run_all(runs);
  };
  const std::vector<Ran> alone = run_in("1"), together = run_in("3");
  for (std::size_t mode = 0; mode < std::size(kChecked); ++mode) {
    INFO(kChecked[mode]);
    CHECK(alone[mode].findings().empty() == (std::ranges::count(kClean, mode) == 1));
    CHECK(alone[mode].result.findings == together[mode].result.findings);
    CHECK(alone[mode].result.notes == together[mode].result.notes);
    CHECK(alone[mode].memory == together[mode].memory);
  }
}

TEST_CASE("The time limit is one of all processes together") {
  Run what = long_kernel("", 4096);
  what.limit = 0.4;
  for (const char* processes : {"1", "4"}) {
    const Ran ran = run_in(processes, what);
    CHECK(ran.result.fatal);
    // The time may also be over before a group is in the loop, where the machine is busy.
    CHECK(ran.findings().starts_with("endless "));
    CHECK(ran.result.seconds < 60); // of the clock, also where the machine is busy
  }
}

TEST_CASE("Each work-group runs once, in one of the processes") {
  on_large_stack([] {
    auto* const ran = shared_page<std::array<unsigned char, 300>>();
    auto* const processes = shared_page<std::array<pid_t, 300>>();
    const auto parts = run_at_once(
        {.first = 10, .end = 300, .processes = 4, .limit = 0},
        [&](std::size_t group) {
          ++(*ran)[group];
          (*processes)[group] = ::getpid();
          ::usleep(200);
        },
        [] { return std::string("at the end"); });
    REQUIRE(parts.size() == 4);
    CHECK(parts[0].said.empty());
    CHECK(parts[3].said == "at the end");
    for (std::size_t i = 0; i < 300; ++i)
      CHECK((*ran)[i] == (i < 10 ? 0 : 1));
    CHECK(std::set(processes->begin() + 10, processes->end()).size() == 4);
  });
}

TEST_CASE("Others who end a process of a launch end the launch") {
  gputest::process::Child child = gputest::process::Child::fork([] {
    on_large_stack([] {
      const pid_t here = ::getpid();
      run_at_once(
          {.first = 0, .end = 100, .processes = 2, .limit = 0},
          [&](std::size_t) {
            ::usleep(1000);
            if (::getpid() != here)
              ::raise(SIGKILL);
          },
          [] { return std::string(); });
    });
  });
  CHECK(child.wait().signal == SIGKILL);
}

TEST_CASE("The number of processes is what is asked for, and 1 in a test of CTest") {
  {
    const Threads threads("7");
    CHECK(simulator_threads() == 7);
  }
  ::setenv("CTEST_INTERACTIVE_DEBUG_MODE", "0", 1);
  CHECK(simulator_threads() == 1);
  for (const char* wrong : {"0", "-2", "many", ""}) {
    const Threads threads(wrong);
    CHECK(simulator_threads() == 1);
  }
}
