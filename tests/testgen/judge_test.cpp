// A host program that judges launches may end at any time: at its start, in the author's functions,
// after them, and between questions.
#include "tests/catch.h"
#include "tests/random_count.h"

#include "testgen/judge.h"
#include "tests/testgen/kernel_files.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <span>

using namespace gputest::testgen;
using namespace gputest::testgen::tests;
using gputest::tests::ContainsSubstring;
using Kind = gputest::runtime::Verdict::Kind;

namespace {

enum Ending : int {
  Right,
  Aborts,
  Exits,
  Crashes,
  DamagesAndDies,
  DamagesForLater,
  EndsAfter,
  Throws
};

class Judged {
public:
  explicit Judged(int aborts_at_start = 0) : target_(target("faults.cl", "sound")) {
    abort_at_start(aborts_at_start);
    judge_.emplace(target_, std::vector<std::string>{GPUTEST_JUDGE_FIXTURE, file().string()});
  }

  void set_deadline(Deadline until) { judge_->set_deadline(until); }

  // The program aborts so often before it can be asked.
  void abort_at_start(int times) const { std::ofstream(file()) << times; }

  std::vector<gputest::runtime::Verdict> ask(const std::vector<int>& endings) {
    std::vector<Judge::Launched> launches;
    for (const int ending : endings) {
      Judge::Launched& launched = launches.emplace_back();
      launched.input.arguments.resize(3);
      for (Content& content : launched.input.arguments)
        content.bytes.resize(4);
      std::memcpy(launched.input.arguments[2].bytes.data(), &ending, sizeof ending);
      launched.after.resize(3);
    }
    return judge_->ask(launches, false);
  }

private:
  std::filesystem::path file() const { return folder_.path / "aborts"; }

  Folder folder_;
  Target target_;
  std::optional<Judge> judge_;
};

// A launch fails by what its own reference does, whatever others did before.
bool fails(int ending) {
  return ending != Right && ending != DamagesForLater && ending != EndsAfter;
}

void check(Judged& judged, const std::vector<int>& endings) {
  const auto verdicts = judged.ask(endings);
  REQUIRE(verdicts.size() == endings.size());
  for (std::size_t i = 0; i < endings.size(); ++i) {
    INFO("launch " << i << " of " << endings.size() << ", which ends by " << endings[i]);
    CHECK((verdicts[i].kind == Kind::UnlikeReference) == fails(endings[i]));
    if (endings[i] == Aborts)
      CHECK_THAT(verdicts[i].message,
                 ContainsSubstring("the reference function was ended by signal 6"));
    if (endings[i] == Exits)
      CHECK_THAT(verdicts[i].message, ContainsSubstring("ended the program with exit code 0"));
    if (endings[i] == DamagesAndDies)
      CHECK_THAT(verdicts[i].message,
                 ContainsSubstring("after the reference function has run, the host program was"));
  }
}

} // namespace

TEST_CASE("A launch is judged by what it does alone, however the host program ends") {
  Judged judged;
  for (int ending = Right; ending <= Throws; ++ending) {
    check(judged, {ending});
    check(judged, {ending, ending, Right, ending});
    check(judged, {Right, DamagesForLater, ending, Right});
    check(judged, {EndsAfter, ending});
  }
  const auto count = gputest::tests::random_count(12);
  std::mt19937 random(7);
  for (std::size_t round = 0; round < count; ++round) {
    std::vector<int> endings(1 + random() % 12);
    for (int& ending : endings)
      ending = static_cast<int>(random() % (Throws + 1));
    check(judged, endings);
  }
}

TEST_CASE("A host program that ends when it starts is started again") {
  Judged judged(2);
  check(judged, {Right, Aborts});
  judged.abort_at_start(2);
  check(judged, {Exits, Right, DamagesAndDies, Right});
  judged.abort_at_start(1000);
  CHECK_THROWS_AS(judged.ask({Right, Aborts, Right}), JudgeEnded);
  CHECK_THROWS_AS(Judged(1000), JudgeEnded);
}

TEST_CASE("What is judged before the time is over has a verdict") {
  Judged judged;
  // Each launch needs a new program, and there is no time for all of them.
  const std::vector<int> endings(100'000, Aborts);
  std::vector<gputest::runtime::Verdict> verdicts;
  for (const double seconds : {0.5, 5., 50.}) // a machine may be too busy for the first
    try {
      if (verdicts.empty()) {
        judged.set_deadline(Deadline::after(seconds));
        verdicts = judged.ask(endings);
      }
    } catch (const OutOfTime&) {
    }
  CHECK_FALSE(verdicts.empty());
  CHECK(verdicts.size() < endings.size());
  for (const auto& verdict : verdicts)
    CHECK(verdict.kind == Kind::UnlikeReference);
}

TEST_CASE("What is not judged in time has no verdict") {
  const Target kernel = target("faults.cl", "sound");
  const Folder folder;
  std::ofstream(folder.path / "aborts") << 0;
  Judge judge(kernel, {GPUTEST_JUDGE_FIXTURE, (folder.path / "aborts").string()});
  Judge::Launched launched;
  launched.input.arguments.resize(3);
  for (Content& content : launched.input.arguments)
    content.bytes.resize(4);
  launched.after.resize(3);
  judge.set_deadline(Deadline::after(0));
  CHECK_THROWS_AS(judge.ask(std::span(&launched, 1), false), OutOfTime);
  judge.set_deadline({});
  CHECK(judge.ask(std::span(&launched, 1), false).front().kind == Kind::Right);
}
