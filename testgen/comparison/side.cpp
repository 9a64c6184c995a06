// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/side.h"

#include "model/coverage.h"
#include "testgen/inputs/case_file.h"

#include <algorithm>

namespace gputest::testgen {
namespace {

// For a goal. The solver ends before that, by its steps.
constexpr double kSecondsOfGoal = 5;
constexpr std::size_t kMostInVain = 6; // goals that the solver does not reach

Constraints limited(const Target& target, const InputSettings& settings,
                    const std::vector<Shape>& shapes) {
  Constraints constraints = constraints_of(target, settings);
  if (constraints.shapes.empty())
    constraints.shapes = shapes;
  std::erase_if(constraints.shapes,
                [&](const Shape& shape) { return !target.takes_group_of(shape.items_of_group()); });
  return constraints;
}

} // namespace

Side::Side(const Target& what, const InputSettings& settings, const std::vector<Shape>& shapes,
           LaunchLimit limit, const InputSearch::Report& report)
    : target(what), constraints(limited(target, settings, shapes)), compiled(target),
      kernels(compiled.kernels()), worker(target, kernels, limit),
      mutator(target, constraints, settings.seed),
      goals(goals_of(target.sites, {model::kCriteria.begin(), model::kCriteria.end()})),
      search(target, constraints, goals, nullptr, mutator, worker, report) {}

void Side::add_mutants(std::shared_ptr<const MutantProgram> mutants, Deadline until) {
  target.mutants = std::move(mutants);
  compiled.add_mutants();
  kernels = compiled.kernels({}, until);
  if (!kernels.mutants)
    return;
  worker.use(kernels);
  kills.emplace(target, *target.mutants, worker, tolerance_of(target));
  for (const Goal& goal : kills->goals())
    if (goal.mutant->kind != model::MutantKind::Switched) // no change of what a work-item computes
      kills->drop(goal);
  if (director_)
    director_.emplace(target, constraints); // its process knows the target as it was
}

void Side::infer() {
  infer_sizes(target, constraints, mutator, search, worker, inferred);
  mutator.sizes = inferred.sizes;
  mutator.sizes.resize(target.arguments.size());
}

void Side::fuzz(std::uint64_t without_progress) {
  search.run(without_progress);
}

void Side::solve(Deadline until) {
  if (!director_)
    director_.emplace(target, constraints);
  ask_about(goals, until, "solving");
}

void Side::hunt(std::uint64_t without_progress, Deadline until) {
  if (!kills)
    return;
  search.add_kills(*kills);
  search.hunt(without_progress);
  if (target.mutants->differences.text.empty() || !director_)
    return;
  std::vector<Goal> wanted;
  for (const Goal& goal : kills->goals())
    if (!kills->dropped(goal) && kills->never_differed(goal))
      wanted.push_back(goal);
  ask_about(wanted, until, "solving for mutants");
}

void Side::ask_about(const std::vector<Goal>& wanted, Deadline until, const char* doing) {
  std::size_t in_vain = 0;
  for (const Goal& goal : wanted) {
    if (until.over() || in_vain == kMostInVain)
      return;
    if (search.reached(goal))
      continue;
    search.tell(doing);
    in_vain += !director_->ask(goal, search, until, kSecondsOfGoal, Effort::Briefly).reached;
  }
}

void Side::set_deadline(Deadline until) {
  worker.set_deadline(until);
  search.set_deadline(until);
}

void Side::fit_own_memory(Input& input, const std::function<bool(std::size_t)>& is_own) {
  const std::vector<std::int64_t> features = Features(target).of(input);
  bool any = false;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    if (!is_own(i))
      continue;
    any = true;
    if (const auto size = constraints.size(target, input, i))
      mutator.resize(input, i, *size);
    else if (i < mutator.sizes.size() && mutator.sizes[i])
      mutator.resize(input, i,
                     static_cast<std::size_t>(std::clamp<std::int64_t>(
                         mutator.sizes[i]->evaluate(features), 1, kMostBytes)));
  }
  if (!any)
    return;
  Outcome outcome = worker.run(input);
  if (!outcome.outside || outcome.fault != Fault::None)
    return;
  const auto larger = search.grown(input, outcome);
  if (!larger)
    return;
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    if (is_own(i))
      input.arguments[i] = larger->arguments[i];
}

std::size_t Side::reached() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(goals, [&](const Goal& goal) { return search.reached(goal); }));
}

std::size_t Side::killed() const {
  return !kills ? 0
                : static_cast<std::size_t>(std::ranges::count_if(
                      kills->goals(), [&](const Goal& goal) { return search.reached(goal); }));
}

std::size_t Side::mutants() const {
  return !kills ? 0
                : static_cast<std::size_t>(std::ranges::count_if(
                      kills->goals(), [&](const Goal& goal) { return !kills->dropped(goal); }));
}

} // namespace gputest::testgen
