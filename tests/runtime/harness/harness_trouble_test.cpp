// A run of mutants under what machines do to it: clocks that jump, disks that are full, a second
// run at the same time, and a store that another version has written.
#include "tests/catch.h"
#include "tests/environment.h"
#include "tests/runtime/processes.h"

#include <csignal>
#include <sqlite3.h>
#include <sys/resource.h>

using namespace gputest;
using namespace gputest::tests;

namespace {

std::vector<model::Mutant> some_mutants() {
  std::vector<model::Mutant> mutants = switched_mutants(300);
  mutants.push_back(switched("crash", 6));
  return mutants;
}

class Trouble {
public:
  Trouble() : mutants(some_mutants()), project(mutants) { in_simulator(project); }

  static void in_simulator(MutationProject& project) {
    project.description["device"] = "simulator";
    project.description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
    project.environment = "OCL_ICD_VENDORS=/nonexistent";
  }

  // What the store has now is what a run has that nothing disturbs.
  void check() {
    static const auto expected = [this] {
      MutationProject undisturbed(mutants);
      in_simulator(undisturbed);
      return undisturbed.results();
    }();
    const auto results = project.results();
    CHECK(project.mutation.executed == 0);
    check_verdicts(results, expected);
  }

  std::vector<model::Mutant> mutants;
  MutationProject project;
};

// No file may grow beyond so many bytes, of programs that are started meanwhile.
class FileLimit {
public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    signal_ = std::signal(SIGXFSZ, SIG_IGN); // writing fails then
  }
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

private:
  rlimit before_{};
  void (*signal_)(int) = nullptr;
};

} // namespace

TEST_CASE("a clock that jumps changes no verdict") {
  Trouble trouble;
  {
    const Environment preload({{"LD_PRELOAD", GPUTEST_JUMPING_CLOCK}});
    CHECK(wait_for(start(trouble.project, {})) == 0);
  }
  trouble.check();
}

TEST_CASE("two runs at once on one store are one run") {
  Trouble trouble;
  const pid_t first = start(trouble.project, {}), second = start(trouble.project, {});
  CHECK(wait_for(first) == 0);
  CHECK(wait_for(second) == 0);
  trouble.check();
}

TEST_CASE("a disk that is full ends the run, and the next one goes on") {
  Trouble trouble;
  {
    const FileLimit limit(1 << 16);
    CHECK(wait_for(start(trouble.project, {})) == 3);
  }
  CHECK(wait_for(start(trouble.project, {})) == 0);
  trouble.check();
}

TEST_CASE("a store of another version is refused by name") {
  Trouble trouble;
  REQUIRE(wait_for(start(trouble.project, {})) == 0);
  const auto store = trouble.project.folder.path() / "results.db";
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(store.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, "PRAGMA user_version = 99", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  const auto ended = trouble.project.run({"--mutation"}, trouble.project.environment);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, ContainsSubstring(store.string() + ": error: is a store of version 99"));
}
