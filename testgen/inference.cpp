// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inference.h"

#include "testgen/concolic/inputs.h"
#include "testgen/inputs/condition.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace gputest::testgen {
namespace {

using ir::Parameter;

constexpr std::size_t kLaunches = 48;           // that sizes are inferred from
constexpr std::size_t kMostEndlessLaunches = 4; // launches that do not end; then inference stops
// Variations that a finding is explained by: many findings share what two have.
constexpr std::size_t kVariations = 64, kFewestVariations = 16;

} // namespace

void infer_sizes(const Target& target, const Constraints& constraints, Mutator& mutator,
                 InputSearch& search, Worker& worker, Inferred& inferred) {
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
    if (search.out_of_time() || endless == kMostEndlessLaunches)
      break;
    Outcome outcome = worker.try_run(input);
    const auto large = search.grown(input, outcome);
    if (outcome.fault == Fault::Endless) {
      ++endless;
      mutator.be_careful();
    }
    if (!large || outcome.fault != Fault::None || outcome.harmful)
      continue;
    for (std::size_t k = 0; k < target.arguments.size(); ++k) {
      samples[k].push_back({features.of(*large), static_cast<std::int64_t>(elements_of(
                                                     target.arguments[k], large->arguments[k]))});
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

void keep_sizes_of(const Target& target, const Input& input, Inferred& inferred) {
  const std::vector<std::int64_t> features = Features(target).of(input);
  for (std::size_t k = 0; k < inferred.sizes.size(); ++k)
    if (const auto& size = inferred.sizes[k];
        size && !input.arguments[k].is_null &&
        std::max<std::int64_t>(size->evaluate(features), 1) !=
            static_cast<std::int64_t>(elements_of(target.arguments[k], input.arguments[k]))) {
      inferred.sizes[k].reset();
      inferred.unknown.push_back(k);
    }
}

namespace {

using Key = std::pair<std::string, unsigned>; // a finding's kind and line

class Explainer {
public:
  Explainer(const Target& target, const Constraints& constraints, Mutator& mutator,
            InputSearch& search, Worker& worker)
      : target_(target), constraints_(constraints), mutator_(mutator), search_(search),
        worker_(worker), nullable_(nullable(target, constraints)), features_(target, nullable_),
        seen_(search.seen()) {}

  // Runs variations of the finding's input: what the inputs with the finding have in common.
  void vary(const Input& example, std::size_t variations) {
    look(example);
    for (std::size_t i = 0; i < variations && !search_.out_of_time(); ++i) {
      Input input = i % 4 == 3 && !search_.valid().empty()
                        ? search_.valid()[i % search_.valid().size()]
                        : example;
      const Input lender =
          mutator_.plain(mutator_.shapes()[mutator_.random().below(mutator_.shapes().size())]);
      if (i % 2 == 0)
        input.shape = lender.shape;
      for (std::size_t k = 0; k < target_.arguments.size(); ++k)
        if (target_.arguments[k].is_integer() && (i % 4 == 0 || mutator_.random().once_in(2)))
          input.arguments[k] = lender.arguments[k];
      for (const std::size_t k : nullable_)
        if (mutator_.random().once_in(4))
          mutator_.set_null(input, k, !input.arguments[k].is_null);
      mutator_.set_sizes(input, true);
      look(std::move(input));
    }
    check_all();
  }

  // Returns the condition that separates all inputs that were seen, after inputs around its limits
  // have not refuted it. Those that do lead to another one.
  std::string condition(const Key& key, const Input& example) {
    for (unsigned round = 0; round < kRounds && !search_.out_of_time(); ++round) {
      const auto condition = separating_condition(features_, samples(key));
      if (!condition)
        return "";
      const std::size_t before = seen_.size();
      for (const Comparison& comparison : condition->all)
        look_around(comparison, example);
      vary(example, kVariationsOfRound);
      // What the condition says nothing about may matter after all.
      look_along(round == 0 ? example : another_with(*condition).value_or(example));
      check_all();
      if (seen_.size() >= before + kFewestOfRound && separates(*condition, samples(key)))
        return condition->text(features_);
    }
    return "";
  }

  bool is_always(const Key& key) const {
    return std::ranges::all_of(seen_,
                               [&](const Seen& seen) { return seen.findings.contains(key); });
  }

private:
  static constexpr unsigned kRounds = 8;
  static constexpr std::size_t kVariationsOfRound = 8, kFewestOfRound = 8;

  std::vector<Sample> samples(const Key& key) const {
    std::vector<Sample> all;
    for (const Seen& seen : seen_)
      all.push_back({seen.features, seen.findings.contains(key) ? 1 : 0});
    return all;
  }

  // Inputs in which the two sides are equal, or differ by one.
  void look_around(const Comparison& comparison, const Input& example) {
    std::vector<Input> bases{example};
    for (std::size_t i = 0; i < 2; ++i) // others with what each varies
      bases.push_back(
          mutator_.plain(mutator_.shapes()[mutator_.random().below(mutator_.shapes().size())]));
    for (const Input& base : bases)
      for (const std::int64_t by : {-1, 0, 1}) {
        const std::int64_t value = comparison.right_value(features_.of(base)) + by;
        Input input = base;
        if (change(input, comparison.left, value))
          look(input);
        input = base;
        if (comparison.right.size() == 1 &&
            change(input, comparison.right.front(), features_.of(base)[comparison.left] + by))
          look(input);
      }
  }

  // Inputs that differ in one number of the launch.
  void look_along(const Input& base) {
    for (std::size_t feature = 0; feature < features_.names.size(); ++feature) {
      const std::int64_t now = features_.of(base)[feature];
      std::set<std::int64_t> values{0, 1, 2, 3, 5, 9, 17, now / 2, 2 * now + 1};
      values.erase(now);
      const Features::Place::Kind kind = features_.places[feature].kind;
      if (kind == Features::Place::Kind::Scalar)
        values.insert({-1, 4, 7, 31});
      else if (kind == Features::Place::Kind::Null)
        values = {1 - now};
      for (const std::int64_t value : values) {
        Input input = base;
        if (!search_.out_of_time() && change(input, feature, value))
          look(std::move(input));
      }
    }
  }

  std::optional<Input> another_with(const Condition& condition) {
    constexpr unsigned kMost = 64;
    for (unsigned i = 0; i < kMost; ++i) {
      Input input =
          mutator_.plain(mutator_.shapes()[mutator_.random().below(mutator_.shapes().size())]);
      if (condition.holds(features_.of(input)))
        return input;
    }
    return std::nullopt;
  }

  bool change(Input& input, std::size_t feature, std::int64_t value) {
    using Kind = Features::Place::Kind;
    const Kind kind = features_.places[feature].kind;
    if (kind == Kind::Null && (value == 0 || value == 1)) {
      mutator_.set_null(input, features_.places[feature].argument, value == 1);
      mutator_.set_sizes(input, true);
      return true;
    }
    if (kind != Kind::Scalar &&
        (!constraints_.shapes.empty() ||
         (kind != Kind::Groups && target_.interface.required_work_group_size)))
      return false;
    if (!features_.set(input, feature, value) || input.shape.items() > kMostItems ||
        !target_.takes_group_of(input.shape.items_of_group()))
      return false;
    mutator_.set_sizes(input, true);
    return true;
  }

  // Checks all inputs that wait by one message.
  void check_all() {
    const std::vector<Input> inputs = std::exchange(unchecked_, {});
    const std::vector<Checked> all =
        inputs.empty() ? std::vector<Checked>() : worker_.check(inputs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].fault != Fault::None)
        continue;
      Seen& seen = seen_.emplace_back(Seen{features_.of(inputs[i]), {}});
      for (const simulator::Finding& finding : all[i].findings)
        seen.findings.emplace(finding.kind, finding.site.line);
    }
  }

  void look(Input input) {
    mutator_.obey(input, true);
    Outcome outcome = worker_.try_run(input);
    if (const auto larger = search_.grown(input, outcome))
      input = *larger;
    if (outcome.fault == Fault::None && constraints_.hold(target_, input))
      unchecked_.push_back(std::move(input));
  }

  const Target& target_;
  const Constraints& constraints_;
  Mutator& mutator_;
  InputSearch& search_;
  Worker& worker_;
  std::vector<std::size_t> nullable_; // positions
  Features features_;
  std::vector<Seen> seen_;
  std::vector<Input> unchecked_; // their findings are not in `seen_` yet
};

} // namespace

void explain(const Target& target, const Constraints& constraints, Mutator& mutator,
             InputSearch& search, Worker& worker, std::vector<Guard>& guards) {
  for (const auto& [key, found] : search.found()) // if no time is left, guards have no conditions
    guards.push_back({.finding = found.finding});
  const std::size_t variations = std::clamp(
      2 * kVariations / std::max<std::size_t>(guards.size(), 1), kFewestVariations, kVariations);
  Explainer explainer(target, constraints, mutator, search, worker);
  for (const auto& [key, found] : search.found())
    explainer.vary(found.example, variations);
  for (std::size_t at = 0; const auto& [key, found] : search.found()) {
    guards[at].condition = explainer.condition(key, found.example);
    if (guards[at].condition.empty() && key.first == "null_pointer" &&
        !found.finding.object.empty())
      guards[at].condition = fmt::format("{} == NULL", found.finding.object);
    guards[at++].always = explainer.is_always(key);
  }
}

} // namespace gputest::testgen
