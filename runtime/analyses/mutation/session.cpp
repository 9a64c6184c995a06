// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/session.h"

#include "gputest/error.h"
#include "model/clock.h"
#include "runtime/analyses/mutation/survivor_runner.h"
#include "runtime/variants/coverage_state.h"
#include "runtime/variants/mutation_state.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gputest::runtime {

using model::Verdict, store::Outcome;

namespace {

// Throws nlohmann::json::exception for what no worker sends.
ItemResult result_of(const Json& message, std::size_t cases) {
  auto result = received<ItemResult>(message);
  for (const std::size_t index : result.killed_by)
    if (index >= cases)
      throw nlohmann::json::out_of_range::create(401, "no such case", &message);
  return result;
}

// A compiler that takes too long will do so again. One that the system ends again and again will be
// ended once more.
void note_loss(BuildHistory& builds, const std::optional<SiteRange>& part, Loss loss,
               const std::string& message) {
  auto lost = std::ranges::find(builds.lost, part, &LostBuild::sites);
  if (lost == builds.lost.end())
    lost = builds.lost.insert(lost, {.sites = part, .times = 0, .message = {}});
  lost->times += loss == Loss::Crashed ? 1 : kBuildTries;
  lost->message = message;
}

// Returns the outcome of runs in which the worker was lost. An outcome with the verdict
// CompileError is that of a program that was being built. After Loss::Disturbed the outcome is
// undecided.
KeyedOutcome lost_outcome(const messages::Trial& trial, Loss loss, const std::string& message,
                          double seconds) {
  Outcome outcome = trial.outcome;
  const bool is_known = loss != Loss::Disturbed;
  const bool is_build = outcome.verdict == Verdict::CompileError;
  outcome.runs = 1;
  outcome.noticed = 1;
  outcome.detail = message;
  outcome.seconds = seconds;
  if (!is_known) {
    outcome.verdict = Verdict::Undecided;
    outcome.noticed = 0;
  } else if (is_build) {
    outcome.runs = outcome.noticed = 0;
  } else if (loss == Loss::Timeout) {
    outcome.verdict = Verdict::Timeout;
    outcome.detail = fmt::format("ended after {:.1f} s", seconds);
  } else {
    outcome.verdict = Verdict::Killed;
    outcome.reason =
        loss == Loss::Exhausted ? model::KillReason::BudgetExhausted : model::KillReason::Crash;
  }
  return {trial.program, outcome, is_known};
}

// So many workers may be lost with survivors before the others are left out.
constexpr unsigned kMostSurvivorLosses = 16;

// Runs survivors under the simulator's checks, which decide about them. One that ends the process
// loses its check, and the others go on. Those whose common program does get one each.
void check_survivors(MutationJob& job, const std::vector<SurvivorItem>& survivors,
                     const std::function<void(std::size_t item, const ItemResult&)>& on_result) {
  messages::SurvivorStart in_flight;
  SurvivorLosses& losses = job.losses;
  run_isolated({
      .cases = survivors.size(),
      .retry_lost = true,
      .work = [&](const WorkerChannel& channel,
                  std::size_t first) { work_on_survivors(job, survivors, channel, first); },
      .on_info = [&](const Json& info) { job.not_simulated = received<std::string>(info); },
      .on_done =
          [&](std::size_t index, const Json& message) {
            on_result(survivors[index].item, result_of(message, job.plan.cases.size()));
          },
      .on_start =
          [&](std::size_t, const Json& detail) {
            in_flight = received<messages::SurvivorStart>(detail);
          },
      .on_lost =
          [&](std::size_t, Loss, const std::string& message, double) {
            const std::string reason = fmt::format("of '{}': {}", in_flight.mutant, message);
            if (in_flight.together.size() > 1)
              losses.apart.insert(in_flight.together.begin(), in_flight.together.end());
            else
              losses.unchecked[in_flight.mutant] = reason;
            if (++losses.times == kMostSurvivorLosses)
              job.not_simulated =
                  fmt::format("too many could not run there, the last one {}", reason);
          },
  });
}

} // namespace

DeviceMutants device_mutants(const Plan& plan) {
  DeviceMutants mutants{plan.kernel_dir, read_mutants(plan.kernel_dir)};
  if (mutants.table.device_macros.empty())
    return mutants;
  run_isolated({
      .work =
          [&](const WorkerChannel& channel, std::size_t) {
            const std::unique_ptr<Machine> machine = plan.open_machine({});
            channel.info(mutants_folder(plan, mutants.table, *machine).string());
          },
      .on_info = [&](const Json& folder) { mutants.folder = folder.get<std::string>(); },
  });
  if (mutants.folder != plan.kernel_dir)
    mutants.table = read_mutants(mutants.folder);
  return mutants;
}

void MutationSession::run(
    MutationJob& job, const std::function<void(std::size_t item, const ItemResult&)>& on_result) {
  using Clock = std::chrono::steady_clock;
  const std::vector<TestCase>& cases = job.plan.cases;
  messages::Start in_flight;
  std::optional<std::size_t> lost; // the latest case
  std::optional<Clock::time_point> start;
  std::vector<SurvivorItem> survivors;
  const auto original_done = [&](std::size_t index, const Json& message) {
    const auto done = received<messages::OriginalCase>(message);
    if (!done.problem.empty())
      throw BaselineFailed(fmt::format("case '{}': {}", cases[index].name, done.problem));
    if (!done.wrong.empty()) {
      const Opinion opinion{done.guilty, done.finding};
      const std::string text = fmt::format(
          "case '{}': {}", cases[index].name,
          model::blame_text(opinion, done.wrong,
                            {.name = (job.folder / job.plan.variant_file("mutants.cl")).string(),
                             .inactive = ", without a mutant,",
                             .lost = "no mutant was run"}));
      if (model::is_finding(opinion.guilty))
        throw BaselineFailed(text);
      throw DeviceError(text);
    }
    if (index < original.reached.size())
      return; // a worker that was ended has sent that already
    original.deterministic = original.deterministic && done.deterministic;
    original.reached.push_back(from_hex(done.reached));
    add_bits(original.harm, from_hex(done.harm));
    build_seconds += done.first_seconds;
    start = Clock::now();
  };
  run_isolated({
      .cases = cases.size() + job.items.size(),
      .timeout = job.plan.timeout,
      .retry_lost = true,
      .work = [&](const WorkerChannel& channel,
                  std::size_t first) { work_on_mutants(job, channel, first); },
      .on_info =
          [&](const Json& info) {
            const auto known = received<messages::Device>(info);
            device = known.device;
            job.builds.optimised = known.optimised;
            if (!start)
              build_seconds = known.build_seconds;
            if (known.rejected) {
              rejected = *known.rejected;
              job.builds.pieces = known.pieces; // the next worker need not search
            }
          },
      .on_done =
          [&](std::size_t index, const Json& message) {
            if (index < cases.size())
              return original_done(index, message);
            ItemResult result = result_of(message, cases.size());
            // The worker that reports the outcome may have it from the worker that died.
            result.executed = result.executed || lost == index;
            if (!result.killed_by.empty())
              job.killers = result.killed_by;
            if (result.survivor)
              survivors.push_back({.item = index - cases.size(), .result = std::move(result)});
            else
              on_result(index - cases.size(), result);
          },
      .on_start =
          [&](std::size_t, const Json& detail) {
            in_flight = detail.is_null() ? messages::Start() : received<messages::Start>(detail);
          },
      .on_lost =
          [&](std::size_t index, Loss loss, const std::string& message, double took) {
            // Builds the original with optimisation, like the author's program, before it is
            // blamed.
            const std::optional<messages::Build>& build = in_flight.build;
            const bool is_quick = build ? build->quick : !job.builds.optimised;
            if (is_quick && loss != Loss::Disturbed && (build || index < cases.size())) {
              job.builds.optimised = true;
              return;
            }
            if (build)
              return note_loss(job.builds, build->sites, loss, message);
            if (index < cases.size() && loss == Loss::Disturbed)
              throw DeviceError(message);
            if (index < cases.size())
              throw BaselineFailed(fmt::format("case '{}': {}", cases[index].name, message));
            lost = index;
            job.lost.push_back(lost_outcome(in_flight.trial.value(), loss, message, took));
          },
  });
  if (!survivors.empty())
    check_survivors(job, survivors, on_result);
  if (start)
    seconds = model::seconds_since(*start);
}

} // namespace gputest::runtime
