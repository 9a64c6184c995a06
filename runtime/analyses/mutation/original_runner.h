// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The original kernel in one worker process: the programs that hold the mutants, and what the
// original does with each case.
#pragma once

#include "runtime/analyses/mutation/baseline.h"
#include "runtime/analyses/mutation/combined.h"
#include "runtime/analyses/mutation/mutant_runner.h"
#include "runtime/analyses/mutation/worker.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

// Surviving mutants of synchronisation are run under these orders: the reverse, and shuffles
// (order_of()).
constexpr unsigned kOrders[] = {1, 2, 3, 4};

constexpr double kBuildLimit = 300; // seconds for one build

// A program, and its kernels that are prepared for cases.
struct TrialProgram {
  std::string key;                       // VariantBuilder::key()
  std::unique_ptr<BuiltKernel> kernel{}; // null: not built yet
  bool with_state = true;
  std::map<std::size_t, std::unique_ptr<PreparedKernel>> prepared{}; // by case
};

enum class OriginalState {
  Sound,
  Unsound, // the original fails a case
  NotQuick // programs without optimisation take too long, or compute something else
};

class OriginalRunner {
public:
  // Builds mutants.cl. `first`: the index of the channel to begin with. `quick`: builds without
  // optimisation, if the machine can do that and the launches are small. Throws BuildError if that
  // build fails.
  OriginalRunner(const MutationJob& job, const WorkerChannel& channel, std::size_t first,
                 bool quick);

  // Runs the original on each case, and sends the results to the channel. load_baseline() takes
  // what an earlier worker found instead.
  OriginalState run_baseline();
  void load_baseline() { baselines_ = job_.baseline.load(); }
  const std::vector<CaseBaseline>& baselines() const { return baselines_; }

  Machine& machine() { return machine_; }
  const VariantBuilder& builder() const { return builder_; }

  // Returns the first piece of mutants.cl, or the author's text if the device accepts nothing of
  // mutants.cl.
  TrialProgram& original() { return pieces_.front().variant; }
  // Returns what mutants of the launch run: original.cl. Devices compile it faster for sizes that
  // they have not seen.
  TrialProgram& launched() { return original().with_state ? launched_ : original(); }
  // Returns the program that has the switched mutant; nullptr: the device rejects every program
  // that has it.
  TrialProgram* piece_of(const model::Mutant& mutant);
  // Returns whether the variant is a piece, which is compiled before mutants run.
  bool is_piece(const TrialProgram& variant) const;

  // Returns the case's runner. The device has already compiled what it compiles in a first launch.
  MutantRunner& runner(std::size_t test_case);
  // Returns the variant's kernel, prepared for the case. `variant` must be built.
  PreparedKernel& kernel(TrialProgram& variant, std::size_t test_case);

  // Compiles the original with a text that is new to caches. If that fails too, for example because
  // a disk is full, a failed build says nothing about a mutant. Throws DeviceError.
  void compile_original() const;
  // Ends this process. Where the machine has ended, or memory is short, other processes may be the
  // cause: then the case is not to blame (WorkerChannel::disturbed()). Otherwise it is (lose()).
  [[noreturn]] void give_up(const DeviceError& error) const;

private:
  // A program with the original and the switched mutants of some sites.
  struct Piece {
    std::optional<SiteRange> sites;
    TrialProgram variant;
  };

  void build(std::size_t first);
  void compile_for_launches(BuiltKernel& kernel) const;
  CaseBaseline run_original(std::size_t test_case);
  void run_authors(unsigned runs, MutantRunner& runner, std::size_t test_case,
                   CaseBaseline& baseline);
  void run_unmutated(Piece& piece, MutantRunner& runner, std::size_t test_case,
                     CaseBaseline& baseline);
  // Returns who is wrong where the piece computes something else than the original.
  Opinion opinion(const Piece& piece, std::size_t test_case) const;
  MutantRunner& make_runner(std::size_t test_case, std::vector<ExpectedOutput> outputs);

  const MutationJob& job_;
  const Plan& plan_;
  Oracles oracles_;
  const WorkerChannel& channel_;
  std::unique_ptr<Machine> opened_;
  Machine& machine_;
  VariantBuilder builder_;
  std::vector<Piece> pieces_;                            // of mutants.cl
  TrialProgram authors_{.key = {}, .with_state = false}; // the author's text; for the baseline
  TrialProgram launched_;
  std::vector<CaseBaseline> baselines_;
  std::vector<std::unique_ptr<MutantRunner>> runners_; // by case
};

} // namespace gputest::runtime
