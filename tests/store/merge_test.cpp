#include "driver/command_error.h"
#include "driver/commands.h"
#include "store/sqlite.h"
#include "tests/store/fixtures.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace gputest;
using namespace gputest::tests;
using store::Outcome;
using store::Store;

namespace {

struct Result {
  int code = 0;
  std::string out, err;
};

// `gputest merge <arguments>`, in a process of its own.
Result merge_command(const std::vector<std::string>& arguments) {
  const Folder folder;
  Result result;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600), 1);
    ::dup2(::open((folder / "err").c_str(), O_WRONLY | O_CREAT, 0600), 2);
    std::vector<std::string> all{"merge"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& argument : all)
      argv.push_back(argument.data());
    const int code = driver::run_command(
        "merge", [&] { return driver::merge_command(static_cast<int>(argv.size()), argv.data()); });
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  result.code = WEXITSTATUS(status);
  const auto read = [&](const char* name) {
    std::ostringstream text;
    text << std::ifstream(folder / name).rdbuf();
    return text.str();
  };
  result.out = read("out");
  result.err = read("err");
  return result;
}

Outcome with_detail(unsigned number, const std::string& detail) {
  Outcome made = outcome(number);
  made.detail = detail;
  return made;
}

std::string detail_of(const Store& results, const std::string& mutant) {
  for (const Outcome& each : results.outcomes("program"))
    if (each.mutant == mutant)
      return each.detail;
  return "none";
}

} // namespace

TEST_CASE("Merging adds what is new, and the newer outcome wins", "[store]") {
  const Folder folder;
  Store a(folder / "a.db"), b(folder / "b.db");
  a.put("program", with_detail(1, "old"));
  b.put("program", with_detail(1, "new"));
  b.put("program", with_detail(2, "old"));
  a.put("program", with_detail(2, "new"));
  b.put("program", with_detail(3, "only b"));
  b.put("another program", with_detail(1, "only b"));
  a.put("program", with_detail(4, "only a"));

  CHECK(a.merge(folder / "b.db").changed == 3); // b is open, as when it is being written
  CHECK(detail_of(a, "m1") == "new");
  CHECK(detail_of(a, "m2") == "new");
  CHECK(detail_of(a, "m3") == "only b");
  CHECK(detail_of(a, "m4") == "only a");
  CHECK(a.outcomes("another program") == std::vector{with_detail(1, "only b")});
  CHECK(a.merge(folder / "b.db").changed == 0);
  CHECK(a.merge(folder / "a.db").changed == 0);

  // The time of writing comes along: what is copied later is not newer for that.
  Store c(folder / "c.db");
  c.put("program", with_detail(2, "newest"));
  CHECK(c.merge(folder / "a.db").changed == 4);
  CHECK(detail_of(c, "m2") == "newest");
  CHECK(b.merge(folder / "c.db").changed == 2);
  CHECK(detail_of(b, "m2") == "newest");
  CHECK(b.outcomes("program").size() == 4);
}

TEST_CASE("Merging takes the newer documents", "[store]") {
  const Folder folder;
  Store a(folder / "a.db"), b(folder / "b.db");
  a.put_document("one", "mutation", "old");
  b.put_document("one", "mutation", "new");
  b.put_document("two", "mutation", "old");
  a.put_document("two", "mutation", "new");
  b.put_document("three", "mutation", "only b");
  CHECK(a.merge(folder / "b.db").changed == 0); // no outcomes
  CHECK(a.document("one", "mutation") == "new");
  CHECK(a.document("two", "mutation") == "new");
  CHECK(a.document("three", "mutation") == "only b");
}

TEST_CASE("Whatever the order of merging, the result is one", "[store]") {
  const Folder folder;
  const std::vector<std::string> names{"a", "b", "c"};
  for (unsigned at = 0; at < 3; ++at) {
    Store store(folder / names[at]);
    for (unsigned number = 0; number < 60; ++number)
      if (number % (at + 2) == 0)
        store.put("program", with_detail(number, names[at]));
  }
  for (const std::string& name : names) // all as old as each other
    execute(folder / name, "UPDATE outcomes SET written = 1");
  const auto merged = [&](const std::string& into, const std::vector<std::string>& order) {
    Store all(folder / into);
    for (const std::string& name : order)
      all.merge(folder / name);
    auto outcomes = all.outcomes("program");
    std::ranges::sort(outcomes, {}, &Outcome::mutant);
    return outcomes;
  };
  const auto expected = merged("abc", {"a", "b", "c"});
  CHECK(expected.size() == 40); // multiples of 2 or 3
  CHECK(merged("cba", {"c", "b", "a"}) == expected);
  CHECK(merged("baccab", {"b", "a", "c", "c", "a", "b"}) == expected);
  CHECK(merged("parts", {"b"}).size() == 20);
  CHECK(merged("parts", {"abc", "cba"}) == expected); // of what was merged
}

TEST_CASE("Verdicts that differ are named", "[store]") {
  const Folder folder;
  const std::string a = folder / "a.db", b = folder / "b.db", c = folder / "c.db";
  Outcome killed = outcome(1), survived = outcome(1), same = outcome(2);
  killed.verdict = model::Verdict::Killed;
  survived.verdict = model::Verdict::Survived;
  survived.reason.reset();
  Store(a).put("program", killed);
  Store(b).put("program", survived); // newer
  for (const std::string& file : {a, b})
    Store(file).put("program", same);
  const store::Merged merged = Store(a).merge(b);
  REQUIRE(merged.conflicts.size() == 1);
  CHECK(merged.conflicts[0].mutant == killed.mutant);
  CHECK(merged.conflicts[0].kept == model::Verdict::Survived);
  CHECK(merged.conflicts[0].dropped == model::Verdict::Killed);
  CHECK(merged.conflicts[0].replaced);
  CHECK(Store(a).merge(b).conflicts.empty());

  Store(c).put("program", killed);
  const Result result = merge_command({"--output", c, b});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring(b + ": warning: mutant " + killed.mutant + " on case " +
                                           killed.test_case + " of program program"));
  CHECK_THAT(result.out,
             ContainsSubstring("survived here and killed in " + c + "; killed is newer and stays"));
}

TEST_CASE("File systems that several machines see have no write-ahead log", "[store]") {
  CHECK(store::is_network_type(0x6969));
  CHECK(store::is_network_type(0xfe534d42));
  CHECK_FALSE(store::is_network_type(0xef53));     // ext4
  CHECK_FALSE(store::is_network_type(0x01021994)); // tmpfs
  CHECK_FALSE(store::is_on_network(Folder() / "results.db"));
  // Without a log two processes share a store as well.
  const Folder folder;
  const auto file = folder / "results.db";
  {
    Store(file).put("program", outcome(0));
  }
  execute(file, "PRAGMA journal_mode = DELETE");
  const auto write = [&](unsigned first) {
    return start_child([&file, first] {
      Store results(file);
      for (unsigned number = first; number < first + 100; ++number)
        results.put("program", outcome(number));
      return true;
    });
  };
  const pid_t one = write(1), other = write(101);
  wait_for(one);
  wait_for(other);
  CHECK(count(file, "program") == 201);
  CHECK_FALSE(std::filesystem::exists(folder / "results.db-wal"));
}

TEST_CASE("A merge that fails adds nothing", "[store]") {
  const Folder folder;
  Store a(folder / "a.db");
  a.put("program", outcome(1));
  Store(folder / "b.db").put("program", outcome(2));
  execute(folder / "b.db", "DROP TABLE documents");
  check_error([&] { a.merge(folder / "b.db"); }, 2, folder / "b.db", {"is damaged"});
  CHECK(a.outcomes("program").size() == 1);
  check_error([&] { a.merge(folder / "none.db"); }, 2, folder / "none.db", {"no such file"});
  check_error([&] { a.merge(folder.write("empty.db", "")); }, 2, folder / "empty.db", {"is empty"});
  CHECK_FALSE(std::filesystem::exists(folder / "none.db"));
  a.put("program", outcome(3));
  CHECK(a.outcomes("program").size() == 2);
}

TEST_CASE("gputest merge joins the stores of shards", "[store]") {
  const Folder folder;
  const std::string a = folder / "a.db", b = folder / "b, with a comma.db",
                    all = folder / "new/results.db";
  for (unsigned number = 0; number < 10; ++number)
    Store(number < 6 ? a : b).put("program", outcome(number));
  const Result first = merge_command({"--output", all, a, b});
  CHECK(first.code == 0);
  CHECK(first.err.empty());
  CHECK(first.out ==
        a + ": 6 outcomes added or replaced\n" + b + ": 4 outcomes added or replaced\n");
  CHECK(count(all, "program") == 10);
  CHECK(merge_command({a, "-o", b}).code == 0);
  CHECK(count(b, "program") == 10);
  // Nothing changes in those it reads.
  CHECK(count(a, "program") == 6);
}

TEST_CASE("gputest merge with wrong arguments or files is exit 2, and nothing is written",
          "[store]") {
  const Folder folder;
  const std::string all = folder / "all.db", good = folder / "good.db",
                    text = folder.write("text.db", "a text"), none = folder / "none.db";
  {
    Store results(good);
  }
  const auto fails = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Result result = merge_command(arguments);
    INFO(message);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, ContainsSubstring(message));
    CHECK_FALSE(std::filesystem::exists(all));
  };
  fails({}, "--output is missing");
  fails({good}, "--output is missing");
  fails({"--output", all}, "no store given");
  fails({"--output", "", good}, "name of a store is empty");
  fails({"--output", all, good, ""}, "name of a store is empty");
  fails({"--output"}, "see gputest merge --help");
  fails({"--output", all, good, "--into", "x"}, "see gputest merge --help");
  fails({"--output", all, good, none}, none + ": error: no such file");
  fails({"--output", all, good, text}, text + ": error: is no store");
  fails({"--output", text, good}, text + ": error: is no store");
}

TEST_CASE("gputest merge explains itself", "[store]") {
  const Result result = merge_command({"--help"});
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring("--output") && ContainsSubstring("the newest one"));
}
