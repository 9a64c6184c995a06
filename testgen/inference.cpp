#include "testgen/inference.h"

#include <algorithm>

namespace gputest::testgen {
namespace {

using simulator::Parameter;

constexpr std::size_t kLaunches = 48;           // that sizes are inferred from
constexpr std::size_t kMostEndlessLaunches = 4; // launches that do not end; then inference stops
// Variations that a finding is explained by: many findings share what two have.
constexpr std::size_t kVariations = 64, kFewestVariations = 16;

} // namespace

void infer_sizes(const Target& target, const Constraints& constraints, Mutator& mutator,
                 Fuzzer& fuzzer, Worker& worker, Inferred& inferred) {
  const Features features(target);
  inferred.sizes.resize(target.arguments.size());
  std::vector<std::vector<Sample>> samples(target.arguments.size());
  const std::vector<Shape>& shapes = mutator.shapes();
  std::size_t endless = 0;
  for (std::size_t i = 0; i < kLaunches; ++i) {
    // Half of the launches have scalars that are sizes of the launch, so that guards let all
    // work-items pass.
    Input input = mutator.fresh(shapes[i % shapes.size()], i % 2 == 0);
    for (std::size_t k = 0; k < target.arguments.size(); ++k)
      if (const auto kind = target.arguments[k].kind;
          (kind == Parameter::Kind::Buffer || kind == Parameter::Kind::Local) &&
          !constraints.has_size(k))
        mutator.resize(input, k, 1);
    if (fuzzer.out_of_time() || endless == kMostEndlessLaunches)
      break;
    Outcome outcome = worker.run(input);
    const auto large = fuzzer.grown(input, outcome);
    if (outcome.fault == Fault::Endless) {
      ++endless;
      mutator.be_careful();
    }
    if (!large || outcome.fault != Fault::None || outcome.harmful)
      continue;
    for (std::size_t k = 0; k < target.arguments.size(); ++k) {
      const KernelArgument& argument = target.arguments[k];
      const std::size_t bytes = argument.kind == Parameter::Kind::Local
                                    ? large->arguments[k].local_size
                                    : large->arguments[k].bytes.size();
      samples[k].push_back(
          {features.of(*large),
           static_cast<std::int64_t>(bytes / std::max<std::size_t>(argument.type.size, 1))});
    }
  }
  for (std::size_t k = 0; k < target.arguments.size(); ++k) {
    const auto kind = target.arguments[k].kind;
    if ((kind != Parameter::Kind::Buffer && kind != Parameter::Kind::Local) ||
        constraints.has_size(k))
      continue;
    // If a guard stops all work-items, one element is enough, which says nothing about the size.
    std::erase_if(samples[k], [](const Sample& sample) { return sample.number <= 1; });
    inferred.sizes[k] = smallest_bound(features, samples[k]);
    if (!inferred.sizes[k])
      inferred.unknown.push_back(k);
  }
}

void explain(const Target& target, const Constraints& constraints, Mutator& mutator, Fuzzer& fuzzer,
             Worker& worker, std::vector<Guard>& guards) {
  const Features features(target);
  for (const auto& [key, found] : fuzzer.found()) // if no time is left, guards have no conditions
    guards.push_back({.finding = found.finding});
  const std::size_t variations = std::clamp(
      2 * kVariations / std::max<std::size_t>(guards.size(), 1), kFewestVariations, kVariations);
  std::size_t at = 0;
  for (const auto& [key, found] : fuzzer.found()) {
    std::vector<Sample> samples;
    const auto look = [&](Input input) {
      Outcome outcome = worker.run(input);
      if (const auto larger = fuzzer.grown(input, outcome))
        input = *larger;
      if (outcome.fault != Fault::None || !constraints.hold(target, input))
        return;
      const Checked checked = worker.check(input);
      if (checked.fault != Fault::None)
        return;
      const bool has = std::ranges::any_of(checked.findings, [&](const simulator::Finding& other) {
        return other.kind == key.first && other.site.line == key.second;
      });
      samples.push_back({features.of(input), has ? 1 : 0});
    };
    look(found.example);
    for (std::size_t i = 0; i < variations && !fuzzer.out_of_time(); ++i) {
      Input input = i % 4 == 3 && !fuzzer.valid().empty()
                        ? fuzzer.valid()[i % fuzzer.valid().size()]
                        : found.example;
      const Input lender =
          mutator.plain(mutator.shapes()[mutator.random().below(mutator.shapes().size())]);
      if (i % 2 == 0)
        input.shape = lender.shape;
      for (std::size_t k = 0; k < target.arguments.size(); ++k)
        if (target.arguments[k].is_integer() && (i % 4 == 0 || mutator.random().once_in(2)))
          input.arguments[k] = lender.arguments[k];
      mutator.set_sizes(input, true);
      look(std::move(input));
    }
    guards[at].condition = separating_condition(features, samples);
    guards[at++].always =
        std::ranges::all_of(samples, [](const Sample& sample) { return sample.number != 0; });
  }
}

} // namespace gputest::testgen
