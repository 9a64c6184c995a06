// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutation testing of a whole program: the program runs once for each mutant, and its oracle says
// whether it notices. The engine here is the same for every kind of program. A kind tells it what
// it must know in a MutatedProgram.
#pragma once

#include "model/checks/finding.h"
#include "model/mutation/guilty.h"
#include "model/mutation/mutation.h"
#include "program/child.h"
#include "program/not_measured.h"
#include "program/oracle.h"
#include "program/read_baseline.h"
#include "program/repeated_runs.h"
#include "program/time_limit.h"
#include "program/wanted.h"

#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::program {

// Without any mutant, the kernels with all mutants compute something else than the program's own:
// the verdicts on mutants mean nothing. what() says what differs, and opinion() who is wrong.
class MutantsDiffer : public std::runtime_error {
public:
  MutantsDiffer(const std::string& difference, model::Opinion opinion)
      : std::runtime_error(difference), opinion_(std::move(opinion)) {}
  const model::Opinion& opinion() const { return opinion_; }

private:
  model::Opinion opinion_;
};

// Returns the folder for records of runs with mutants.
inline std::filesystem::path folder_of_mutants(const std::filesystem::path& output) {
  return output / "mutants";
}

struct MutationSettings : RepeatedRuns {
  WantedMutants wanted{};
  std::optional<double> threshold{};
  bool checks_races = true; // survivors of synchronisation are checked in the simulator
};

// A run of the program with a mutant.
struct MutantTrial {
  model::MutantResult* result = nullptr;
  std::size_t source = 0; // the index of its model::Mutation
  unsigned order = 0;     // one of MutatedProgram::orders(); 0: as the program launches
};

struct TrialOutcome {
  RunVerdict verdict{};
  double seconds = 0;
  bool is_known = true; // false: others have ended it, so that the verdict is not stored
};

constexpr double kSlowerUnderCheck = 10;

class MutatedProgram {
public:
  using Done = std::function<void(const MutantTrial&, const TrialOutcome&)>;

  MutatedProgram() = default;
  MutatedProgram(const MutatedProgram&) = delete;
  MutatedProgram& operator=(const MutatedProgram&) = delete;
  virtual ~MutatedProgram() = default;

  // Runs the original, and tells the oracle how it ends. Returns the wanted mutants, by source:
  // those that must run have Verdict::Survived. nullopt: there is no device for the program. Throws
  // PlainRunFailed, MutantsDiffer.
  virtual std::optional<std::vector<model::Mutation>> measure(ProgramOracle& oracle) = 0;

  // Returns on what the verdicts of a source depend, as a key of the store, and the name that a
  // mutant's outcome has there.
  virtual std::string key_of(std::size_t source) const = 0;
  virtual std::string case_of(const model::MutantResult& result) const = 0;

  // Returns orders, ascending, under which the original does what it does as launched. A survivor
  // of a kind that shows only under some orders runs under them as well.
  virtual std::vector<unsigned> orders() { return {}; }
  // Returns what is ordered, for people.
  virtual std::string ordered() const { return "work-groups and work-items"; }

  // Returns the run of a mutant, and prepares the folder for what it records.
  virtual ChildSettings child(const MutantTrial& trial, const std::filesystem::path& folder) = 0;
  // Returns how others have ended the run, which is then tried again; empty: they have not.
  virtual std::string disturbance(const ChildResult& result, const std::filesystem::path&) const {
    return result.by_others() ? result.text() : std::string();
  }
  virtual TrialOutcome judge(const MutantTrial& trial, const ChildResult& result,
                             const std::filesystem::path& folder) = 0;

  // Finds verdicts in a faster way than by a run for each. `done` gets those that it has found.
  // Returns the others, also those that the time limit leaves. It is called again for orders of
  // mutants that have survived.
  virtual std::deque<MutantTrial> run_faster(std::deque<MutantTrial> trials, const Done& done,
                                             const TimeLimit& limit) {
    static_cast<void>(done);
    static_cast<void>(limit);
    return trials;
  }

  // Returns why no run is needed then, for people.
  virtual std::string faster_way() const { return "its launches told"; }

  // Returns whether survivors of synchronisation can run under the simulator's check for races.
  virtual bool checks_races() const { return false; }
  // Returns such a run, and makes or empties the folder for what it records. nullptr: without a
  // mutant. A run may take kSlowerUnderCheck times as long as others.
  virtual ChildSettings child_for_races(const MutantTrial* trial,
                                        const std::filesystem::path& folder) {
    static_cast<void>(trial);
    static_cast<void>(folder);
    return {};
  }
  // Returns what the simulator's checks have found in the run with these records.
  virtual std::vector<model::Finding> findings_in(const std::filesystem::path& folder) const {
    static_cast<void>(folder);
    return {};
  }

  // Is called when all mutants have run, before races are looked for, and may change verdicts.
  virtual void finish(std::vector<model::Mutation>& sources) { static_cast<void>(sources); }

  // Returns what the runs have shown, for people.
  virtual std::vector<NotMeasured> not_measured() const { return {}; }
  virtual std::vector<std::string> notes() const { return {}; }
  // Number of pieces read back, and of those that vary by themselves.
  virtual std::size_t reads() const { return 0; }
  virtual std::size_t varying() const { return 0; }
};

struct EngineSettings {
  std::string name; // the program's, which kills mutants
  model::Oracle oracle{};
  std::filesystem::path folder; // for records of runs; it is removed afterwards
  std::filesystem::path store;  // results.db
  std::size_t jobs = 1;         // programs that run at the same time
  bool fresh = false;           // ignores what the store knows
  bool whole_runs = false;      // finds no verdict in a faster way
  // Takes the outcomes of so many shards first, whose stores are in shards/K-of-N/ of this folder.
  std::filesystem::path results{};
  unsigned shards = 1;
  // No mutant begins after so many seconds, without the runs of the original. What is most worth
  // runs first (model/mutation/worth.h), and what is left is Verdict::NotRun. Outcomes in the store
  // count. nullopt: there is no limit.
  std::optional<double> time_limit{};
  // With a time limit: the folder of relative names of files, and the verdicts of the last run, by
  // id.
  std::filesystem::path root{};
  std::map<std::string, model::Verdict> last{};
};

struct MutatedRuns {
  std::vector<model::Mutation> sources{}; // those with mutants
  // Number of mutants whose verdicts were found in a faster way alone.
  std::size_t tried = 0;
  std::string note{};               // for people, of a self-check (ProgramOracle::note)
  std::vector<std::string> notes{}; // for people, what the runs have shown
  bool skipped = false;             // there is no device for the program
};

// Runs the mutants. `progress` gets the number of mutants that must run, and each result; whether
// it has run now. Verdicts are in the store before the next mutant begins. Throws PlainRunFailed,
// store::StoreError, and what the program's functions throw.
using MutationProgress =
    std::function<void(std::size_t total, const model::MutantResult&, bool has_run)>;
MutatedRuns run_mutants(MutatedProgram& program, const EngineSettings& settings,
                        const MutationProgress& progress);

} // namespace gputest::program
