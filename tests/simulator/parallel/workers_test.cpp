// Work-groups in several processes at the same time: results are those of one after the other.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include "process/child.h"
#include "simulator/memory/guard.h"
#include "simulator/parallel/workers.h"

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

TEST_CASE("The time limit is one of all processes together") {
  Run what = long_kernel("", 4096);
  what.limit = 0.4;
  for (const char* processes : {"1", "4"}) {
    const Ran ran = run_in(processes, what);
    CHECK(ran.result.fatal);
    CHECK(ran.findings() == "endless 3\n");
    CHECK(ran.result.seconds < 4);
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
