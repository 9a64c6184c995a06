// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/trial_runner.h"

#include "model/clock.h"
#include "runtime/analyses/mutation/messages.h"
#include "runtime/analyses/mutation/survivor_checks.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/coverage_state.h"
#include "runtime/variants/mutation_launch.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {

using model::KillReason;
using model::Mutant;
using model::MutantKind;
using model::Verdict;
using store::Outcome;

TrialRunner::TrialRunner(const MutationJob& job, const WorkerChannel& channel,
                         OriginalRunner& original)
    : job_(job), plan_(job.plan), mutation_(mutation_plan(job.plan)), channel_(channel),
      original_(original),
      outcomes_(job.use_store ? std::optional(mutation_.store) : std::nullopt, mutation_.fresh),
      killers_(job.killers) {}

void TrialRunner::take_loss() {
  original_.runner(0);
  for (const KeyedOutcome& lost : job_.lost)
    outcomes_.remember(lost.program, lost.outcome);
  if (job_.lost.back().outcome.verdict == Verdict::CompileError)
    original_.compile_original();
  if (job_.lost.back().is_known)
    outcomes_.put(job_.lost.back().program, job_.lost.back().outcome);
}

void TrialRunner::run_items(std::size_t first) {
  for (std::size_t i = first; i < job_.items.size(); ++i)
    run_item(i);
}

std::vector<std::size_t> TrialRunner::cases_reaching(const Mutant& mutant) {
  const auto reaches = [&](std::size_t i) {
    if (mutant.kind == MutantKind::Switched)
      return !original_.piece_of(mutant) ||
             is_reached(original_.baselines()[i].reached, mutant.site);
    return mutant.kind == MutantKind::Program ||
           changed_launch(original_.runner(i).test_case().launch, mutant).has_value();
  };
  std::vector<std::size_t> cases;
  for (std::size_t i = 0; i < original_.baselines().size(); ++i)
    if (reaches(i))
      cases.push_back(i);
  return cases;
}

// The table knows where the text of the mutant's own program comes from, so the key changes with
// it.
std::string TrialRunner::key_of(const Mutant& mutant, Route route) {
  if (route == Route::Own)
    return original_.builder().key(original_.original().key +
                                   read_variant(job_.folder / mutant.program));
  return original_.builder().key(original_.original().key + "alone");
}

void TrialRunner::run_item(std::size_t item) {
  const auto start = Clock::now();
  const Mutant& mutant = *job_.items[item].mutant;
  Route route = job_.items[item].route;
  TrialProgram* variant =
      mutant.kind == MutantKind::Launch ? &original_.launched() : original_.piece_of(mutant);
  index_ = plan_.cases.size() + item;
  executed_ = false;
  preparation_ = {};

  TrialProgram own;
  if (route == Route::Combined && !variant)
    route = Route::Alone;
  if (route != Route::Combined) {
    own.key = key_of(mutant, route);
    variant = &own;
  }
  const bool orders = mutant.synchronisation && original_.original().with_state &&
                      model::row_of(plan_.settings.language).has_orders;
  Trial trial(with_first(cases_reaching(mutant), killers_),
              orders ? std::vector<unsigned>(std::begin(kOrders), std::end(kOrders))
                     : std::vector<unsigned>(),
              mutation_.all_cases);
  bool is_complete = true;
  while (const auto step = trial.next()) {
    if (step->order != 0 && !passes_under(step->order, step->test_case)) {
      trial.skip();
      continue;
    }
    const auto outcome = outcome_of(mutant, route, *variant, *step);
    if (!outcome) {
      is_complete = false;
      break;
    }
    trial.add(*outcome);
  }

  messages::ItemResult sent{trial.result()};
  if (sent.verdict == Verdict::Survived || sent.verdict == Verdict::Undecided) {
    if (!is_complete) {
      sent = {};
      sent.verdict = Verdict::NotRun;
    } else if (!survivor_check(mutant).empty()) {
      sent.unchecked = job_.not_simulated;
      if (sent.unchecked.empty())
        sent.survivor =
            messages::Survivor{.program = variant->key, .cases = cases_reaching(mutant)};
    }
  }
  if (!sent.killed_by.empty())
    killers_ = sent.killed_by;
  sent.wall = model::seconds_since(start + preparation_);
  sent.executed = executed_;
  channel_.done(index_, sent);
}

bool TrialRunner::is_over() const {
  return job_.end && Clock::now() >= *job_.end;
}

// Returns whether the original passes. A case that the original fails in an order is no oracle for
// its mutants there.
bool TrialRunner::passes_under(unsigned order, std::size_t test_case) {
  const std::string name = order_name(order);
  const std::string& content = original_.baselines()[test_case].content;
  const Outcome* known = outcomes_.find(original_.original().key, "", content, name);
  if (known == nullptr) {
    const Outcome outcome = execute(nullptr, original_.original(), {test_case, order});
    outcomes_.remember(original_.original().key, outcome);
    return outcome.verdict == Verdict::Survived;
  }
  return known->verdict == Verdict::Survived;
}

std::optional<Outcome> TrialRunner::outcome_of(const Mutant& mutant, Route route,
                                               TrialProgram& variant, const TrialStep& step) {
  const std::string& content = original_.baselines()[step.test_case].content;
  for (const std::string& of : {content, std::string()}) // an empty case: it does not compile
    if (const Outcome* known = outcomes_.find(variant.key, mutant.id, of, order_name(step.order)))
      return *known;
  if (is_over())
    return std::nullopt;
  if (!variant.kernel)
    if (auto failure = build(mutant, route, variant))
      return failure;
  return execute(&mutant, variant, step);
}

// Returns the outcome if that fails.
std::optional<Outcome> TrialRunner::build(const Mutant& mutant, Route route,
                                          TrialProgram& variant) {
  executed_ = true;
  channel_.pause();
  const auto start = Clock::now();
  const std::string file = mutant.kind == MutantKind::Launch ? plan_.variant_file("original.cl")
                           : route == Route::Own             ? mutant.program
                                                             : "";
  const std::string name = file.empty() ? "mutant " + mutant.id : (job_.folder / file).string();
  const std::string text =
      file.empty() ? alone_text(plan_, job_.table, mutant.id) : read_variant(job_.folder / file);
  preparation_ += Clock::now() - start;
  Outcome outcome{
      .mutant = mutant.id, .test_case = "", .order = "", .verdict = Verdict::CompileError};
  channel_.start(index_, kBuildLimit, messages::Start{.trial = {{variant.key, outcome}}});
  try {
    variant.kernel = original_.builder().build(text, name);
    return std::nullopt;
  } catch (const BuildError& error) {
    channel_.pause();
    original_.compile_original();
    outcome.detail = error.log;
    outcomes_.put(variant.key, outcome);
    return outcome;
  }
}

Outcome TrialRunner::execute(const Mutant* mutant, TrialProgram& variant, const TrialStep& step) {
  executed_ = true;
  MutantRunner& runner = original_.runner(step.test_case);
  const CaseBaseline& baseline = original_.baselines()[step.test_case];
  Outcome outcome{.mutant = mutant ? mutant->id : "",
                  .test_case = baseline.content,
                  .order = order_name(step.order)};
  const bool compiles = !original_.is_piece(variant);
  const Launch launch = launch_for(mutant, runner);
  const double limit = time_limit(baseline, mutation_.timeout_factor, mutation_.repeat, compiles,
                                  work_factor(runner.test_case().launch, launch));
  original_.machine().limit_launches_within(limit);
  channel_.start(index_, limit, messages::Start{.trial = {{variant.key, outcome}}});
  const auto start = Clock::now();
  try {
    repeat(mutant, runner, original_.kernel(variant, step.test_case), step, outcome);
  } catch (const LaunchRefused& error) {
    if (!mutant || mutant->kind == MutantKind::Switched)
      channel_.lose(error.what()); // it accepted this very launch before
    outcome.reason = KillReason::LaunchFailure;
    outcome.detail = error.what();
    outcome.runs = outcome.noticed = 1;
  } catch (const DeviceError& error) {
    original_.give_up(error);
  }
  outcome.seconds = model::seconds_since(start);
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

// Returns the launch of the case, with the mutant's change. Cases in which a mutant of the launch
// changes nothing do not run.
Launch TrialRunner::launch_for(const Mutant* mutant, const MutantRunner& runner) {
  const Launch& launch = runner.test_case().launch;
  if (mutant && mutant->kind == MutantKind::Launch)
    return changed_launch(launch, *mutant).value_or(launch);
  return launch;
}

void TrialRunner::repeat(const Mutant* mutant, MutantRunner& runner, PreparedKernel& kernel,
                         const TrialStep& step, Outcome& outcome) const {
  const Launch launch = launch_for(mutant, runner);
  if (const std::string empty = empty_dimension(launch); !empty.empty())
    throw LaunchRefused(empty);
  MutantControl control;
  control.active = mutant && mutant->kind == MutantKind::Switched ? mutant->number : 0;
  control.budget = loop_budget(original_.baselines()[step.test_case].iterations,
                               work_factor(runner.test_case().launch, launch));
  for (unsigned run = 0; run < mutation_.repeat; ++run) {
    runner.run(kernel, control, launch, step.order);
    ++outcome.runs;
    const auto notice = runner.notice();
    if (notice && outcome.noticed++ == 0) {
      outcome.reason = notice->reason;
      outcome.detail = notice->detail;
    }
    if (notice && runner.fatal()) { // a verdict at once, like the crash of a device's process
      outcome.reason = notice->reason;
      outcome.detail = notice->detail;
      outcome.runs = outcome.noticed = 1;
      return;
    }
  }
}

} // namespace gputest::runtime
