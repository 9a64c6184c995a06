// kill -9 of any process of a run, at any moment.
#include "tests/catch.h"
#include "tests/runtime/processes.h"

#include <chrono>
#include <random>
#include <set>
#include <thread>

using namespace gputest;
using namespace gputest::tests;

namespace {

std::vector<model::Mutant> mutants_of_every_kind() {
  std::vector<model::Mutant> mutants = switched_mutants(500);
  mutants.insert(mutants.begin() + 200, switched("crash", 6));
  mutants.push_back(own_program("own", "mutant-own.cl"));
  return mutants;
}

} // namespace

// GPUTEST_TEST_KILLS says how many processes are killed.
TEST_CASE("kill -9 of harness, worker or simulator at any moment changes no verdict") {
  const auto mutants = mutants_of_every_kind();
  MutationProject undisturbed(mutants), project(mutants);
  for (MutationProject* each : {&undisturbed, &project}) {
    each->description["device"] = "simulator";
    each->description["simulator"] = GPUTEST_SIMULATOR_PROGRAM;
    each->environment = "OCL_ICD_VENDORS=/nonexistent";
  }
  const auto expected = undisturbed.results();
  const char* const wanted = std::getenv("GPUTEST_TEST_KILLS");
  const unsigned kills = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 6;
  const char* const seed = std::getenv("GPUTEST_TEST_SEED");
  std::mt19937 random(seed ? static_cast<unsigned>(std::atoi(seed)) : 1);
  unsigned killed = 0, harnesses = 0, ends = 0;
  std::set<int> codes;
  pid_t pid = start(project, {});
  while (killed < kills && ends < kills + 20) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + random() % 250));
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == pid) {
      // All is done: again from the start. Or one case was killed too often in a row.
      codes.insert(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
      ++ends;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        for (const char* file : {"results.db", "results.db-wal", "results.db-shm"})
          std::filesystem::remove(project.folder.path() / file);
      pid = start(project, {});
      continue;
    }
    const std::vector<pid_t> family = family_of(pid);
    const pid_t victim = family[random() % family.size()];
    ::kill(victim, SIGKILL);
    ++killed;
    if (victim == pid) {
      wait_for(pid);
      ++harnesses;
      pid = start(project, {});
    }
  }
  int last = wait_for(pid);
  for (int tries = 0; last != 0 && tries < 3; ++tries) {
    codes.insert(last);
    last = wait_for(start(project, {}));
  }
  CHECK(last == 0);
  CHECK(killed == kills);
  CHECK(harnesses > 0);
  for (const int code : codes)
    CHECK((code == 0 || code == 3));      // never 1 or 2, which would blame the user
  const auto results = project.results(); // what is in the store
  CHECK(project.mutation.executed == 0);
  check_verdicts(results, expected);
}
