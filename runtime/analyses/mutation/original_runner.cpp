// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/original_runner.h"

#include "model/clock.h"
#include "model/files.h"
#include "runtime/analyses/mutation/messages.h"
#include "runtime/analyses/mutation/oracle.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/coverage_state.h"
#include "runtime/variants/mutation_launch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <set>
#include <span>
#include <unistd.h>
#include <utility>

namespace gputest::runtime {
namespace {

using model::Mutant;

// The runs of the author's text that show whether it varies by itself, and those that follow if
// mutants.cl computes something else.
constexpr unsigned kOriginals = 2, kMoreOriginals = 8;

std::string program_fingerprint() {
  return fingerprint(model::read_text("/proc/self/exe").value_or(""));
}

// The limit of work up to which programs are not optimised: the work-items of all cases, times the
// iterations of their loops. An iteration then takes some 10 ns more, and compiling takes some 5 ms
// less for each mutant.
constexpr double kQuickWork = 500'000;

// Returns the work as far as it is known. Iterations are those of the cases that have run.
double work_of(const Plan& plan, std::span<const CaseBaseline> known) {
  double work = 0;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const Launch launch = launch_of(plan.cases[i], plan.interface, plan.defaults);
    double items = 1;
    for (unsigned d = 0; d < launch.dimensions; ++d)
      items *= static_cast<double>(launch.global_size[d]);
    work += items * (i < known.size() ? 1.0 + known[i].iterations : 1.0);
  }
  return work;
}

} // namespace

OriginalRunner::OriginalRunner(const MutationJob& job, const WorkerChannel& channel,
                               std::size_t first, bool quick)
    : job_(job), plan_(job.plan), oracles_(oracles_of(job.plan, job.description)),
      channel_(channel), opened_(job.plan.open_machine({})), machine_(*opened_),
      builder_(machine_, job.plan, quick && work_of(job.plan, {}) <= kQuickWork),
      runners_(plan_.cases.size()) {
  build(first);
}

void OriginalRunner::build(std::size_t first) {
  const auto start = std::chrono::steady_clock::now();
  messages::Device device{.device = machine_.identity().name, .optimised = !builder_.is_quick()};
  launched_.key = builder_.key(read_variant(job_.folder / plan_.variant_file("original.cl")));
  CombinedPrograms combined = build_combined(
      builder_, plan_, job_.table, job_.folder, job_.builds,
      [&](const std::optional<SiteRange>& sites) {
        channel_.phase("the device's compiler");
        channel_.start(first, kBuildLimit,
                       messages::Start{.build = {{.sites = sites, .quick = builder_.is_quick()}}});
      },
      [&](BuiltKernel& kernel) {
        if (first < plan_.cases.size()) // later workers launch what has been launched before
          compile_for_launches(kernel);
      });
  channel_.pause();
  channel_.phase(fmt::format("kernel '{}'", plan_.kernel));
  if (combined.bisected())
    device.rejected = combined.rejected;
  for (CombinedPiece& piece : combined.pieces) {
    if (combined.bisected() && piece.sites)
      device.pieces.push_back(*piece.sites);
    pieces_.push_back({piece.sites, {.key = piece.key, .kernel = std::move(piece.kernel)}});
  }
  if (pieces_.empty()) {
    const Subject subject = original_subject(plan_);
    pieces_.push_back(
        {std::nullopt,
         {.key = builder_.key(read_variant(job_.folder / plan_.variant_file("mutants.cl"))),
          .kernel = machine_.build(subject.text, subject.settings, subject.kernel, subject.source),
          .with_state = false}});
  }
  device.build_seconds = model::seconds_since(start);
  channel_.info(device);
}

// PoCL compiles a kernel anew for each local size that it is launched with, and chooses one by the
// global size where none is given. The budget ends every loop soon.
void OriginalRunner::compile_for_launches(BuiltKernel& kernel) const {
  using Size = std::array<std::size_t, 3>;
  const bool orders = model::row_of(plan_.settings.language).has_orders &&
                      std::ranges::any_of(job_.table.mutants, &Mutant::synchronisation);
  std::set<std::pair<Size, Size>> done;
  for (const TestCase& test_case : plan_.cases) {
    const Launch launch = launch_of(test_case, plan_.interface, plan_.defaults);
    const bool chosen = launch.local_size[0] == 0;
    if (!empty_dimension(launch).empty() ||
        !done.insert({launch.local_size, chosen ? launch.global_size : Size{}}).second)
      continue;
    try {
      MutantRunner runner(machine_, job_.table,
                          bind_case(test_case, plan_.interface, plan_.defaults), plan_.kernel, {});
      const std::unique_ptr<PreparedKernel> prepared = runner.prepare(kernel, true);
      runner.run(*prepared, {.budget = 1}, launch);
      if (chosen && orders)
        runner.run(*prepared, {.budget = 1}, launch, kOrders[0]);
    } catch (const LaunchRefused&) {
      throw;
    } catch (const DeviceError& error) {
      give_up(error);
    }
  }
}

void OriginalRunner::give_up(const DeviceError& error) const {
  if (dynamic_cast<const MachineEnded*>(&error) || dynamic_cast<const OutOfMemory*>(&error))
    channel_.disturbed(error.what());
  const auto* const fault = dynamic_cast<const KernelFault*>(&error);
  channel_.lose(error.what(), fault && fault->exhausted ? Loss::Exhausted : Loss::Crashed);
}

MutantRunner& OriginalRunner::make_runner(std::size_t test_case,
                                          std::vector<ExpectedOutput> outputs) {
  machine_.limit_launches_within(plan_.timeout);
  runners_[test_case] = std::make_unique<MutantRunner>(
      machine_, job_.table, bind_case(plan_.cases[test_case], plan_.interface, plan_.defaults),
      plan_.kernel, std::move(outputs), job_.description.property);
  return *runners_[test_case];
}

MutantRunner& OriginalRunner::runner(std::size_t test_case) {
  if (runners_[test_case])
    return *runners_[test_case];
  channel_.pause();
  MutantRunner& made = make_runner(test_case, std::move(baselines_[test_case].outputs));
  made.know_harm(baselines_[test_case].harm);
  made.run(kernel(original(), test_case), {}, made.test_case().launch);
  return made;
}

PreparedKernel& OriginalRunner::kernel(TrialProgram& variant, std::size_t test_case) {
  std::unique_ptr<PreparedKernel>& prepared = variant.prepared[test_case];
  if (!prepared)
    prepared = runners_[test_case]->prepare(*variant.kernel, variant.with_state);
  return *prepared;
}

// Runs mutants.cl first, because its guards stop what might harm the process. Then compares what it
// computes without a mutant with what the author's text computes. That shows which of them is
// wrong, and whether the kernel varies by itself.
CaseBaseline OriginalRunner::run_original(std::size_t test_case) {
  const BoundCase bound = bind_case(plan_.cases[test_case], plan_.interface, plan_.defaults);
  if (oracles_.reference)
    channel_.phase(oracles_.reference.name);
  std::vector<ExpectedOutput> outputs = expected_outputs(bound, oracles_);
  channel_.phase(fmt::format("kernel '{}'", plan_.kernel));
  CaseBaseline baseline;
  // The property is code of this program, so the content includes it.
  baseline.content =
      content_of(bound, outputs, job_.description.property ? program_fingerprint() : "");
  MutantRunner& runner = make_runner(test_case, std::move(outputs));
  // The first runs are traced. The device compiles for them, and other runs need not wait for that.
  std::optional<MutantNotice> harm;
  for (Piece& piece : pieces_) {
    const bool traces = piece.variant.with_state;
    baseline.first_seconds +=
        runner.run(kernel(piece.variant, test_case), {.trace = traces}, bound.launch);
    if (traces) {
      add_bits(baseline.reached, runner.reached());
      baseline.iterations = std::max(baseline.iterations, runner.iterations());
      add_bits(baseline.harm, runner.harm());
    }
    harm = harm ? harm : runner.event_notice();
  }
  if (harm && baseline.harm.empty()) {
    baseline.problem = harm->detail;
    return baseline;
  }
  runner.know_harm(baseline.harm);
  if (harm) // in case the author's text ends the process
    channel_.phase(fmt::format("kernel '{}', with {},", plan_.kernel, harm->detail));
  run_authors(kOriginals, runner, test_case, baseline);
  for (Piece& piece : pieces_)
    if (baseline.is_sound())
      run_unmutated(piece, runner, test_case, baseline);
  // Guards change what a kernel computes where they stop it.
  if (harm && !baseline.is_sound())
    baseline.problem = harm->detail + "\n" + baseline.problem + std::exchange(baseline.wrong, {});
  return baseline;
}

// Runs the author's text, `runs` times.
void OriginalRunner::run_authors(unsigned runs, MutantRunner& runner, std::size_t test_case,
                                 CaseBaseline& baseline) {
  const Launch& launch = runner.test_case().launch;
  for (unsigned i = 0; i < runs && baseline.problem.empty(); ++i) {
    runner.run(kernel(authors_, test_case), {}, launch);
    if (const auto notice = runner.original_notice()) {
      channel_.pause();
      baseline.problem = device_is_wrong({plan_, test_case, machine_}, oracles_)
                             ? model::device_blame_text(notice->detail)
                             : notice->detail;
    }
    baseline.deterministic = runner.add_originals() && baseline.deterministic;
  }
}

// Runs the piece without a mutant, the first piece as often as mutants run.
void OriginalRunner::run_unmutated(Piece& piece, MutantRunner& runner, std::size_t test_case,
                                   CaseBaseline& baseline) {
  const bool is_first = &piece == &pieces_.front();
  for (unsigned i = 0; i < (is_first ? mutation_plan(plan_).repeat : 1); ++i) {
    const double seconds =
        runner.run(kernel(piece.variant, test_case), {}, runner.test_case().launch);
    if (is_first)
      baseline.seconds = std::max(baseline.seconds, seconds);
    if (const auto harm = runner.event_notice()) {
      baseline.problem = harm->detail;
      return;
    }
    const std::string wrong = runner.unlike_originals();
    if (wrong.empty() || !baseline.deterministic) {
      if (!wrong.empty() && runner.has_oracle())
        baseline.problem = wrong;
      // The outputs of the first piece may differ from the author's in their last bits.
      const bool is_known = runner.add_originals();
      baseline.deterministic = (i == 0 || is_known) && baseline.deterministic;
    } else {
      run_authors(kMoreOriginals, runner, test_case, baseline);
      if (baseline.deterministic) {
        baseline.wrong = wrong;
        baseline.opinion = opinion(piece, test_case);
      }
    }
    if (!baseline.is_sound())
      return;
  }
}

Opinion OriginalRunner::opinion(const Piece& piece, std::size_t test_case) const {
  // The whole of mutants.cl is judged, in its optimised build.
  if (builder_.is_quick() || pieces_.size() > 1 || !piece.sites)
    return {};
  channel_.pause();
  return third_judge({plan_, test_case, machine_}, mutants_subject(plan_, job_.folder));
}

OriginalState OriginalRunner::run_baseline() {
  channel_.phase("the device's compiler");
  const Subject subject = original_subject(plan_);
  authors_.kernel = machine_.build(subject.text, subject.settings, subject.kernel, subject.source);
  for (std::size_t i = 0; i < plan_.cases.size(); ++i) {
    channel_.start(i);
    try {
      baselines_.push_back(run_original(i));
    } catch (const KernelFault& fault) {
      channel_.lose(fault.what());
    }
    const CaseBaseline& baseline = baselines_.back();
    if (builder_.is_quick() && (!baseline.wrong.empty() || work_of(plan_, baselines_) > kQuickWork))
      return OriginalState::NotQuick;
    const bool is_last = i + 1 == plan_.cases.size();
    if (is_last && std::ranges::all_of(baselines_, &CaseBaseline::is_sound)) {
      std::vector<CaseBaseline> saved = baselines_;
      for (std::size_t k = 0; k < saved.size(); ++k)
        saved[k].outputs = runners_[k]->outputs();
      job_.baseline.save(saved); // before the parent relies on it
    }
    channel_.done(i, messages::OriginalCase{.problem = baseline.problem,
                                            .wrong = baseline.wrong,
                                            .guilty = baseline.opinion.guilty,
                                            .finding = baseline.opinion.finding,
                                            .deterministic = baseline.deterministic,
                                            .reached = to_hex(baseline.reached),
                                            .harm = to_hex(baseline.harm),
                                            .first_seconds = baseline.first_seconds});
  }
  return std::ranges::all_of(baselines_, &CaseBaseline::is_sound) ? OriginalState::Sound
                                                                  : OriginalState::Unsound;
}

TrialProgram* OriginalRunner::piece_of(const Mutant& mutant) {
  for (Piece& piece : pieces_)
    if (piece.sites && piece.sites->contains(mutant.site))
      return &piece.variant;
  return nullptr;
}

bool OriginalRunner::is_piece(const TrialProgram& variant) const {
  return std::ranges::any_of(pieces_,
                             [&](const Piece& piece) { return &variant == &piece.variant; });
}

void OriginalRunner::compile_original() const {
  Subject subject = original_subject(plan_);
  subject.text += fmt::format("\n/* {} {} */\n", ::getpid(),
                              std::chrono::steady_clock::now().time_since_epoch().count());
  try {
    machine_.build(subject.text, subject.settings, subject.kernel, subject.source);
  } catch (const BuildError& error) {
    throw DeviceError(fmt::format("the device does not compile anything any more, not even the "
                                  "original; is the disk full?\n{}",
                                  error.what()));
  }
}

} // namespace gputest::runtime
