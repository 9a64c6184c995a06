// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges runs of a program, of every kind, by what the user has chosen (model/programs/oracle.h).
#pragma once

#include "model/coverage.h"
#include "model/mutation/mutation.h"
#include "model/programs/oracle.h"
#include "program/child.h"
#include "program/output_baseline.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::program {

// A verdict on a run with a mutant. The detail of a survivor that the program could have noticed,
// because what it reads back differs, begins with kWeakOracle.
inline constexpr std::string_view kWeakOracle = "weak oracle: ";
struct RunVerdict {
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason{};
  std::string detail{};
};

// Returns whether the mutant is such a survivor.
bool is_weak(const model::MutantResult& result);

// The lines with which gputest_add_program() and the command line ask for an oracle.
inline constexpr std::string_view kAskForOutput =
    "add ORACLE OUTPUT to gputest_add_program(), or --oracle output to the command line";

// Adds the oracle to a store's key, unless it is the one of all outcomes that were stored before
// there was a choice.
void add_oracle(nlohmann::ordered_json& key, const model::Oracle& oracle);

class ProgramOracle {
public:
  // The oracle must have passed model::check().
  explicit ProgramOracle(model::Oracle asked) : asked_(std::move(asked)) {}

  const model::Oracle& asked() const { return asked_; }
  // Returns how many runs that change nothing are needed at least, of `usual`.
  unsigned baseline(unsigned usual) const;

  // Adds a run that changes nothing. Returns why it cannot be a baseline, beginning with a verb
  // ("exits with …"); empty: it can.
  std::string add_original(const ChildResult& result, const std::string& output);
  // After the last of these runs. Returns why the oracle cannot judge; empty: it can.
  std::string problem() const;

  // Returns by what the run is noticed, of exit code and output; nullopt: it is not. A run that a
  // signal ends is noticed.
  std::optional<RunVerdict> noticed(const ChildResult& result, const std::string& output) const;

  // The verdict on a run that ended by itself. `difference`: how what it read back differs; empty:
  // it does not.
  RunVerdict judge(const ChildResult& result, const std::string& output,
                   const std::string& difference) const;

  // Returns a sentence for people if the output of the original has the words of a self-check at
  // which the verdict does not look; else an empty text.
  std::string note() const;

private:
  model::Oracle asked_;
  std::optional<int> exit_code_; // the original's
  bool varies_in_code_ = false;
  OutputBaseline output_;
  std::string self_check_; // what note() says of the original's output
};

// Returns what add_original() said as a clause: "it failed: exit code 5" where it is how the run
// ended.
std::string clause_of(const std::string& problem, const ChildResult& result);

// A single run, judged by itself: there is no other run with which it could be compared. So only
// the exit code and the expressions judge; without expressions, always the exit code.
struct JudgedRun {
  ChildResult result;
  std::string problem{}; // why it fails, for people; empty: it passes

  bool passes() const { return problem.empty(); }
  model::CaseVerdict verdict() const; // all but Error
};
JudgedRun judged_run(const ChildResult& result, const model::Oracle& oracle,
                     const std::string& output);
// Runs the program. If the oracle looks at its output, this goes to `file` first, and is printed
// when the program has ended.
JudgedRun run_judged(ChildSettings child, const model::Oracle& oracle,
                     const std::filesystem::path& file,
                     const std::function<ChildResult(const ChildSettings&)>& run);

} // namespace gputest::program
