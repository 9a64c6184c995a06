// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/survivor_runner.h"

#include "gputest/error.h"
#include "model/clock.h"
#include "runtime/analyses/mutation/outcomes.h"
#include "runtime/analyses/mutation/survivor_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {
namespace {

using messages::ItemResult;
using model::Mutant;
using store::Outcome;

class SurvivorRunner {
public:
  SurvivorRunner(const MutationJob& job, std::span<const SurvivorItem> survivors,
                 const WorkerChannel& channel)
      : job_(job), survivors_(survivors), channel_(channel), baselines_(job.baseline.load()),
        outcomes_(job.use_store ? std::optional(mutation_plan(job.plan).store) : std::nullopt,
                  mutation_plan(job.plan).fresh),
        checks_(job.plan, job.table, job.folder), not_simulated_(job.not_simulated) {}

  void run(std::size_t first) {
    channel_.phase("the simulator");
    if (not_simulated_.empty())
      expect(first);
    for (index_ = first; index_ < survivors_.size(); ++index_)
      channel_.done(index_, checked(survivors_[index_]));
  }

private:
  const Mutant& mutant_of(const SurvivorItem& survivor) const {
    return *job_.items[survivor.item].mutant;
  }

  void expect(std::size_t first) {
    std::vector<const Mutant*> mutants;
    for (const SurvivorItem& survivor : survivors_.subspan(first)) {
      const auto& [program, cases] = survivor.result.survivor.value();
      const std::string& id = mutant_of(survivor).id;
      if (!job_.losses.unchecked.contains(id) && !job_.losses.apart.contains(id) &&
          std::ranges::any_of(cases, [&](std::size_t test_case) {
            return !known(mutant_of(survivor), program, test_case);
          }))
        mutants.push_back(&mutant_of(survivor));
    }
    checks_.expect(mutants);
  }

  bool is_over() const { return job_.end && std::chrono::steady_clock::now() >= *job_.end; }

  const Outcome* known(const Mutant& mutant, const std::string& program, std::size_t test_case) {
    return outcomes_.find(checks_.key(program, mutant), mutant.id, baselines_[test_case].content,
                          "");
  }

  ItemResult checked(const SurvivorItem& survivor) {
    const auto start = std::chrono::steady_clock::now();
    const Mutant& mutant = mutant_of(survivor);
    ItemResult result = survivor.result;
    const auto& [program, cases] = survivor.result.survivor.value();
    const auto lost = job_.losses.unchecked.find(mutant.id);
    try {
      for (const std::size_t test_case : cases) {
        const Outcome* const outcome = known(mutant, program, test_case);
        if (!outcome && lost != job_.losses.unchecked.end())
          result.unchecked = lost->second;
        else if (!outcome && !not_simulated_.empty())
          result.unchecked = not_simulated_;
        if (!result.unchecked.empty())
          break;
        if (!outcome && is_over()) {
          result = not_run(result);
          break;
        }
        result.executed = result.executed || !outcome;
        if (const auto noticed = outcome ? notice_of(*outcome) : look(mutant, program, test_case)) {
          result.verdict = model::Verdict::Killed;
          result.reason = noticed->reason;
          result.detail = noticed->detail;
          result.order.clear();
          result.killed_by = {test_case};
          break;
        }
      }
    } catch (const OriginalNotSimulated& error) {
      not_simulated_ = result.unchecked = error.what();
      channel_.info(not_simulated_);
    }
    result.survivor.reset();
    result.wall = survivor.result.wall + model::seconds_since(start);
    return result;
  }

  // The check may still kill it, so a survivor of the device is none yet.
  static ItemResult not_run(const ItemResult& on_device) {
    ItemResult result;
    result.verdict = model::Verdict::NotRun;
    result.detail = fmt::format("{} on the device, and the time limit was over before the "
                                "simulator's check of it",
                                model::name_of(on_device.verdict));
    result.executed = on_device.executed;
    return result;
  }

  static std::optional<MutantNotice> notice_of(const Outcome& outcome) {
    return outcome.reason ? std::optional(MutantNotice{*outcome.reason, outcome.detail})
                          : std::nullopt;
  }

  std::optional<MutantNotice> look(const Mutant& mutant, const std::string& program,
                                   std::size_t test_case) {
    const CaseBaseline& baseline = baselines_[test_case];
    const auto start = std::chrono::steady_clock::now();
    const auto begin = [&](std::vector<std::string> together = {}) {
      channel_.start(index_, checks_.limit(),
                     messages::SurvivorStart{.mutant = mutant.id, .together = std::move(together)});
    };
    std::optional<MutantNotice> notice;
    if (std::vector<std::string> together = checks_.together(mutant); !together.empty()) {
      begin(std::move(together));
      checks_.share(mutant);
    }
    begin();
    try {
      checks_.build(mutant);
      notice = checks_.run(
          mutant, {.index = test_case, .iterations = baseline.iterations, .harm = baseline.harm});
    } catch (const OriginalNotSimulated&) {
      throw;
    } catch (const Error& error) {
      channel_.lose(error.what());
    }
    Outcome outcome{.mutant = mutant.id, .test_case = baseline.content, .runs = 1};
    if (notice) {
      outcome.verdict = model::Verdict::Killed;
      outcome.noticed = 1;
      outcome.reason = notice->reason;
      outcome.detail = notice->detail;
    }
    outcome.seconds = model::seconds_since(start);
    outcomes_.put(checks_.key(program, mutant), outcome);
    return notice;
  }

  const MutationJob& job_;
  std::span<const SurvivorItem> survivors_;
  const WorkerChannel& channel_;
  std::vector<CaseBaseline> baselines_;
  OutcomeCache outcomes_;
  SurvivorChecks checks_;
  std::string not_simulated_; // why survivors do not run; empty: they do
  std::size_t index_ = 0;     // of the channel
};

} // namespace

void work_on_survivors(const MutationJob& job, std::span<const SurvivorItem> survivors,
                       const WorkerChannel& channel, std::size_t first) {
  SurvivorRunner(job, survivors, channel).run(first);
}

} // namespace gputest::runtime
