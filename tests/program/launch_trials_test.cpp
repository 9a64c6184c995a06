// Trials on launches, with a script in the place of a program under the layer.
#include "program/opencl/launch_trials.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

using namespace gputest::program;
using gputest::model::KillReason;
using gputest::model::Trial;
using gputest::model::Verdict;
using gputest::tests::TemporaryFolder;

namespace {

struct Fixture {
  const TemporaryFolder folder;
  LaunchTrials trials;
  ReadBaseline reads;

  // So many processes read nothing back.
  void read_nothing(std::size_t processes) {
    for (int i = 0; i < 2; ++i)
      reads.add(std::vector<std::vector<std::uint64_t>>(processes));
  }

  // The script runs in the run folder; `log` appends a line to that of a process.
  void run(const std::string& script, const std::vector<Trial>& wanted) {
    folder.write("program.sh", "cd \"$GPUTEST_RUN\"\n"
                               "log() { [ -e $1.jsonl ] || echo '{\"event\": \"process\", "
                               "\"format\": \"gputest-run-log-1\"}' >$1.jsonl; "
                               "echo \"$2\" >>$1.jsonl; }\n"
                               "trials() { printf \"$2\" >$1.bin; log $1 '{\"event\": \"trials\", "
                               "\"file\": \"'$1'.bin\"}'; }\n" +
                                   script);
    RepeatedProgram program;
    program.run_folder = folder.path() / "run";
    program.child.command = {"sh", (folder.path() / "program.sh").string()};
    ProgramOracle oracle{gputest::model::Oracle()};
    oracle.add_original({}, "");
    trials.run(program, {}, child_in(program, program.run_folder), reads, oracle, 0.1, wanted);
  }
};

} // namespace

TEST_CASE("Trials tell verdicts, and what differs or was not ended needs a run") {
  Fixture fixture;
  fixture.read_nothing(2);
  fixture.run(
      "trials 1-1 '\\0\\2\\3\\0\\3'\n"
      "log 1-1 '{\"event\": \"trial_noticed\", \"trial\": 2, \"reason\": \"out of bounds\", "
      "\"detail\": \"at k.cl:1:2\"}'\n"
      // Another process finds more to differ.
      "trials 2-2 '\\0\\0\\0\\2\\2'\n",
      {{"a", "m0"}, {"a", "m1"}, {"a", "m2"}, {"a", "m3"}, {"a", "m4"}});
  const RunVerdict* same = fixture.trials.find("a", "m0", 0);
  REQUIRE(same);
  CHECK(same->verdict == Verdict::Survived);
  CHECK(same->detail == kNothingDiffers);
  CHECK_FALSE(fixture.trials.find("a", "m0", 1));
  CHECK_FALSE(fixture.trials.find("a", "m1", 0));
  const RunVerdict* noticed = fixture.trials.find("a", "m2", 0);
  REQUIRE(noticed);
  CHECK(noticed->verdict == Verdict::Killed);
  CHECK(noticed->reason == KillReason::OutOfBounds);
  CHECK(noticed->detail == "at k.cl:1:2; a launch by itself tells");
  CHECK_FALSE(fixture.trials.find("a", "m3", 0));
  CHECK_FALSE(fixture.trials.find("a", "m4", 0));
  CHECK(fixture.trials.untried().empty());
}

TEST_CASE("A mutant that ends the program is left out of the next try") {
  Fixture fixture;
  fixture.read_nothing(1);
  fixture.run("if grep -q bad settings.json; then trials 1-1 '\\0\\1\\2'; kill -SEGV $$; fi\n"
              "grep -q m2 settings.json && exit 9\n" // it is known to differ
              "trials 1-1 '\\0'\n",
              {{"a", "m0"}, {"a", "bad"}, {"a", "m2"}});
  CHECK(fixture.trials.find("a", "m0", 0));
  CHECK_FALSE(fixture.trials.find("a", "bad", 0));
  CHECK_FALSE(fixture.trials.find("a", "m2", 0));
  CHECK(fixture.trials.untried().empty());
}

TEST_CASE("Where a mutant ends a part of the program, it is left out of the next try") {
  Fixture fixture;
  fixture.read_nothing(1);
  fixture.run("if grep -q bad settings.json; then trials 1-1 '\\0\\1'; else trials 1-1 '\\0'; fi\n",
              {{"a", "m0"}, {"a", "bad"}});
  CHECK(fixture.trials.find("a", "m0", 0));
  CHECK_FALSE(fixture.trials.find("a", "bad", 0));
}

TEST_CASE("The first process that a mutant stops says why") {
  Fixture fixture;
  fixture.read_nothing(2);
  const std::string noticed = R"( '{"event": "trial_noticed", "trial": 0, "reason": )";
  fixture.run("trials 1-1 '\\3'; trials 2-2 '\\3'\n"
              "log 2-2" +
                  noticed + R"("division by zero", "detail": "second"}'; log 1-1)" + noticed +
                  R"("out of bounds", "detail": "first"}')",
              {{"a", "m0"}});
  REQUIRE(fixture.trials.find("a", "m0", 0));
  CHECK(fixture.trials.find("a", "m0", 0)->reason == KillReason::OutOfBounds);
}

TEST_CASE("A launch is worth while where a fifth of the mutants survive") {
  CHECK(LaunchTrials::seconds_of_launch(1, 1, 1) == 0.2);
  CHECK(LaunchTrials::seconds_of_launch(1, 10, 2) == 0.01);
  CHECK(LaunchTrials::seconds_of_launch(1, 0, 0) == 0.2);
}

TEST_CASE("Nothing is taken from a run that does not do what it does without mutants") {
  Fixture failed;
  failed.run("trials 1-1 '\\0'; exit 4\n", {{"a", "m0"}});
  CHECK_FALSE(failed.trials.find("a", "m0", 0));
  CHECK(failed.trials.untried() ==
        std::vector<std::string>{
            "the program does not end as it does without mutants (exit code 4)"});

  Fixture other;
  other.reads.add({{1, 2}});
  other.reads.add({{1, 2}});
  other.run("trials 1-1 '\\0'\n", {{"a", "m0"}});
  CHECK_FALSE(other.trials.find("a", "m0", 0));
  CHECK(other.trials.untried() ==
        std::vector<std::string>{"the program reads back something else when launches are made "
                                 "again"});

  Fixture varying;
  varying.reads.add({{1, 2}});
  varying.reads.add({{1, 3}});
  varying.run("trials 1-1 '\\0'\n", {{"a", "m0"}});
  CHECK_FALSE(varying.trials.find("a", "m0", 0));
  CHECK(varying.trials.untried() ==
        std::vector<std::string>{"what the program reads back is not the same in each run"});

  Fixture always;
  always.run("trials 1-1 '\\1\\0\\0\\0\\0'; kill -SEGV $$\n",
             {{"a", "m0"}, {"a", "m1"}, {"a", "m2"}, {"a", "m3"}, {"a", "m4"}});
  CHECK_FALSE(always.trials.find("a", "m4", 0));
  CHECK(always.trials.untried() ==
        std::vector<std::string>{"4 mutants in a row ended the program"});

  Fixture reason;
  reason.read_nothing(1);
  reason.run("trials 1-1 '\\2'; log 1-1 '{\"event\": \"untried\", \"kernel\": \"a.k\", \"reason\": "
             "\"its source calls printf\"}'\n",
             {{"a", "m0"}});
  CHECK(reason.trials.untried() == std::vector<std::string>{"a.k: its source calls printf"});
}
