// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/verification.h"

#include "gputest/error.h"
#include "model/mutation/progress.h"
#include "model/mutation/sample.h"
#include "runtime/analyses/mutation/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::Mutant;

std::vector<const Mutant*> sample_of(std::vector<const Mutant*> mutants, const MutationPlan& plan) {
  std::erase_if(mutants, [](const Mutant* mutant) {
    return mutant->kind != model::MutantKind::Switched || mutant->ignored || mutant->equivalent ||
           !mutant->duplicate_of.empty();
  });
  return *plan.verify == 0 ? mutants : model::draw(std::move(mutants), *plan.verify, plan.seed);
}

std::string text_of(const ItemResult& result) {
  return fmt::format("{}{}", model::name_of(result.verdict),
                     result.reason ? fmt::format(" ({})", model::name_of(*result.reason)) : "");
}

} // namespace

int verify_mutants(const Plan& plan, const KernelDescription& description,
                   const DeviceMutants& device, const std::vector<const Mutant*>& mutants) {
  const std::vector<const Mutant*> sample = sample_of(mutants, mutation_plan(plan));
  MutationJob job{.plan = plan,
                  .description = description,
                  .folder = device.folder,
                  .table = device.table,
                  .use_store = false,
                  .not_simulated = "programs are compared"};
  for (const Route route : {Route::Combined, Route::Alone})
    for (const Mutant* mutant : sample)
      job.items.push_back({mutant, route});
  std::vector<ItemResult> results(job.items.size());
  MutationSession session;
  model::MutationProgress progress(plan.name, job.items.size());
  progress.building();
  session.run(job, [&](std::size_t item, const ItemResult& result) {
    results[item] = result;
    progress.add(result.verdict, true);
  });
  progress.clear();
  if (!session.rejected.empty())
    throw DeviceError(
        fmt::format("{} does not build {}, so there is nothing to compare with\n{}", session.device,
                    (device.folder / plan.variant_file("mutants.cl")).string(), session.rejected));

  double combined = session.build_seconds, alone = 0;
  std::size_t differing = 0, races = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const ItemResult &one = results[i], &other = results[sample.size() + i];
    combined += one.wall;
    alone += other.wall;
    if (one.verdict == other.verdict)
      continue;
    // A race need not get the same verdict in the next run.
    const bool race = sample[i]->synchronisation || one.verdict == model::Verdict::Undecided ||
                      other.verdict == model::Verdict::Undecided;
    ++(race ? races : differing);
    fmt::print("{} ({}): combined {}, alone {}\n", mutant_text(*sample[i]), sample[i]->id,
               text_of(one), text_of(other));
    for (const ItemResult* result : {&one, &other})
      if (!result->detail.empty())
        fmt::print("  {}\n", result->detail);
  }
  fmt::print("{} mutants: combined {:.2f} s ({:.2f} s of it to build), alone {:.2f} s, ratio "
             "{:.1f}\n",
             sample.size(), combined, session.build_seconds, alone,
             combined > 0 ? alone / combined : 0);
  if (*mutation_plan(plan).verify != 0)
    fmt::print("a sample of {} mutants, seed {}\n", sample.size(), mutation_plan(plan).seed);
  fmt::print("{}: {} of {} verdicts differ{}\n", plan.name, differing, sample.size(),
             races == 0 ? "" : fmt::format("; {} more by a race", races));
  return differing == 0 ? 0 : 1;
}

} // namespace gputest::runtime
