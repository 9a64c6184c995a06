#include "runtime/analyses/mutation/worker.h"

#include "model/files.h"
#include "runtime/analyses/mutation/combined.h"
#include "runtime/analyses/mutation/mutant_runner.h"
#include "runtime/analyses/mutation/outcomes.h"
#include "runtime/analyses/mutation/survivor_checks.h"
#include "runtime/analyses/mutation/trial.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/coverage_state.h"
#include "runtime/variants/mutation_launch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>
#include <unistd.h>
#include <utility>

namespace gputest::runtime {
namespace {

using model::KillReason;
using model::Mutant;
using model::MutantKind;
using model::Verdict;
using store::Outcome;
using Clock = std::chrono::steady_clock;

// That survivors among synchronisation mutants are run under: the reverse, and shuffles.
constexpr unsigned kOrders[] = {1, 2, 3, 4};

// Runs of the author's text, to see whether it varies by itself; and when mutants.cl computes
// something else.
constexpr unsigned kOriginals = 2, kMoreOriginals = 8;

constexpr double kBuildLimit = 300; // seconds

// What fills __local memory in the simulator. Devices leave there what the last group left there,
// and a mutant that does not write it first is to be noticed. As a number it is neither small nor 0
// nor NaN.
constexpr std::uint8_t kLocalFill = 0xcb;

// The share of the time there is after which a machine that can end a launch does so. It says where
// the launch was.
constexpr double kOfLimit = 0.9;

std::string program_fingerprint() {
  return fingerprint(model::read_text("/proc/self/exe").value_or(""));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Json lost_detail(const std::string& program, const Outcome& outcome) {
  return {{"program", program},
          {"mutant", outcome.mutant},
          {"case", outcome.test_case},
          {"order", outcome.order},
          {"building", outcome.verdict == Verdict::CompileError}};
}

// A program on its way through the cases.
struct Variant {
  std::string key;                       // VariantBuilder::key()
  std::unique_ptr<BuiltKernel> kernel{}; // null: not built yet
  bool with_state = true;
  std::map<std::size_t, std::unique_ptr<PreparedKernel>> prepared{}; // by case
};

// The original, and the switched mutants of some sites.
struct Piece {
  std::optional<SiteRange> sites;
  Variant variant;
};

enum class Originals {
  Sound,
  Unsound, // the original fails a case
  NotQuick // programs that are not optimised take too long, or compute something else
};

// Work-items of all cases, times the iterations of their loops, up to which programs are not
// optimised. A work-item's iteration takes some 10 ns more then, and compiling takes some 5 ms less
// for each mutant.
constexpr double kQuickWork = 500'000;

// As far as it is known: the iterations are those of the cases that have run.
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

class MutationWorker {
public:
  // `first`: the index of the channel to begin with. `quick`: programs are not optimised, if the
  // machine can do that and the launches are small. Throws BuildError if it cannot build mutants.cl
  // in that way.
  MutationWorker(const MutationJob& job, const WorkerChannel& channel, std::size_t first,
                 bool quick)
      : job_(job), plan_(job.plan), mutation_(mutation_plan(job.plan)), channel_(channel),
        opened_(job.plan.open_machine({.local_fill = kLocalFill})), machine_(*opened_),
        builder_(machine_, job.plan, quick && work_of(job.plan, {}) <= kQuickWork),
        runners_(plan_.cases.size()),
        outcomes_(job.use_store ? std::optional(mutation_.store) : std::nullopt, mutation_.fresh),
        killers_(job.killers), not_simulated_(job.not_simulated) {
    build_original(first);
  }

  Originals run_baseline();
  void load_baseline() { baselines_ = job_.baseline.load(); }
  void take_loss();
  void run_items(std::size_t first);

private:
  void build_original(std::size_t first);
  void compile_for_launches(BuiltKernel& kernel) const;
  [[noreturn]] void give_up(const DeviceError& error) const;
  CaseBaseline run_original(std::size_t test_case);
  void run_authors(unsigned runs, MutantRunner& runner, std::size_t test_case,
                   CaseBaseline& baseline);
  void run_unmutated(Piece& piece, MutantRunner& runner, std::size_t test_case,
                     CaseBaseline& baseline);
  MutantRunner& make_runner(std::size_t test_case, std::vector<ExpectedOutput> outputs);
  MutantRunner& runner(std::size_t test_case);
  PreparedKernel& kernel(Variant& variant, std::size_t test_case);

  void run_item(std::size_t item);
  Variant& original() { return pieces_.front().variant; }
  Variant* piece_of(const Mutant& mutant);
  std::string key_of(const Mutant& mutant, Route route);
  std::vector<std::size_t> cases_reaching(const Mutant& mutant);
  bool passes_under(unsigned order, std::size_t test_case);
  Outcome outcome_of(const Mutant& mutant, Route route, Variant& variant, const TrialStep& step);
  std::optional<Outcome> build(const Mutant& mutant, Route route, Variant& variant);
  void compile_original() const;
  Outcome execute(const Mutant* mutant, Variant& variant, const TrialStep& step);
  static Launch launch_for(const Mutant* mutant, const MutantRunner& runner);
  void check_survivor(const Mutant& mutant, const std::string& program, TrialResult& result);
  std::optional<MutantNotice> notice_in_simulator(const Mutant& mutant, const std::string& program,
                                                  std::size_t test_case);
  void repeat(const Mutant* mutant, MutantRunner& runner, PreparedKernel& kernel,
              const TrialStep& step, Outcome& outcome) const;

  const MutationJob& job_;
  const Plan& plan_;
  const MutationPlan& mutation_;
  const WorkerChannel& channel_;
  std::unique_ptr<Machine> opened_;
  Machine& machine_;
  VariantBuilder builder_;
  std::vector<Piece>
      pieces_; // of mutants.cl; where the device takes nothing of it, the author's text
  Variant authors_{.key = {}, .with_state = false}; // the author's text; for the baseline
  Variant launched_; // original.cl: devices compile it faster for sizes they have not seen
  std::vector<CaseBaseline> baselines_;
  std::vector<std::unique_ptr<MutantRunner>> runners_; // by case
  OutcomeCache outcomes_;
  std::vector<std::size_t> killers_; // cases that killed the latest mutant
  std::optional<SurvivorChecks> survivors_;
  std::string not_simulated_; // why they are not looked at
  // The item that is run.
  std::size_t index_ = 0; // the channel's
  bool executed_ = false;
  Clock::duration preparation_{}; // for getting the text of its program
};

// ---- The original ----

void MutationWorker::build_original(std::size_t first) {
  const auto start = Clock::now();
  Json info{{"device", machine_.identity().name}, {"optimised", !builder_.is_quick()}};
  launched_.key = builder_.key(read_variant(job_.folder / "original.cl"));
  CombinedPrograms combined = build_combined(
      builder_, plan_, job_.table, job_.folder, job_.builds,
      [&](const std::optional<SiteRange>& sites) {
        channel_.phase("the device's compiler");
        channel_.start(first, kBuildLimit,
                       {{"build", sites ? Json{sites->first, sites->last} : Json::array()},
                        {"quick", builder_.is_quick()}});
      },
      [&](BuiltKernel& kernel) {
        if (first < plan_.cases.size()) // later workers launch what was launched before
          compile_for_launches(kernel);
      });
  channel_.pause();
  channel_.phase(fmt::format("kernel '{}'", plan_.kernel));
  if (combined.bisected()) {
    info["rejected"] = combined.rejected;
    info["pieces"] = Json::array();
  }
  for (CombinedPiece& piece : combined.pieces) {
    if (combined.bisected() && piece.sites)
      info["pieces"].push_back({piece.sites->first, piece.sites->last});
    pieces_.push_back({piece.sites, {.key = piece.key, .kernel = std::move(piece.kernel)}});
  }
  if (pieces_.empty()) {
    const Subject subject = original_subject(plan_);
    pieces_.push_back(
        {std::nullopt,
         {.key = builder_.key(read_variant(job_.folder / "mutants.cl")),
          .kernel = machine_.build(subject.text, subject.settings, subject.kernel, subject.source),
          .with_state = false}});
  }
  info["build_seconds"] = seconds_since(start);
  channel_.info(info);
}

// PoCL compiles a kernel anew for each local size that it is launched in, and chooses one by the
// global size where none is given. No loop goes on for long.
void MutationWorker::compile_for_launches(BuiltKernel& kernel) const {
  using Size = std::array<std::size_t, 3>;
  const bool orders = std::ranges::any_of(job_.table.mutants, &Mutant::synchronisation);
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

// A simulator answers whatever a kernel does, and memory is short because of others as well.
void MutationWorker::give_up(const DeviceError& error) const {
  if (dynamic_cast<const MachineEnded*>(&error) || dynamic_cast<const OutOfMemory*>(&error))
    channel_.disturbed(error.what());
  channel_.lose(error.what());
}

MutantRunner& MutationWorker::make_runner(std::size_t test_case,
                                          std::vector<ExpectedOutput> outputs) {
  machine_.limit_launches(plan_.timeout * kOfLimit);
  runners_[test_case] = std::make_unique<MutantRunner>(
      machine_, job_.table, bind_case(plan_.cases[test_case], plan_.interface, plan_.defaults),
      plan_.kernel, std::move(outputs), job_.description.property);
  return *runners_[test_case];
}

// A runner for which the device has compiled what it compiles for the first launch only.
MutantRunner& MutationWorker::runner(std::size_t test_case) {
  if (runners_[test_case])
    return *runners_[test_case];
  channel_.pause();
  MutantRunner& made = make_runner(test_case, std::move(baselines_[test_case].outputs));
  made.know_harm(baselines_[test_case].harm);
  made.run(kernel(original(), test_case), {}, made.test_case().launch);
  return made;
}

PreparedKernel& MutationWorker::kernel(Variant& variant, std::size_t test_case) {
  std::unique_ptr<PreparedKernel>& prepared = variant.prepared[test_case];
  if (!prepared)
    prepared = runners_[test_case]->prepare(*variant.kernel, variant.with_state);
  return *prepared;
}

// The guards of mutants.cl come first, because they stop what might harm the process. Then what it
// computes without a mutant is compared with what the author's text computes: so it is known which
// of them is wrong, and whether the kernel varies by itself.
CaseBaseline MutationWorker::run_original(std::size_t test_case) {
  const BoundCase bound = bind_case(plan_.cases[test_case], plan_.interface, plan_.defaults);
  channel_.phase("the reference function");
  std::vector<ExpectedOutput> outputs = expected_outputs(bound, oracles_of(job_.description));
  channel_.phase(fmt::format("kernel '{}'", plan_.kernel));
  CaseBaseline baseline;
  // What a property says is in this program.
  baseline.content =
      content_of(bound, outputs, job_.description.property ? program_fingerprint() : "");
  MutantRunner& runner = make_runner(test_case, std::move(outputs));
  // The first runs are traced: what the device compiles for them, the others need not.
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
  if (harm) // should the author's text end the process
    channel_.phase(fmt::format("kernel '{}', with {},", plan_.kernel, harm->detail));
  run_authors(kOriginals, runner, test_case, baseline);
  for (Piece& piece : pieces_)
    if (baseline.is_sound())
      run_unmutated(piece, runner, test_case, baseline);
  // What the guards stop, they also change.
  if (harm && !baseline.is_sound())
    baseline.problem = harm->detail + "\n" + baseline.problem + std::exchange(baseline.wrong, {});
  return baseline;
}

// Runs the author's text, `runs` times.
void MutationWorker::run_authors(unsigned runs, MutantRunner& runner, std::size_t test_case,
                                 CaseBaseline& baseline) {
  const Launch& launch = runner.test_case().launch;
  for (unsigned i = 0; i < runs && baseline.problem.empty(); ++i) {
    runner.run(kernel(authors_, test_case), {}, launch);
    if (const auto notice = runner.original_notice())
      baseline.problem = notice->detail;
    baseline.deterministic = runner.add_originals() && baseline.deterministic;
  }
}

// Runs the piece without a mutant: the first as often as mutants are run.
void MutationWorker::run_unmutated(Piece& piece, MutantRunner& runner, std::size_t test_case,
                                   CaseBaseline& baseline) {
  const bool is_first = &piece == &pieces_.front();
  for (unsigned i = 0; i < (is_first ? mutation_.repeat : 1); ++i) {
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
      // The first may differ in last bits.
      const bool is_known = runner.add_originals();
      baseline.deterministic = (i == 0 || is_known) && baseline.deterministic;
    } else {
      run_authors(kMoreOriginals, runner, test_case, baseline);
      if (baseline.deterministic)
        baseline.wrong = wrong;
    }
    if (!baseline.is_sound())
      return;
  }
}

Originals MutationWorker::run_baseline() {
  channel_.phase("the device's compiler");
  const Subject subject = original_subject(plan_);
  authors_.kernel = machine_.build(subject.text, subject.settings, subject.kernel, subject.source);
  for (std::size_t i = 0; i < plan_.cases.size(); ++i) {
    channel_.start(i);
    const CaseBaseline& baseline = baselines_.emplace_back(run_original(i));
    if (builder_.is_quick() && (!baseline.wrong.empty() || work_of(plan_, baselines_) > kQuickWork))
      return Originals::NotQuick;
    const bool is_last = i + 1 == plan_.cases.size();
    if (is_last && std::ranges::all_of(baselines_, &CaseBaseline::is_sound)) {
      std::vector<CaseBaseline> saved = baselines_;
      for (std::size_t k = 0; k < saved.size(); ++k)
        saved[k].outputs = runners_[k]->outputs();
      job_.baseline.save(saved); // before the parent may think that it is there
    }
    channel_.done(i, {{"problem", baseline.problem},
                      {"wrong", baseline.wrong},
                      {"harm", to_hex(baseline.harm)},
                      {"deterministic", baseline.deterministic},
                      {"reached", to_hex(baseline.reached)},
                      {"seconds", baseline.seconds},
                      {"first_seconds", baseline.first_seconds}});
  }
  return std::ranges::all_of(baselines_, &CaseBaseline::is_sound) ? Originals::Sound
                                                                  : Originals::Unsound;
}

// ---- Mutants ----

// Only if the device still works is the mutant to blame for what happened to the last worker.
void MutationWorker::take_loss() {
  runner(0);
  for (const KeyedOutcome& lost : job_.lost)
    outcomes_.remember(lost.program, lost.outcome);
  if (job_.lost.back().outcome.verdict == Verdict::CompileError)
    compile_original();
  if (job_.lost.back().is_known)
    outcomes_.put(job_.lost.back().program, job_.lost.back().outcome);
}

// A compiler that fails whatever it is given, with a full disk for example, says nothing about a
// mutant. The text is new to caches. Throws DeviceError.
void MutationWorker::compile_original() const {
  Subject subject = original_subject(plan_);
  subject.text +=
      fmt::format("\n/* {} {} */\n", ::getpid(), Clock::now().time_since_epoch().count());
  try {
    machine_.build(subject.text, subject.settings, subject.kernel, subject.source);
  } catch (const BuildError& error) {
    throw DeviceError(fmt::format("the device does not compile anything any more, not even the "
                                  "original; is the disk full?\n{}",
                                  error.what()));
  }
}

void MutationWorker::run_items(std::size_t first) {
  for (std::size_t i = first; i < job_.items.size(); ++i)
    run_item(i);
}

std::vector<std::size_t> MutationWorker::cases_reaching(const Mutant& mutant) {
  const auto reaches = [&](std::size_t i) {
    if (mutant.kind == MutantKind::Switched)
      return !piece_of(mutant) || is_reached(baselines_[i].reached, mutant.site);
    return mutant.kind == MutantKind::Program ||
           changed_launch(runner(i).test_case().launch, mutant).has_value();
  };
  std::vector<std::size_t> cases;
  for (std::size_t i = 0; i < baselines_.size(); ++i)
    if (reaches(i))
      cases.push_back(i);
  return cases;
}

// The program that has the switched mutant; null: the device rejects all that have.
Variant* MutationWorker::piece_of(const Mutant& mutant) {
  for (Piece& piece : pieces_)
    if (piece.sites && piece.sites->contains(mutant.site))
      return &piece.variant;
  return nullptr;
}

// Where the text of the mutant's own program comes from is where it is changed, too.
std::string MutationWorker::key_of(const Mutant& mutant, Route route) {
  if (route == Route::Own)
    return builder_.key(original().key + read_variant(job_.folder / mutant.program));
  return builder_.key(original().key + "alone");
}

void MutationWorker::run_item(std::size_t item) {
  const auto start = Clock::now();
  const Mutant& mutant = *job_.items[item].mutant;
  Route route = job_.items[item].route;
  Variant* variant = mutant.kind != MutantKind::Launch ? piece_of(mutant)
                     : original().with_state           ? &launched_
                                                       : &original();
  index_ = plan_.cases.size() + item;
  executed_ = false;
  preparation_ = {};

  Variant own;
  if (route == Route::Combined && !variant)
    route = Route::Alone;
  if (route != Route::Combined) {
    own.key = key_of(mutant, route);
    variant = &own;
  }
  const bool orders = mutant.synchronisation && original().with_state;
  Trial trial(with_first(cases_reaching(mutant), killers_),
              orders ? std::vector<unsigned>(std::begin(kOrders), std::end(kOrders))
                     : std::vector<unsigned>(),
              mutation_.all_cases);
  while (const auto step = trial.next()) {
    if (step->order != 0 && !passes_under(step->order, step->test_case))
      trial.skip();
    else
      trial.add(outcome_of(mutant, route, *variant, *step));
  }

  TrialResult result = trial.result();
  if (result.verdict == Verdict::Survived || result.verdict == Verdict::Undecided)
    check_survivor(mutant, variant->key, result);
  if (!result.killed_by.empty())
    killers_ = result.killed_by;
  channel_.done(index_,
                {{"verdict", static_cast<int>(result.verdict)},
                 {"reason", result.reason ? Json(static_cast<int>(*result.reason)) : Json()},
                 {"detail", result.detail},
                 {"killed_by", result.killed_by},
                 {"runs", result.runs},
                 {"order", result.order},
                 {"seconds", result.seconds},
                 {"wall", seconds_since(start + preparation_)},
                 {"executed", executed_}});
}

// What no output shows, the checks of the simulator may.
void MutationWorker::check_survivor(const Mutant& mutant, const std::string& program,
                                    TrialResult& result) {
  if (survivor_check(mutant).empty() || !not_simulated_.empty())
    return;
  try {
    if (!survivors_)
      survivors_.emplace(plan_, job_.table, job_.folder);
    for (const std::size_t test_case : cases_reaching(mutant))
      if (const auto notice = notice_in_simulator(mutant, program, test_case)) {
        result.verdict = Verdict::Killed;
        result.reason = notice->reason;
        result.detail = notice->detail;
        result.order.clear();
        result.killed_by = {test_case};
        return;
      }
  } catch (const Error& error) {
    not_simulated_ = error.what();
    channel_.info({{"not_simulated", not_simulated_}});
  }
}

std::optional<MutantNotice> MutationWorker::notice_in_simulator(const Mutant& mutant,
                                                                const std::string& program,
                                                                std::size_t test_case) {
  const CaseBaseline& baseline = baselines_[test_case];
  const std::string key = survivors_->key(program, mutant);
  if (const Outcome* known = outcomes_.find(key, mutant.id, baseline.content, ""))
    return known->reason ? std::optional(MutantNotice{*known->reason, known->detail})
                         : std::nullopt;
  executed_ = true;
  channel_.start(index_, survivors_->limit(), {{"survivor", mutant.id}});
  const auto start = Clock::now();
  survivors_->build(mutant);
  const auto notice = survivors_->run(
      mutant, {.index = test_case, .iterations = baseline.iterations, .harm = baseline.harm});
  Outcome outcome{.mutant = mutant.id, .test_case = baseline.content, .runs = 1};
  if (notice) {
    outcome.verdict = Verdict::Killed;
    outcome.noticed = 1;
    outcome.reason = notice->reason;
    outcome.detail = notice->detail;
  }
  outcome.seconds = seconds_since(start);
  outcomes_.put(key, outcome);
  return notice;
}

// Whether the original passes: what fails even then is no oracle for its mutants.
bool MutationWorker::passes_under(unsigned order, std::size_t test_case) {
  const std::string name = order_name(order);
  const std::string& content = baselines_[test_case].content;
  const Outcome* known = outcomes_.find(original().key, "", content, name);
  if (known == nullptr) {
    const Outcome outcome = execute(nullptr, original(), {test_case, order});
    outcomes_.remember(original().key, outcome);
    return outcome.verdict == Verdict::Survived;
  }
  return known->verdict == Verdict::Survived;
}

Outcome MutationWorker::outcome_of(const Mutant& mutant, Route route, Variant& variant,
                                   const TrialStep& step) {
  const std::string& content = baselines_[step.test_case].content;
  for (const std::string& of : {content, std::string()}) // no case: it does not compile
    if (const Outcome* known = outcomes_.find(variant.key, mutant.id, of, order_name(step.order)))
      return *known;
  if (!variant.kernel)
    if (auto failure = build(mutant, route, variant))
      return *failure;
  return execute(&mutant, variant, step);
}

// Returns the outcome if that fails.
std::optional<Outcome> MutationWorker::build(const Mutant& mutant, Route route, Variant& variant) {
  executed_ = true;
  channel_.pause();
  const auto start = Clock::now();
  const std::string file = mutant.kind == MutantKind::Launch ? "original.cl"
                           : route == Route::Own             ? mutant.program
                                                             : "";
  const std::string name = file.empty() ? "mutant " + mutant.id : (job_.folder / file).string();
  const std::string text =
      file.empty() ? alone_text(plan_, job_.table, mutant.id) : read_variant(job_.folder / file);
  preparation_ += Clock::now() - start;
  Outcome outcome{
      .mutant = mutant.id, .test_case = "", .order = "", .verdict = Verdict::CompileError};
  channel_.start(index_, kBuildLimit, lost_detail(variant.key, outcome));
  try {
    variant.kernel = builder_.build(text, name);
    return std::nullopt;
  } catch (const BuildError& error) {
    channel_.pause();
    compile_original();
    outcome.detail = error.log;
    outcomes_.put(variant.key, outcome);
    return outcome;
  }
}

Outcome MutationWorker::execute(const Mutant* mutant, Variant& variant, const TrialStep& step) {
  executed_ = true;
  MutantRunner& runner = this->runner(step.test_case);
  const CaseBaseline& baseline = baselines_[step.test_case];
  Outcome outcome{.mutant = mutant ? mutant->id : "",
                  .test_case = baseline.content,
                  .order = order_name(step.order)};
  const bool compiles =
      std::ranges::none_of(pieces_, [&](const Piece& piece) { return &variant == &piece.variant; });
  const Launch launch = launch_for(mutant, runner);
  const double limit = time_limit(baseline, mutation_.timeout_factor, mutation_.repeat, compiles,
                                  work_factor(runner.test_case().launch, launch));
  machine_.limit_launches(limit * kOfLimit);
  channel_.start(index_, limit, lost_detail(variant.key, outcome));
  const auto start = Clock::now();
  try {
    repeat(mutant, runner, kernel(variant, step.test_case), step, outcome);
  } catch (const LaunchRefused& error) {
    if (!mutant || mutant->kind == MutantKind::Switched)
      channel_.lose(error.what()); // it took this very launch before
    outcome.reason = KillReason::LaunchFailure;
    outcome.detail = error.what();
    outcome.runs = outcome.noticed = 1;
  } catch (const DeviceError& error) {
    give_up(error);
  }
  outcome.seconds = seconds_since(start);
  outcome.verdict = verdict_of(outcome.runs, outcome.noticed);
  if (const auto fatal = runner.fatal(); fatal && fatal->kind == "endless") {
    outcome.verdict = Verdict::Timeout;
    outcome.reason.reset();
    outcome.detail = text_of(*fatal);
  }
  if (outcome.verdict == Verdict::Undecided)
    outcome.detail = fmt::format("noticed in {} of {} runs of case '{}': {}", outcome.noticed,
                                 outcome.runs, runner.test_case().name, outcome.detail);
  outcomes_.put(variant.key, outcome);
  return outcome;
}

// Cases in which a mutant of the launch changes nothing are not run.
Launch MutationWorker::launch_for(const Mutant* mutant, const MutantRunner& runner) {
  const Launch& launch = runner.test_case().launch;
  if (mutant && mutant->kind == MutantKind::Launch)
    return changed_launch(launch, *mutant).value_or(launch);
  return launch;
}

void MutationWorker::repeat(const Mutant* mutant, MutantRunner& runner, PreparedKernel& kernel,
                            const TrialStep& step, Outcome& outcome) const {
  const Launch launch = launch_for(mutant, runner);
  if (const std::string empty = empty_dimension(launch); !empty.empty())
    throw LaunchRefused(empty);
  MutantControl control;
  control.active = mutant && mutant->kind == MutantKind::Switched ? mutant->number : 0;
  control.budget = loop_budget(baselines_[step.test_case].iterations,
                               work_factor(runner.test_case().launch, launch));
  for (unsigned run = 0; run < mutation_.repeat; ++run) {
    runner.run(kernel, control, launch, step.order);
    ++outcome.runs;
    const auto notice = runner.notice();
    if (notice && outcome.noticed++ == 0) {
      outcome.reason = notice->reason;
      outcome.detail = notice->detail;
    }
    if (notice && runner.fatal()) { // a verdict at once, as the crash of a device's process is
      outcome.reason = notice->reason;
      outcome.detail = notice->detail;
      outcome.runs = outcome.noticed = 1;
      return;
    }
  }
}

} // namespace

void work_on_mutants(const MutationJob& job, const WorkerChannel& channel, std::size_t first) {
  const std::size_t cases = job.plan.cases.size();
  std::optional<MutationWorker> worker;
  const auto begin = [&](bool quick) {
    worker.emplace(job, channel, first, quick);
    if (first >= cases)
      worker->load_baseline();
    if (!job.lost.empty())
      worker->take_loss();
    return first < cases ? worker->run_baseline() : Originals::Sound;
  };
  const auto begin_quickly = [&] {
    try {
      return begin(!job.builds.optimised);
    } catch (const BuildError&) {
      if (job.builds.optimised)
        throw;
      return Originals::NotQuick;
    }
  };
  try {
    Originals originals = begin_quickly();
    if (originals == Originals::NotQuick)
      originals = begin(false);
    if (originals == Originals::Unsound)
      return;
  } catch (const DeviceError& error) {
    if (job.lost.empty())
      throw;
    throw DeviceError(fmt::format("the device cannot be used any more after mutant '{}': {}\nAll "
                                  "outcomes before that are stored: run again to go on",
                                  job.lost.back().outcome.mutant, error.what()));
  }
  worker->run_items(std::max(first, cases) - cases);
}

KeyedOutcome lost_outcome(const Json& detail, const std::string& verdict,
                          const std::string& message, double seconds) {
  const bool is_known = verdict != "error";
  Outcome outcome{.mutant = detail.at("mutant").get<std::string>(),
                  .test_case = detail.at("case").get<std::string>(),
                  .order = detail.at("order").get<std::string>(),
                  .runs = 1,
                  .noticed = 1};
  outcome.detail = message;
  outcome.seconds = seconds;
  if (!is_known) {
    outcome.verdict = Verdict::Undecided;
    outcome.noticed = 0;
  } else if (detail.at("building").get<bool>()) {
    outcome.verdict = Verdict::CompileError;
    outcome.runs = outcome.noticed = 0;
  } else if (verdict == "timeout") {
    outcome.verdict = Verdict::Timeout;
    outcome.detail = fmt::format("ended after {:.1f} s", seconds);
  } else {
    outcome.verdict = Verdict::Killed;
    outcome.reason = KillReason::Crash;
  }
  return {detail.at("program").get<std::string>(), outcome, is_known};
}

} // namespace gputest::runtime
