#include "model/mutation/worth.h"

#include "model/time/duration.h"
#include "model/time/share.h"
#include "tests/catch.h"
#include "tests/model/mutation_builder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

using namespace gputest::model;
using namespace gputest::tests;

namespace {

Mutant mutant(const std::string& id, unsigned line, const std::string& name = "math_replacement") {
  Mutant made = result(id, Verdict::Survived, line).mutant;
  made.operators = {name};
  return made;
}

std::string order_of(const std::vector<Mutant>& mutants, const KnownOfMutants& known) {
  std::vector<const Mutant*> pointers;
  for (const Mutant& one : mutants)
    pointers.push_back(&one);
  std::string ids;
  for (const std::size_t index : by_worth(pointers, known))
    ids += mutants[index].id;
  return ids;
}

} // namespace

TEST_CASE("Without knowledge, the first mutant of each operator and line comes first", "[model]") {
  CHECK(order_of({mutant("a", 1), mutant("b", 1), mutant("c", 1, "other"), mutant("d", 2)}, {}) ==
        "acdb");
}

TEST_CASE("Changed and new mutants come first, then those that were open, then the rest",
          "[model]") {
  const std::vector<Mutant> mutants{mutant("a", 1), mutant("b", 2), mutant("c", 3), mutant("d", 4),
                                    mutant("e", 5), mutant("f", 6), mutant("g", 7)};
  KnownOfMutants known{.is_changed = [](const Mutant& one) { return one.line == 4; }};
  known.last = {{"a", Verdict::Killed},   {"b", Verdict::Survived}, {"d", Verdict::Killed},
                {"e", Verdict::NotRun},   {"f", Verdict::Timeout},  {"g", Verdict::NoCoverage},
                {"z", Verdict::Undecided}};
  CHECK(order_of(mutants, known) == "cdbegaf"); // c is new, d has changed
  known.last["a"] = Verdict::Undecided;
  CHECK(order_of(mutants, known) == "cdabegf");
}

TEST_CASE("Every mutant has one place in the order, whatever is known", "[model]") {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 50; ++round) {
    std::vector<Mutant> mutants;
    KnownOfMutants known;
    for (unsigned i = 0; i < random() % 30; ++i) {
      mutants.push_back(mutant(std::string(1, static_cast<char>('A' + i)), random() % 4,
                               random() % 2 == 0 ? "x" : "y"));
      if (random() % 2 == 0)
        known.last[mutants.back().id] = static_cast<Verdict>(random() % 10);
    }
    std::string order = order_of(mutants, known), sorted;
    for (const Mutant& one : mutants)
      sorted += one.id;
    std::ranges::sort(order);
    CHECK(order == sorted);
  }
}

TEST_CASE("Times have units", "[model]") {
  CHECK(seconds_in("10min") == 600);
  CHECK(seconds_in("90") == 90);
  CHECK(seconds_in("1.5h") == 5400);
  CHECK(seconds_in("250ms") == 0.25);
  CHECK(seconds_in("2d") == 172800);
  for (const char* wrong :
       {"", "min", "10 min", "-1s", "0", "0min", "nan", "inf", "1e300", "5w", "10minutes", "1h30"})
    CHECK_FALSE(seconds_in(wrong));
}

TEST_CASE("Tests divide what is left of a limit among those that have not begun", "[model]") {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "gputest-time-share-test";
  std::ofstream(file) << "1100 4 1\n";
  CHECK(shared_seconds(file, 1000) == 25);
  CHECK(shared_seconds(file, 1010) == 30); // the first one took 10 s
  CHECK(shared_seconds(file, 1040) == 30);
  CHECK(shared_seconds(file, 1090) == 10);
  CHECK(shared_seconds(file, 1200) == 0.001); // a fifth, when all is over
  std::ofstream(file) << "1100 4 2\n";        // two at a time
  CHECK(shared_seconds(file, 1000) == 50);
  CHECK(shared_seconds(file, 1000) == Approx(100 * 2 / 3.0));
  std::ofstream(file) << "";
  CHECK_FALSE(shared_seconds(file, 1000));
  std::filesystem::remove(file);
}
