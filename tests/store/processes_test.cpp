// Several processes with one store, and processes that are killed.
#include "tests/store/fixtures.h"

#include <csignal>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace gputest;
using namespace gputest::tests;
using store::Store;

TEST_CASE("Two processes write one store at once and nothing is lost", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  const auto write = [&](unsigned first) {
    return start_child([&file, first] {
      Store results(file); // both create it
      for (unsigned number = first; number < first + 2000; ++number)
        results.put("program", outcome(number));
      return true;
    });
  };
  const pid_t a = write(0), b = write(2000);
  wait_for(a);
  wait_for(b);
  std::set<std::string> mutants;
  for (const store::Outcome& each : Store(file).outcomes("program"))
    mutants.insert(each.mutant);
  CHECK(mutants.size() == 4000);
}

TEST_CASE("Many processes create a store at once", "[store]") {
  const Folder folder;
  for (int round = 0; round < 5; ++round) {
    const auto file = folder / std::to_string(round);
    std::vector<pid_t> children;
    for (unsigned number = 0; number < 8; ++number)
      children.push_back(start_child([&file, number] {
        Store(file).put("program", outcome(number));
        return true;
      }));
    for (const pid_t child : children)
      wait_for(child);
    CHECK(count(file, "program") == 8);
  }
}

TEST_CASE("One process reads what another has just written", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  Store reader(file);
  CHECK(reader.outcomes("program").empty());
  in_child([&] {
    Store(file).put("program", outcome(1));
    return true;
  });
  CHECK(reader.outcomes("program") == std::vector{outcome(1)});
  reader.put("program", outcome(2));
  in_child([&] { return count(file, "program") == 2; });
}

TEST_CASE("kill -9 loses nothing that was written", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  unsigned written = 0; // over all rounds
  for (unsigned round = 0; round < 12; ++round) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = start_child([&] {
      Store results(file); // from the second round on, after a process that was killed
      for (unsigned number = written;; ++number) {
        results.put("program", outcome(number));
        if (::write(ends[1], "x", 1) != 1)
          return false;
      }
    });
    ::close(ends[1]);
    // The kill comes at another moment of writing each time, and checkpoints are among them.
    const unsigned enough = 1 + 97 * round;
    char byte = 0;
    unsigned told = 0;
    while (told < enough && ::read(ends[0], &byte, 1) == 1)
      ++told;
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));
    while (::read(ends[0], &byte, 1) == 1)
      ++told;
    ::close(ends[0]);
    CHECK(told >= enough);

    const auto found = Store(file).outcomes("program").size();
    written += told;
    CHECK(found >= written);
    CHECK(found <= written + 1); // the one that was under way
    written = static_cast<unsigned>(found);
  }
  CHECK(written > 5000);
}

TEST_CASE("A store that a process was creating when it was killed is created", "[store]") {
  const Folder folder;
  folder.write("empty.db", "");
  Store(folder / "empty.db").put("program", outcome(1));
  execute(folder / "switched.db", "PRAGMA journal_mode = WAL");
  Store(folder / "switched.db").put("program", outcome(1));
  CHECK(count(folder / "empty.db", "program") == 1);
  CHECK(count(folder / "switched.db", "program") == 1);
}

TEST_CASE("A store that stays locked is an error after a while", "[store]") {
  const Folder folder;
  const auto file = folder / "results.db";
  Store results(file, std::chrono::milliseconds(50));
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  check_error([&] { results.put("program", outcome(1)); }, 3, file,
              {"stays locked by another process", "waited 0.05 s", "start again"});
  CHECK(results.outcomes("program").empty()); // reading goes on
  sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr);
  results.put("program", outcome(1));
  CHECK(results.outcomes("program").size() == 1);
  sqlite3_close(other);
}
