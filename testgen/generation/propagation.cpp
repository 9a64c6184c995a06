// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/propagation.h"

#include "testgen/comparison/joint_questions.h"

#include <algorithm>

namespace gputest::testgen {
namespace {

constexpr double kShownSeconds = 2; // the limit of a mutant
constexpr std::size_t kMostStarts = 4, kStartItems = 64, kStartBytes = 16'384;

// The latest inputs first: they lead on.
std::vector<Input> weak_kills(const Kills& kills, const Goal& mutant, const InputSearch& search) {
  std::vector<Input> found;
  for (std::size_t i = search.valid().size(); i-- > 0 && found.size() < kMostStarts;) {
    const Input& input = search.valid()[i];
    if (search.outcomes()[i].has(kills.weak_bit(mutant)) && input.shape.items() <= kStartItems &&
        input.bytes() <= kStartBytes)
      found.push_back(input);
  }
  return found;
}

// Each argument is its own counterpart.
PairingSettings same_arguments(const Target& target) {
  PairingSettings settings;
  for (const KernelArgument& argument : target.arguments)
    settings.arguments.push_back(argument.name + "=" + argument.name);
  return settings;
}

void propagate_one(const Target& target, const Constraints& constraints, Kills& kills,
                   const Goal& mutant, InputSearch& search, Deadline until) {
  const std::vector<Input> starts = weak_kills(kills, mutant, search);
  if (starts.empty())
    return;
  Target changed = target;
  changed.original =
      ir::with_text(target.original, target.mutants->text_of(*mutant.mutant, target.original.text));
  const Pairing pairing(changed, target, constraints, same_arguments(target));
  JointSolver solver(changed, target, pairing);
  const JointAnswers answers = solver.ask(starts, until, [&](const Input& found) {
    if (!search.reached(mutant))
      search.offer(found);
  });
  if (answers.all && answers.asked > 0 && answers.asked == answers.excluded)
    kills.never_shows(mutant);
}

} // namespace

void propagate(const Target& target, const Constraints& constraints, Kills& kills,
               InputSearch& search, Deadline until) {
  for (const Goal& goal : kills.goals()) {
    if (search.reached(goal) || kills.dropped(goal) ||
        goal.mutant->kind != model::MutantKind::Switched || search.out_of_time())
      continue;
    search.tell("solving for mutants");
    propagate_one(target, constraints, kills, goal, search, until.within(kShownSeconds));
  }
}

} // namespace gputest::testgen
