// The original, as one worker process has it: the programs that hold the mutants, and what the
// original does on each case.
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

// That survivors among synchronisation mutants are run under: the reverse, and shuffles.
constexpr unsigned kOrders[] = {1, 2, 3, 4};

constexpr double kBuildLimit = 300; // seconds

// A program on its way through the cases.
struct TrialProgram {
  std::string key;                       // VariantBuilder::key()
  std::unique_ptr<BuiltKernel> kernel{}; // null: not built yet
  bool with_state = true;
  std::map<std::size_t, std::unique_ptr<PreparedKernel>> prepared{}; // by case
};

enum class OriginalState {
  Sound,
  Unsound, // the original fails a case
  NotQuick // programs that are not optimised take too long, or compute something else
};

class OriginalRunner {
public:
  // Builds mutants.cl. `first`: the index of the channel to begin with. `quick`: programs are not
  // optimised, if the machine can do that and the launches are small. Throws BuildError if it
  // cannot build mutants.cl in that way.
  OriginalRunner(const MutationJob& job, const WorkerChannel& channel, std::size_t first,
                 bool quick);

  // Runs the original on each case, and tells the channel. Or takes what an earlier worker found.
  OriginalState run_baseline();
  void load_baseline() { baselines_ = job_.baseline.load(); }
  const std::vector<CaseBaseline>& baselines() const { return baselines_; }

  Machine& machine() { return machine_; }
  const VariantBuilder& builder() const { return builder_; }

  // The first piece of mutants.cl; the author's text, if the device takes nothing of it.
  TrialProgram& original() { return pieces_.front().variant; }
  // What mutants of the launch run: original.cl, which devices compile faster for sizes they have
  // not seen.
  TrialProgram& launched() { return original().with_state ? launched_ : original(); }
  // The program that has the switched mutant; null: the device rejects all that have.
  TrialProgram* piece_of(const model::Mutant& mutant);
  // Whether the variant is a piece, and so compiled before mutants run.
  bool is_piece(const TrialProgram& variant) const;

  // A runner for which the device has compiled what it compiles for the first launch only.
  MutantRunner& runner(std::size_t test_case);
  // `variant` must be built.
  PreparedKernel& kernel(TrialProgram& variant, std::size_t test_case);

  // A compiler that fails whatever it is given, with a full disk for example, says nothing about a
  // mutant. The text is new to caches. Throws DeviceError.
  void compile_original() const;
  // A simulator answers whatever a kernel does, and memory is short because of others as well.
  [[noreturn]] void give_up(const DeviceError& error) const;

private:
  // The original, and the switched mutants of some sites.
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
  MutantRunner& make_runner(std::size_t test_case, std::vector<ExpectedOutput> outputs);

  const MutationJob& job_;
  const Plan& plan_;
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
