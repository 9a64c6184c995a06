// Races of mutants that the original does not have, told from what runs of a program say. A shell
// script stands for the program: its findings are files, and it may be ended by others.
#include "model/files.h"
#include "process/scratch_folder.h"
#include "process/undisturbed.h"
#include "program/cuda/race_checks.h"
#include "tests/catch.h"

#include <fstream>
#include <nlohmann/json.hpp>
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

class Runs {
public:
  Runs() {
    // Ends itself as others would, as often as the file `kills` has lines.
    std::ofstream(script_)
        << "echo \"$MUTANT|$GPUTEST_CUDA_CHECKS\" >>\"$W/runs\"\n"
           "if [ -s \"$W/kills\" ]; then\n"
           "  sed -i 1d \"$W/kills\"\n"
           "  [ -z \"$LOSES\" ] || echo 'by SIGKILL' >\"$GPUTEST_CUDA_SIMULATOR_LOST\"\n"
           "  [ -n \"$LOSES\" ] || kill -9 $$\n"
           "  exit 1\n"
           "fi\n"
           "cat \"$W/found$MUTANT\" >\"$GPUTEST_CUDA_FINDINGS\" 2>/dev/null\n"
           "exit 0\n";
  }

  void found(const std::string& mutant, const std::vector<model::Finding>& findings,
             const std::string& rest = "") const {
    std::ofstream file(folder_.path() / ("found" + mutant));
    for (const model::Finding& one : findings)
      file << model::to_json(one).dump() << '\n';
    file << "{\"launches\": 3}\n" << rest;
  }
  void kill_next(unsigned times, bool simulator = false) {
    std::ofstream(folder_.path() / "kills") << std::string(times, '\n');
    loses_ = simulator ? "1" : "";
  }
  std::string log() const { return model::read_text(folder_.path() / "runs").value_or(""); }

  RaceChecks checks() {
    return {"prog",
            [this](const std::string& mutant, const fs::path& records) {
              fs::remove_all(records);
              fs::create_directories(records);
              program::ChildSettings child{.command = {"/bin/sh", script_.string()},
                                           .environment = {},
                                           .timeout = 20,
                                           .output = folder_.path() / "output"};
              child.environment = {
                  {"MUTANT", mutant}, {"W", folder_.path().string()}, {"LOSES", loses_}};
              return child;
            },
            folder_.path() / "records"};
  }

private:
  process::ScratchFolder folder_{"gputest-race-checks"};
  fs::path script_ = folder_.path() / "program.sh";
  std::string loses_;
};

} // namespace

TEST_CASE("A race counts if the original does not have it") {
  Runs runs;
  runs.found("", {finding("race", 3, 4), finding("out_of_bounds", 9, 0)});
  runs.found("a:1", {finding("race", 3, 4), finding("race", 4, 3)}); // the same pair of lines
  runs.found("a:2", {finding("race", 3, 4), finding("race", 5, 4)});
  runs.found("a:3", {finding("out_of_bounds", 7, 0), finding("race_same_value", 8, 8)});
  runs.found("a:4", {}, "{\"kind\": \"race\", \"fi"); // cut off
  RaceChecks checks = runs.checks();
  CHECK_FALSE(checks.race_of("a:1"));
  CHECK(checks.race_of("a:2").value_or("") == "in the simulator: k.cu:5: data race");
  CHECK_FALSE(checks.race_of("a:3"));
  CHECK_FALSE(checks.race_of("a:4"));
  // The original runs once, before the first mutant.
  CHECK(runs.log() == "|races\na:1|races\na:2|races\na:3|races\na:4|races\n");
}

TEST_CASE("Runs that others end are repeated, and are no answer") {
  for (const bool simulator : {false, true}) {
    CAPTURE(simulator);
    Runs runs;
    runs.found("a:1", {finding("race", 5, 4)});
    RaceChecks checks = runs.checks();
    runs.kill_next(2, simulator);
    CHECK(checks.race_of("a:1").has_value());
    CHECK(runs.log() == "|races\n|races\n|races\na:1|races\n");
    runs.kill_next(process::kTries, simulator);
    CHECK_THROWS_WITH(checks.race_of("a:1"),
                      ContainsSubstring("nothing is known about the program") &&
                          ContainsSubstring("times in a row"));
    CHECK(checks.race_of("a:1").has_value()); // the next question is a new one
  }
}
