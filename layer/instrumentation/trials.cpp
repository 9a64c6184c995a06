// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/trials.h"

#include "runtime/variants/mutation_launch.h"
#include "runtime/variants/mutation_state.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>

namespace gputest::layer {
namespace {

using model::MutantKind;
using model::TrialResult;

// Whether the launch reaches the mutant, if it reaches these sites without one.
bool reaches(const RequestedLaunch& request, const std::vector<std::uint32_t>& sites,
             const model::Mutant& mutant) {
  if (mutant.kind == MutantKind::Switched)
    return runtime::is_reached(sites, mutant.site);
  return mutant.function == request.kernel && runtime::changed_launch(request.launch, mutant);
}

} // namespace

Trials::Trials(RunLog& log, const Settings& settings) : log_(log), settings_(settings) {
  for (std::size_t i = 0; i < settings.trials.size(); ++i)
    open_[settings.trials[i].stem].push_back(i);
}

std::byte& Trials::result(std::size_t index) {
  if (!results_) {
    const std::string file = log_.new_file_name();
    results_ = std::make_unique<MappedFile>(log_.folder() / file, settings_.trials.size());
    log_.write(runtime::TrialsEvent{file});
  }
  return results_->bytes()[index];
}

std::vector<std::size_t>& Trials::open(const std::string& stem) {
  std::vector<std::size_t>& all = open_[stem];
  std::erase_if(all, [&](std::size_t i) { return !is_open(i); });
  return all;
}

bool Trials::wants(const std::string& stem) {
  const std::lock_guard lock(mutex_);
  return !open(stem).empty();
}

// Returns whether the launch may reach a mutant that is still open. In another order it may reach
// other sites.
bool Trials::is_concerned(const std::string& stem, const RequestedLaunch& request,
                          const std::vector<std::uint32_t>& reached,
                          const model::MutantTable& table) {
  return std::ranges::any_of(open(stem), [&](std::size_t i) {
    const model::Trial& trial = settings_.trials[i];
    const model::Mutant* mutant = table.find(trial.mutant);
    return mutant && (trial.order != 0 || reaches(request, reached, *mutant));
  });
}

// Counts the time of a launch. A mutant that changes nothing is tried in each launch, so the mean
// of launches is its cost.
void Trials::count(const std::string& stem, double seconds) {
  const auto most = settings_.trial_seconds.find(stem);
  if (most == settings_.trial_seconds.end())
    return;
  Cost& cost = costs_[stem];
  cost.seconds += seconds;
  const double mean = cost.seconds / static_cast<double>(++cost.launches);
  if (mean > most->second)
    throw std::runtime_error("making its launches again takes longer than it saves");
}

void Trials::look(const Instrumentation& instrumentation, const RequestedLaunch& request,
                  const std::string& stem, const Make& make) {
  const std::lock_guard lock(mutex_);
  const model::MutantTable& table = *instrumentation.mutants();
  std::map<unsigned, Original> originals; // by order
  const auto original = [&](unsigned order) -> const Original& {
    const auto [known, is_new] = originals.try_emplace(order);
    if (is_new) {
      const Made traced = make(instrumentation.trial(request, nullptr, order, true));
      if (order == 0) {
        if (!traced.launched)
          throw std::runtime_error("the device does not make it again");
        expected_ = traced.memory;
      }
      known->second = {runtime::read_reached(traced.state, table),
                       traced.launched && traced.memory == expected_};
    }
    return known->second;
  };
  // Writes outside of the arguments would neither be seen nor put back.
  if (settings_.harm.contains(request.label))
    throw std::runtime_error("it does harm by itself");
  if (!is_concerned(stem, request, original(0).reached, table))
    return;
  const auto start = std::chrono::steady_clock::now();
  const Made again = make(instrumentation.trial(request, nullptr, 0, false));
  if (!again.launched)
    throw std::runtime_error("the device does not make it again");
  if (again.memory != expected_)
    throw std::runtime_error("it does not leave the same each time");
  count(stem, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  for (const std::size_t i : std::vector(open(stem))) {
    const model::Trial& trial = settings_.trials[i];
    const model::Mutant* mutant = table.find(trial.mutant);
    if (!mutant)
      continue;
    const Original& without = original(trial.order);
    if (!without.is_same)
      set(i, TrialResult::Differs);
    else if (reaches(request, without.reached, *mutant)) {
      set(i, TrialResult::Begun);
      set(i, judge(i, make(instrumentation.trial(request, mutant, trial.order, false)),
                   instrumentation));
    }
  }
}

TrialResult Trials::judge(std::size_t index, const Made& made,
                          const Instrumentation& instrumentation) {
  if (!made.launched)
    return TrialResult::Differs;
  const auto notice = runtime::read_notice(std::span(made.state).first(runtime::kStateHeaderBytes),
                                           *instrumentation.mutants());
  if (notice) {
    log_.write(runtime::TrialNoticedEvent{index, notice->reason, notice->detail});
    return TrialResult::Noticed;
  }
  return made.memory == expected_ ? TrialResult::Nothing : TrialResult::Differs;
}

void Trials::give_up(const std::string& stem, const std::string& label, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < settings_.trials.size(); ++i)
    if (settings_.trials[i].stem == stem && result(i) != std::byte(TrialResult::Noticed))
      set(i, TrialResult::Differs);
  if (told_.insert(label + reason).second)
    log_.write(runtime::UntriedEvent{label, reason});
}

} // namespace gputest::layer
