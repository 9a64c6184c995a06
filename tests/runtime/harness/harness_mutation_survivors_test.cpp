// Survivors of the device, which share programs in the simulator.
#include "tests/catch.h"
#include "tests/runtime/checked_project.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sqlite3.h>

using namespace gputest;
using namespace gputest::tests;
using model::KillReason;
using model::Verdict;

namespace {

// Returns a kernel that has a barrier and a write of local memory in each stage. A mutant of either
// survives, whatever the memory holds, unless a check looks at it.
std::string stages(unsigned count) {
  std::string text = fmt::format("kernel void k(global const int* in, global int* out) {{\n"
                                 "  local int tile[{}][4];\n"
                                 "  const int i = get_global_id(0), l = get_local_id(0);\n"
                                 "  int found = 0;\n",
                                 count);
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("  tile[{0}][l] = in[i];\n"
                        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  found |= tile[{0}][l ^ 1] == 123456789;\n",
                        i);
  return text + "  out[i] = found ? 1 : in[i];\n}\n";
}

constexpr const char* kBoth = "fence_replacement,statement_deletion";

// The survivors of stages(), which are checked by two checks.
class Stages : public CheckedProject {
public:
  explicit Stages(unsigned count) : CheckedProject(stages(count)) { add_copy_of_eight(); }

  // A gputest command that logs what it is asked for. `before` is shell, which runs before it, with
  // `$alone` or `$sites` as the options say, `$out`, and the process `$worker` that asks. `after`
  // runs after it.
  void set_driver(const std::string& before, const std::string& after = "") {
    const std::string log = (folder.path() / "asked").string();
    const auto driver = folder.write(
        "asking",
        fmt::format("#!/bin/sh\ncd {0}\necho \"$@\" >> asked\nalone= sites= out=\nworker=$(cut -d "
                    "' ' -f 4 /proc/$PPID/stat)\n"
                    "command() {{ {1} \"$@\" || exit $?; }}\n"
                    "parse() {{\n  while [ $# -gt 1 ]; do\n    case $1 in\n      --alone) "
                    "alone=$2;;\n      --sites) sites=$2;;\n      --output) out=$2;;\n    esac\n"
                    "    shift\n  done\n}}\nparse \"$@\"\n{2}\ncommand \"$@\"\n{3}\nexit 0\n",
                    folder.path().string(), GPUTEST_DRIVER, before, after));
    std::filesystem::permissions(driver, std::filesystem::perms::owner_all);
    description["driver"] = driver.string();
  }

  std::size_t times_asked(const std::string& option) const {
    const std::string asked = folder.read("asked"), word = option + " "; // ids may begin alike
    std::size_t count = 0;
    for (std::size_t at = 0; (at = asked.find(word, at)) != std::string::npos; ++at)
      ++count;
    return count;
  }

  std::map<std::string, model::MutantResult> by_id(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--operators", kBoth});
    std::map<std::string, model::MutantResult> results;
    for (const model::MutantResult& one : CheckedProject::results(options))
      results[one.mutant.id] = one;
    return results;
  }
};

using Results = std::map<std::string, model::MutantResult>;

std::size_t count_of(const Results& results, KillReason reason) {
  return static_cast<std::size_t>(std::ranges::count_if(
      results, [&](const auto& entry) { return entry.second.reason == reason; }));
}

std::size_t count_of(const Results& results, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      results, [&](const auto& entry) { return entry.second.verdict == verdict; }));
}

// Returns the id of the mutant that `reason` killed on the line.
std::string killed_on(const Results& results, unsigned line, KillReason reason) {
  for (const auto& [id, result] : results)
    if (result.mutant.line == line && result.reason == reason)
      return id;
  throw std::runtime_error("there is none");
}

// Like `expected`, but for `except`.
void check_same(const Results& results, const Results& expected,
                const std::vector<std::string>& except = {}) {
  REQUIRE(results.size() == expected.size());
  for (const auto& [id, result] : expected) {
    INFO(id << " " << result.detail << " | " << results.at(id).detail);
    if (std::ranges::find(except, id) != except.end())
      continue;
    CHECK(results.at(id).verdict == result.verdict);
    CHECK(results.at(id).reason == result.reason);
    CHECK(results.at(id).killed_by == result.killed_by);
  }
}

} // namespace

TEST_CASE("survivors of two checks share programs, in groups, or have one each",
          "[needs][needs-device]") {
  require_device();
  constexpr unsigned kStages = 35; // more than share a program
  Stages project(kStages);
  project.set_driver("");
  const auto together = project.by_id();
  INFO(project.output);
  CHECK(count_of(together, KillReason::Race) == kStages);
  CHECK(count_of(together, KillReason::Uninitialized) >= kStages);
  for (unsigned i = 0; i < kStages; ++i) {
    killed_on(together, 6 + 3 * i, KillReason::Race);
    killed_on(together, 5 + 3 * i, KillReason::Uninitialized);
  }
  CHECK(project.times_asked("--sites") == 4);
  CHECK(project.times_asked("--alone") == 0);
  CHECK_THAT(project.output, !ContainsSubstring("not looked at"));
  project.by_id();
  CHECK(project.mutation.executed == 0);
}

TEST_CASE("a worker that ends over the program of several survivors is followed by one for each",
          "[needs][needs-device]") {
  require_device();
  Stages undisturbed(4), project(4);
  const auto expected = undisturbed.by_id();
  project.set_driver("if [ -n \"$sites\" ]; then kill -SEGV $worker; exit 1; fi");
  const auto results = project.by_id();
  INFO(project.output);
  check_same(results, expected);
  CHECK(project.times_asked("--sites") == 2); // once for each check
  CHECK(project.times_asked("--alone") >= 8);
  CHECK_THAT(project.output, !ContainsSubstring("not looked at"));
}

TEST_CASE("a survivor that cannot run in the simulator loses its check, and the others go on",
          "[needs][needs-device]") {
  require_device();
  Stages undisturbed(4);
  const auto expected = undisturbed.by_id();
  const KillReason reason = GENERATE(KillReason::Race, KillReason::Uninitialized);
  const std::string bad = killed_on(expected, reason == KillReason::Race ? 6 : 5, reason);
  // What happens when its program is made, and how often that is.
  struct Way {
    const char *before, *after, *said;
    std::size_t times;
  };
  const auto way = GENERATE(
      Way{"", "echo '#error no' >> $out", "error: no", 1},
      Way{"kill -SEGV $worker; exit 1", "", "SIGSEGV", 1},
      Way{"kill -KILL $worker; exit 1", "", "killed by SIGKILL", 4},
      // The process that waits for the command.
      Way{"kill -KILL $PPID; exit 1", "", "ended in a way that is not known", 4},
      // The simulator's process ends, and so do the next three.
      Way{"kill -KILL $(cat simulator.pid); echo 3 > ends", "", "has ended without an answer", 1});
  INFO(way.said);
  Stages project(4);
  const auto simulator = project.folder.write(
      "simulator", fmt::format("#!/bin/sh\ncd {}\necho $$ > simulator.pid\n"
                               "ends=$(cat ends 2> /dev/null || echo 0)\n"
                               "if [ $ends -gt 0 ]; then echo $((ends - 1)) > ends; exit 5; fi\n"
                               "exec {} \"$@\"\n",
                               project.folder.path().string(), GPUTEST_SIMULATOR_PROGRAM));
  std::filesystem::permissions(simulator, std::filesystem::perms::owner_all);
  project.description["simulator"] = simulator.string();
  project.set_driver(fmt::format("if [ \"$alone\" = {} ]; then :; {}\nfi", bad, way.before),
                     fmt::format("if [ -n \"$sites\" ]; then echo '#error several' >> $out; fi\n"
                                 "if [ \"$alone\" = {} ]; then :; {}\nfi",
                                 bad, way.after));
  const auto results = project.by_id();
  INFO(project.output);
  check_same(results, expected, {bad});
  CHECK(results.at(bad).verdict == Verdict::Survived);
  CHECK_THAT(project.output, ContainsSubstring("1 survivors were not looked at in the simulator") &&
                                 ContainsSubstring("of '" + bad + "': ") &&
                                 ContainsSubstring(way.said));
  CHECK(project.times_asked("--alone " + bad) == way.times);
  // Nothing is stored of it, so the next run looks at it alone.
  project.description["driver"] = GPUTEST_DRIVER;
  check_same(project.by_id(), expected);
  CHECK(project.mutation.executed == 1);
  CHECK_THAT(project.output, !ContainsSubstring("not looked at"));
}

TEST_CASE("the simulator is given up after 16 survivors that cannot run there",
          "[needs][needs-device]") {
  require_device();
  Stages project(10);
  project.set_driver("", "if [ -n \"$sites$alone\" ]; then echo '#error no' >> $out; fi");
  const auto results = project.by_id();
  INFO(project.output);
  CHECK(count_of(results, Verdict::Survived) >= 20);
  CHECK(project.times_asked("--alone") == 16);
  CHECK_THAT(project.output, ContainsSubstring("too many could not run there, the last one of '"));
}

TEST_CASE("a time limit that is over before the simulator's checks leaves survivors not run",
          "[needs][needs-device]") {
  require_device();
  Stages undisturbed(4), project(4);
  const auto expected = undisturbed.by_id();
  const auto on_device = project.by_id({"--no-simulator"});
  const auto limited = project.by_id({"--time-limit", "1ms"}); // the store has all of the device
  for (const auto& [id, result] : expected) {
    INFO(id << " " << limited.at(id).detail);
    const bool is_checked =
        result.reason == KillReason::Race || result.reason == KillReason::Uninitialized;
    if (!is_checked) {
      CHECK((limited.at(id).verdict == result.verdict ||
             (result.verdict == Verdict::Survived && limited.at(id).verdict == Verdict::NotRun)));
      continue;
    }
    CHECK(on_device.at(id).verdict == Verdict::Survived);
    CHECK(limited.at(id).verdict == Verdict::NotRun);
    CHECK_THAT(limited.at(id).detail, ContainsSubstring("survived on the device"));
  }
  check_same(project.by_id(), expected);
  CHECK(project.mutation.executed >= 8);
  check_same(project.by_id({"--time-limit", "1ms"}), expected);
  CHECK(project.mutation.executed == 0);
}

TEST_CASE("survivors of which the store has a part get the verdicts of a whole run",
          "[needs][needs-device]") {
  require_device();
  Stages project(6);
  const auto expected = project.by_id();
  const unsigned seed = GENERATE(1, 2, 3);
  sqlite3* handle = nullptr;
  REQUIRE(::sqlite3_open((project.folder.path() / "results.db").c_str(), &handle) == SQLITE_OK);
  const std::string some =
      fmt::format("DELETE FROM outcomes WHERE (unicode(substr(mutant, -1)) + length(program) + "
                  "unicode(program) + {}) % 3 = 0",
                  seed);
  CHECK(::sqlite3_exec(handle, some.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  ::sqlite3_close(handle);
  check_same(project.by_id(), expected);
  CHECK(project.mutation.executed > 0);
  CHECK(project.mutation.executed < expected.size());
}

TEST_CASE("shards check their survivors, and the whole takes what they found",
          "[needs][needs-device]") {
  require_device();
  Stages undisturbed(4), project(4);
  const auto expected = undisturbed.by_id();
  project.description["settings"]["mutation.shards"] = "2";
  for (const char* shard : {"1/2", "2/2"}) {
    const auto run = project.run({"--mutation", "--operators", kBoth, "--shard", shard});
    INFO(run.output);
    CHECK(run.exit_code == 0);
  }
  project.set_driver("");
  check_same(project.by_id(), expected);
  CHECK(project.mutation.executed == 0);
  CHECK_FALSE(std::filesystem::exists(project.folder.path() / "asked"));
}
