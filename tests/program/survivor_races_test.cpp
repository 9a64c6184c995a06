// Races of mutants that the original does not have, told from what runs of a program say. A shell
// script stands for the program: its findings are files, it may be ended by others, and it may not
// end.
#include "model/files.h"
#include "model/json.h"
#include "process/scratch_folder.h"
#include "process/undisturbed.h"
#include "program/survivor_races.h"
#include "tests/catch.h"

#include <fstream>
#include <vector>

using namespace gputest;
using namespace gputest::program;
using gputest::tests::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

model::Finding finding(const std::string& kind, unsigned line, unsigned other) {
  model::Finding made{.kind = kind, .site = {"k.cu", line, 3}};
  made.message = "data race";
  made.other = {"k.cu", other, 5};
  return made;
}

class Runs : public MutatedProgram {
public:
  Runs() {
    // Ends itself as others would, as often as the file `kills` has lines.
    std::ofstream(script_)
        << "echo \"$MUTANT|\" >>\"$W/runs\"\n"
           "[ -z \"$SLEEPS\" ] || sleep 20\n"
           "if [ -s \"$W/kills\" ]; then\n"
           "  sed -i 1d \"$W/kills\"\n"
           "  [ -z \"$LOSES\" ] || echo 'by SIGKILL' >\"$GPUTEST_CUDA_SIMULATOR_LOST\"\n"
           "  [ -n \"$LOSES\" ] || kill -9 $$\n"
           "  exit 1\n"
           "fi\n"
           "cp \"$W/found$MUTANT\" \"$RECORDS\" 2>/dev/null\n"
           "exit 0\n";
  }

  void found(const std::string& mutant, const std::vector<model::Finding>& findings) const {
    model::Json all = findings;
    std::ofstream(folder_.path() / ("found" + mutant)) << all;
  }
  void kill_next(unsigned times, bool simulator = false) {
    std::ofstream(folder_.path() / "kills") << std::string(times, '\n');
    loses_ = simulator ? "1" : "";
  }
  // Lets the program take longer than it may.
  void sleep() { sleeps_ = true; }
  std::string log() const { return model::read_text(folder_.path() / "runs").value_or(""); }

  std::optional<std::string> race_of(const std::string& mutant) {
    model::MutantResult result;
    result.mutant.id = mutant;
    return races.race_of({&result});
  }

  ChildSettings child_for_races(const MutantTrial* trial, const fs::path& records) override {
    fs::remove_all(records);
    fs::create_directories(records);
    return {.command = {"/bin/sh", script_.string()},
            .environment = {{"MUTANT", trial ? trial->result->mutant.id : ""},
                            {"RECORDS", (records / "found").string()},
                            {"W", folder_.path().string()},
                            {"LOSES", loses_},
                            {"SLEEPS", sleeps_ ? "1" : ""}},
            .timeout = sleeps_ ? 0.1 : 200,
            .output = folder_.path() / "output"};
  }
  std::vector<model::Finding> findings_in(const fs::path& records) const override {
    const model::Json all = model::Json::parse(model::read_text(records / "found").value_or("[]"));
    std::vector<model::Finding> findings;
    for (const model::Json& one : all)
      findings.push_back(one.get<model::Finding>());
    return findings;
  }

  std::optional<std::vector<model::Mutation>> measure(ProgramOracle&) override { return {}; }
  std::string key_of(std::size_t) const override { return ""; }
  std::string case_of(const model::MutantResult&) const override { return ""; }
  ChildSettings child(const MutantTrial&, const fs::path&) override { return {}; }
  TrialOutcome judge(const MutantTrial&, const ChildResult&, const fs::path&) override {
    return {};
  }

private:
  process::ScratchFolder folder_{"gputest-race-checks"};
  fs::path script_ = folder_.path() / "program.sh";
  std::string loses_;
  bool sleeps_ = false;

public:
  SurvivorRaces races{*this, "prog", folder_.path()};
};

} // namespace

TEST_CASE("A race counts if the original does not have it") {
  Runs runs;
  runs.found("", {finding("race", 3, 4), finding("out_of_bounds", 9, 0)});
  runs.found("a:1", {finding("race", 3, 4), finding("race", 4, 3)}); // the same pair of lines
  runs.found("a:2", {finding("race", 3, 4), finding("race", 5, 4)});
  runs.found("a:3", {finding("out_of_bounds", 7, 0), finding("race_same_value", 8, 8)});
  CHECK_FALSE(runs.race_of("a:1"));
  CHECK(runs.race_of("a:2").value_or("") == "in the simulator: k.cu:5: data race");
  CHECK_FALSE(runs.race_of("a:3"));
  CHECK_FALSE(runs.race_of("a:4")); // it has recorded nothing
  // The original runs once, before the first mutant.
  CHECK(runs.log() == "|\na:1|\na:2|\na:3|\na:4|\n");
}

TEST_CASE("Runs that others end are repeated, and are no answer") {
  for (const bool simulator : {false, true}) {
    CAPTURE(simulator);
    Runs runs;
    runs.found("a:1", {finding("race", 5, 4)});
    runs.kill_next(2, simulator);
    CHECK(runs.race_of("a:1").has_value());
    CHECK(runs.log() == "|\n|\n|\na:1|\n");
    runs.kill_next(process::kTries, simulator);
    CHECK_THROWS_WITH(runs.race_of("a:1"),
                      ContainsSubstring("nothing is known about the program") &&
                          ContainsSubstring("times in a row"));
    CHECK(runs.race_of("a:1").has_value()); // the next question is a new one
  }
}

TEST_CASE(
    "Nothing is checked if the original takes too long under the check, and the reason says so") {
  Runs runs;
  runs.found("a:1", {finding("race", 5, 4)});
  runs.sleep();
  CHECK_FALSE(runs.race_of("a:1"));
  CHECK_THAT(runs.races.problem(), ContainsSubstring("in the simulator the program is "));
  CHECK_FALSE(runs.race_of("a:1"));
  CHECK(runs.log() == "|\n");
}
