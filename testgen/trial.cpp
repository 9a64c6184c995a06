// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/trial.h"

#include "runtime/cases/comparison.h"
#include "runtime/variants/mutation_launch.h"

#include <algorithm>

namespace gputest::testgen {
namespace {

using ir::Parameter;
using model::Mutant;

// Times the limit of the original's launch: all mutants are compared in one.
constexpr unsigned kComparingLimit = 10;

std::vector<std::uint64_t> memory_sizes(const Target& target, const Input& input) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const Parameter::Kind kind = target.arguments[i].kind;
    sizes.push_back(kind == Parameter::Kind::Buffer  ? input.arguments[i].bytes.size()
                    : kind == Parameter::Kind::Local ? input.arguments[i].local_size
                                                     : 0);
  }
  return sizes;
}

} // namespace

Trial::Trial(const Target& target, const model::MutantTable& table,
             const simulator::Program::Ready& ready, const simulator::Program::Ready* differences)
    : target_(target), table_(table), differences_(target.mutants->differences),
      launcher_(target, ready) {
  if (differences)
    comparing_.emplace(target, *differences);
}

bool Trial::begin(const Input& input, const Oracle& oracle, LaunchLimit limit) {
  input_ = input;
  oracle_ = oracle;
  state_ = runtime::make_mutant_state(table_, memory_sizes(target_, input));
  const std::span<std::byte> header = std::span(state_).first(runtime::kStateHeaderBytes);
  runtime::set_control(header, {.trace = true, .harm = runtime::harm_offset(table_)});
  if (launcher_.launch(input_, state_, limit).fault != Fault::None)
    return false;
  const std::span<const std::byte> after = launcher_.memory(target_.arguments.size());
  const runtime::Bytes left(after.begin(), after.end());
  reached_ = runtime::read_reached(left, table_);
  iterations_ = runtime::read_iterations(std::span(left).first(runtime::kStateHeaderBytes));
  const std::vector<std::uint32_t> harm = runtime::read_harm(left, table_);
  harmful_ = std::ranges::any_of(harm, [](std::uint32_t word) { return word != 0; });
  if (harmful_)
    std::memcpy(state_.data() + runtime::harm_offset(table_) * sizeof(std::uint32_t), harm.data(),
                harm.size() * sizeof(std::uint32_t));
  original_.assign(target_.arguments.size(), {});
  for (std::size_t i = 0; i < target_.arguments.size(); ++i) {
    const KernelArgument& argument = target_.arguments[i];
    const bool has_memory =
        argument.kind == Parameter::Kind::Buffer || argument.kind == Parameter::Kind::Image;
    if (has_memory && (oracle_.right.empty() ? argument.output : oracle_.right[i].has_value())) {
      const std::span<const std::byte> bytes = launcher_.memory(i);
      original_[i].assign(bytes.begin(), bytes.end());
    }
  }
  return look_for_differences(limit);
}

bool Trial::look_for_differences(LaunchLimit limit) {
  if (!comparing_)
    return true;
  const runtime::Bytes state(target_.mutants->bytes_of_differences());
  if (comparing_->launch(input_, state, limit.times(kComparingLimit)).fault != Fault::None)
    return false;
  different_.resize(differences_.words);
  if (!different_.empty())
    std::memcpy(different_.data(),
                comparing_->memory(target_.arguments.size()).data() + runtime::kStateHeaderBytes,
                different_.size() * sizeof(std::uint32_t));
  return true;
}

bool Trial::differs() const {
  for (std::size_t i = 0; i < original_.size(); ++i) {
    const std::span<const std::byte> actual = launcher_.memory(i);
    if (original_[i].empty() || std::ranges::equal(original_[i], actual))
      continue;
    const bool has_right = !oracle_.right.empty() && !oracle_.right[i]->empty();
    if (!runtime::compare(target_.arguments[i].type, has_right ? *oracle_.right[i] : original_[i],
                          actual, oracle_.tolerance)
             .equal())
      return true;
  }
  return false;
}

Fate Trial::judge(const Ended& ended, bool& fault) const {
  fault = ended.fault != Fault::None;
  if (ended.fault == Fault::Endless)
    return Fate::Endless;
  const std::span<const std::byte> header =
      launcher_.memory(target_.arguments.size()).first(runtime::kStateHeaderBytes);
  return fault || ended.harmful || runtime::read_notice(header, table_) || differs()
             ? Fate::Killed
             : Fate::Survived;
}

Fate Trial::run(const Mutant& mutant, LaunchLimit limit, bool& fault) {
  fault = false;
  bool is_different = true;
  Input input = input_;
  runtime::MutantControl control{.active = mutant.number,
                                 .budget = runtime::loop_budget(iterations_),
                                 .harm = harmful_ ? runtime::harm_offset(table_) : 0};
  if (mutant.kind == model::MutantKind::Switched) {
    if (!runtime::is_reached(reached_, mutant.site))
      return Fate::NotReached;
    if (const auto known = differences_.bits.find(mutant.number);
        known != differences_.bits.end()) {
      is_different = (different_[known->second.bit / 32] >> known->second.bit % 32 & 1) != 0;
      if (!is_different && known->second.proves)
        return Fate::Survived; // it would do the same as the original
    }
  } else {
    const gputest::Launch launch = runtime::launch_of(input_.shape);
    const auto changed = runtime::changed_launch(launch, mutant);
    if (!changed)
      return Fate::NotReached;
    if (!runtime::empty_dimension(*changed).empty())
      return Fate::Killed; // no device takes it
    input.shape = runtime::sizes_of(*changed);
    if (input.shape.items() > kMostItems || input.shape.items_of_group() > kMostItemsOfGroup)
      return Fate::NotReached;
    if (const auto& required = target_.interface.required_work_group_size)
      for (unsigned i = 0; i < input.shape.dimensions; ++i)
        if ((*required)[i] != input.shape.local[i])
          return Fate::Killed;
    if (input.shape.items_of_group() > target_.most_items_of_group())
      return Fate::Killed;
    control.active = 0;
    control.budget = runtime::loop_budget(iterations_, runtime::work_factor(launch, *changed));
  }
  runtime::set_control(std::span(state_).first(runtime::kStateHeaderBytes), control);
  const Fate fate = judge(launcher_.launch(input, state_, limit), fault);
  return fate == Fate::Survived && is_different ? Fate::Differed : fate;
}

} // namespace gputest::testgen
