// Time that is given is kept, wherever a kernel is slow.
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/random_count.h"

#include "process/child.h"
#include "testgen/fuzz.h"
#include "tests/testgen/kernel_files.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sched.h>
#include <thread>

using namespace gputest::testgen;
namespace process = gputest::process;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;

namespace {

constexpr double kBudget = 0.6;
// Beyond it: what cases record, and a machine that does other things as well. What ignores the time
// takes tens of seconds with each of these kernels.
constexpr double kMore = 12;

struct Timed {
  Generated generated;
  double seconds = 0; // of processor time: other load does not count
};

Timed timed(const Target& kernel, const Folder& folder) {
  Settings given = settings(folder);
  given.seconds = kBudget;
  const WorkClock clock;
  Timed result{generate(kernel, given, {}), 0};
  std::this_thread::sleep_for(std::chrono::milliseconds(10)); // the clock looks now and then
  result.seconds = clock.seconds();
  return result;
}

// A kernel that takes half a minute to compile.
Target large(const Folder& folder, bool mutants) {
  std::string text = "#define A(x) s = s * 31 + in[(s + (x)) & 7]; if (s == (x)) s ^= in[s & 7];\n"
                     "#define B(x) A(x) A(x + 1) A(x + 2) A(x + 3) A(x + 4) A(x + 5) A(x + 6)\n"
                     "kernel void large(global int* out, global const int* in) {\n"
                     "  int s = get_global_id(0);\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("  B({})\n", 8 * i);
  text += "  out[get_global_id(0)] = s;\n}\n";
  gputest::model::write_atomically(folder.path / "large.cl", text);
  gputest::frontend::SourceOptions options;
  options.file = (folder.path / "large.cl").string();
  options.source_root = folder.path.string();
  return targets_of(options, "", mutants, 0.1).front();
}

} // namespace

TEST_CASE("A kernel whose launches, conditions or cases take long takes no longer than it may") {
  std::vector<const char*> names{"launching", "solving"};
  if (gputest::tests::is_long_run())
    names.push_back("shrinking");
  for (const char* name : names)
    for (const bool mutants : {false, true}) {
      // Short runs have each kernel once: what solving takes is another share with mutants.
      if (!gputest::tests::asked_random_count() && mutants == (name == std::string("solving")))
        continue;
      INFO(name << (mutants ? " with mutants" : ""));
      const Folder folder;
      const Timed result = timed(target("slow.cl", name, mutants), folder);
      CHECK(result.seconds < kBudget + kMore);
      CHECK(result.generated.reached + result.generated.blocked.size() +
                result.generated.open.size() + result.generated.impossible.size() ==
            result.generated.goals.size());
    }
}

TEST_CASE("A kernel that takes long to compile takes no longer than it may") {
  const Folder code, folder;
  const gputest::tests::Environment environment({{"GPUTEST_CACHE_DIR", code.path}});
  const Timed result = timed(large(code, true), folder);
  CHECK(result.seconds < kBudget + kMore);
  CHECK(result.generated.written.empty());
  REQUIRE_FALSE(result.generated.open.empty());
  CHECK_THAT(result.generated.open.front().why, ContainsSubstring("compiling the kernel"));
}

TEST_CASE("Fuzzing a kernel that takes long to compile ends, and says what takes the time") {
  const Folder code, folder;
  const gputest::tests::Environment environment({{"GPUTEST_CACHE_DIR", code.path}});
  FuzzSettings given;
  given.output = folder.path / "fuzz";
  given.seconds = kBudget;
  const Target kernel = large(code, false);
  const WorkClock clock(Counts::Time);
  CHECK_THROWS_WITH(
      fuzz(kernel, given, {}, [](const Failure&) {}),
      ContainsSubstring("compiling kernel 'large' takes longer than the 0.6 seconds"));
  CHECK(clock.seconds() < kBudget + kMore);
}

TEST_CASE("Fuzzing waits neither for a host program nor for a device longer than it may") {
  const Folder folder;
  FuzzSettings given;
  given.output = folder.path / "fuzz";
  given.seconds = 4; // which compiling must not use up
  given.seed = 1;
  const std::filesystem::path how = folder.path / "how";
  given.judge = {GPUTEST_JUDGE_FIXTURE, how.string()};
  const Target kernel = target("faults.cl", "sound");
  {
    gputest::model::write_atomically(how, "-1"); // it is never ready
    given.judge_seconds = 1;
    const WorkClock clock(Counts::Time);
    CHECK_THROWS_WITH(fuzz(kernel, given, {}, [](const Failure&) {}),
                      ContainsSubstring("was not ready 1 s after the 4 seconds were over"));
    CHECK(clock.seconds() < given.seconds + kMore);
  }
  given.judge_seconds = 60;
  {
    gputest::model::write_atomically(how, "-3"); // it is ready when the time is over
    const Fuzzed fuzzed = fuzz(kernel, given, {}, [](const Failure&) {});
    CHECK(fuzzed.inputs > 0);
    REQUIRE(fuzzed.notes.size() == 1);
    CHECK_THAT(fuzzed.notes.front(),
               ContainsSubstring(" s were over when the host program was ready to judge"));
  }
  gputest::model::write_atomically(how, "-2"); // no launch ends on its device
  const WorkClock clock(Counts::Time);
  const Fuzzed fuzzed = fuzz(kernel, given, {}, [](const Failure&) {});
  CHECK(clock.seconds() < given.seconds + kMore);
  CHECK(fuzzed.inputs > 0);
  CHECK(fuzzed.device == "slow");
  CHECK(fuzzed.failures.empty()); // nobody knows yet what the device computes
}

TEST_CASE("The clock of time counts all but waiting for a processor that others have") {
  const WorkClock clock(Counts::Time);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(clock.seconds() >= 0.29);
  if (!std::filesystem::exists("/proc/self/schedstat"))
    return;

  // Three others on this process's only processor, which are not its descendants.
  cpu_set_t all{}, one{};
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  int first = 0;
  while (!CPU_ISSET(first, &all))
    ++first;
  CPU_SET(first, &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  // They end with the file, however late they look for it.
  const Folder folder;
  const std::filesystem::path meanwhile = folder.path / "meanwhile";
  gputest::model::write_atomically(meanwhile, "");
  REQUIRE(std::system(fmt::format("for i in 1 2 3; do timeout 60 sh -c "
                                  "'while [ -e {} ]; do :; done' & done >/dev/null 2>&1",
                                  meanwhile.string())
                          .c_str()) == 0);
  const WorkClock busy(Counts::Time);
  const auto begin = std::chrono::steady_clock::now();
  const double before = processor_seconds_here();
  while (processor_seconds_here() - before < 0.3)
    ;
  std::this_thread::sleep_for(std::chrono::milliseconds(100)); // the clock looks now and then
  const double counted = busy.seconds();
  const double past = gputest::model::seconds_since(begin);
  std::filesystem::remove(meanwhile);
  REQUIRE(::sched_setaffinity(0, sizeof all, &all) == 0);
  CHECK(past > 0.7); // they took their shares
  CHECK(counted >= 0.3);
  CHECK(counted < 0.8 * past);
}

TEST_CASE("The clock of work counts what this process and its children do, and nothing else") {
  const auto later = [](const WorkClock& clock) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return clock.seconds();
  };
  const WorkClock clock;
  std::this_thread::sleep_for(std::chrono::milliseconds(300)); // as a busy machine lets it wait
  CHECK(clock.seconds() < 0.1);

  // The child of a child works, and is killed with it; what it has done is not taken back.
  const auto work = [] {
    for (volatile unsigned i = 0;; i = i + 1)
      ;
  };
  double before = 0;
  {
    const process::Child child = process::Child::fork([&] { process::Child::fork(work).wait(); });
    for (int i = 0; i < 2000 && clock.seconds() < 0.4; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    before = clock.seconds();
    CHECK(before >= 0.4);
  }
  CHECK(later(clock) >= before);

  const Deadline soon = Deadline::at(clock, before + 0.2);
  CHECK_FALSE(soon.over());
  CHECK_FALSE(process::Child::fork(work).wait([&] { return soon.over(); }));
  CHECK(soon.over());
  CHECK(soon.within(100).over());
  CHECK(Deadline::after(100).or_earlier(soon).over());
  CHECK(soon.or_earlier(Deadline::after(100)).over());
  CHECK_FALSE(Deadline::at(clock, before + 100).within(50).over());
}
