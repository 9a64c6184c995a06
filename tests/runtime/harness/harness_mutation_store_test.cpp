// What a run of mutation keeps for the next, when it is killed too, and shares with runs beside it.
#include "store/store.h"
#include "tests/catch.h"
#include "tests/runtime/mutation_fixture.h"
#include "tests/runtime/processes.h"

#include <chrono>
#include <csignal>
#include <random>
#include <sqlite3.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gputest;
using namespace gputest::tests;

TEST_CASE("outcomes are used again while nothing they depend on has changed",
          "[needs][needs-device]") {
  require_device();
  MutationProject project({switched("wrong", 1), switched("survivor", 7)});
  project.results();
  CHECK(project.mutation.executed == 2);
  project.results();
  CHECK(project.mutation.executed == 0);
  project.results({"--fresh"});
  CHECK(project.mutation.executed == 2);
  project.results({"--repeat", "2"});
  CHECK(project.mutation.executed == 2);
  // A survivor must pass a new case as well.
  project.add_case("new", R"({"arguments": {"in": [5], "out": {"size": 2}, "n": 1},
                              "global_size": [2], "expected": {"out": [10, 0]}})");
  project.results();
  CHECK(project.mutation.executed == 1);
  project.description["build_options"] = {"-DX=1"};
  project.results();
  CHECK(project.mutation.executed == 2);
  project.folder.write("k/mutants.cl", mutation_data("mutants.cl") + "/* new */\n");
  project.results();
  CHECK(project.mutation.executed == 2);
  CHECK(store::Store(project.folder.path() / "results.db").document("fixture", "mutation") ==
        project.folder.read("k/mutation.json"));
}

TEST_CASE("after kill -9 it goes on where it stopped", "[needs][needs-device]") {
  require_device();
  const unsigned count = 4000;
  MutationProject project(survivors(count));
  const pid_t pid = start(project, {});
  const auto log = project.folder.path() / "results.db-wal";
  std::error_code ignored;
  for (int i = 0; i < 3000; ++i) {
    if (std::filesystem::file_size(log, ignored) > 2'000'000 && std::filesystem::exists(log))
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(pid, SIGKILL);
  REQUIRE(wait_for(pid) == -SIGKILL);
  REQUIRE(!std::filesystem::exists(project.folder.path() / "k/mutation.json"));
  project.results();
  CHECK(project.mutation.results.size() == count);
  CHECK(project.mutation.executed > 0);
  CHECK(project.mutation.executed < count - 100);
  project.results();
  CHECK(project.mutation.executed == 0);
}

TEST_CASE("workers that are killed at any time change no verdict", "[needs][needs-cpu]") {
  require_cpu(); // a GPU may not survive mutants that crash
  std::vector<model::Mutant> mutants;
  for (unsigned i = 0; i < 800; ++i)
    mutants.push_back(switched("s" + std::to_string(i), i % 3 == 0 ? 1 : 7));
  for (const char* id : {"crash", "crash_too"})
    mutants.insert(mutants.begin() + 400, switched(id, 6));
  mutants.push_back(own_program("own", "mutant-own.cl"));
  MutationProject undisturbed(mutants), project(mutants);
  const auto expected = undisturbed.results();
  // So many are killed, each some time after the one before.
  const char* const wanted = std::getenv("GPUTEST_TEST_KILLS");
  const unsigned kills = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 6;
  std::mt19937 random(1);
  const pid_t pid = start(project, {});
  unsigned killed = 0;
  int status = 0;
  // A case that is killed four times in a row is given up, so that something is stored between.
  const auto log = project.folder.path() / "results.db-wal";
  auto stored = std::filesystem::file_time_type::min(); // what there is while there is no such file
  while (killed < kills && ::waitpid(pid, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 400));
    std::error_code ignored;
    const auto now = std::filesystem::last_write_time(log, ignored);
    if (now == stored)
      continue;
    stored = now;
    for (const pid_t worker : children_of(pid)) {
      ::kill(worker, random() % 2 == 0 ? SIGKILL : SIGTERM);
      ++killed;
    }
  }
  if (killed == kills)
    REQUIRE(wait_for(pid) == 0);
  CHECK(killed > 0);                      // how often is a matter of the machine
  const auto results = project.results(); // what is in the store
  CHECK(project.mutation.executed == 0);
  check_verdicts(results, expected);
}

TEST_CASE("shards share nothing, and the run of the whole takes what they found out",
          "[needs][needs-device]") {
  require_device();
  std::vector<model::Mutant> mutants = switched_mutants(400);
  MutationProject whole(mutants), project(mutants);
  const auto expected = whole.results();
  project.description["settings"]["mutation.shards"] = "3";
  project.description["settings"]["mutation.threshold"] = "100"; // of the whole, and missed there
  const auto shards = project.folder.path() / "k/shards";
  // Two machines at once run the same shard, and one is killed.
  const pid_t killed = start(project, {"--shard", "2/3"});
  while (!std::filesystem::exists(shards / "2-of-3/results.db"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(killed, SIGKILL);
  wait_for(killed);
  const std::vector<pid_t> pids{start(project, {"--shard", "2/3"}),
                                start(project, {"--shard", "1/3"}),
                                start(project, {"--shard", "2/3"})};
  for (const pid_t pid : pids)
    CHECK(wait_for(pid) == 0);
  CHECK_FALSE(std::filesystem::exists(project.folder.path() / "results.db"));
  const auto one = model::read_mutation(shards / "1-of-3/mutation-1-of-3.json");
  const auto two = model::read_mutation(shards / "2-of-3/mutation-2-of-3.json");
  CHECK(one.executed == one.results.size());

  // The third never ran: its mutants run now, and no others.
  auto results = project.results({}, 1);
  CHECK_THAT(project.output, ContainsSubstring("outcomes taken from 2 shards"));
  CHECK_THAT(project.output,
             ContainsSubstring("nothing is there of the shards 3/3: their mutants run here"));
  CHECK_THAT(project.output, ContainsSubstring("below the threshold of 100 %"));
  CHECK(project.mutation.executed + one.results.size() + two.results.size() == mutants.size());
  check_verdicts(results, expected);
  // Again, and nothing is new.
  project.results({}, 1);
  CHECK(project.mutation.executed == 0);
  CHECK_THAT(project.output, ContainsSubstring("0 outcomes taken from 2 shards"));
  // A store of another version is refused by its name.
  store::Store((shards / "3-of-3/results.db").string());
  sqlite3* handle = nullptr;
  REQUIRE(::sqlite3_open((shards / "3-of-3/results.db").c_str(), &handle) == SQLITE_OK);
  ::sqlite3_exec(handle, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
  ::sqlite3_close(handle);
  const auto refused = project.run({"--mutation"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.output,
             ContainsSubstring("3-of-3/results.db: error: is a store of version 99"));
}

TEST_CASE("two processes share a store", "[needs][needs-device]") {
  require_device();
  const unsigned count = 400;
  MutationProject project(survivors(count));
  const std::string store = (project.folder.path() / "results.db").string();
  const pid_t first = start(project, {"--shard", "1/2", "--store", store}),
              second = start(project, {"--shard", "2/2", "--store", store});
  CHECK(wait_for(first) == 0);
  CHECK(wait_for(second) == 0);
  const auto shards = project.folder.path() / "k/shards";
  const auto one = model::read_mutation(shards / "1-of-2/mutation-1-of-2.json");
  const auto two = model::read_mutation(shards / "2-of-2/mutation-2-of-2.json");
  CHECK(one.results.size() + two.results.size() == count);
  CHECK(one.executed + two.executed == count);
  project.results();
  CHECK(project.mutation.executed == 0);
  CHECK(project.mutation.results.size() == count);
}
