// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/mutant_runner.h"

#include "model/clock.h"
#include "runtime/cases/comparison.h"
#include "runtime/variants/schedule_state.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::KillReason;

std::vector<std::size_t> positions_of(const std::vector<ExpectedOutput>& outputs) {
  std::vector<std::size_t> positions;
  for (const ExpectedOutput& output : outputs)
    positions.push_back(output.position);
  return positions;
}

KillReason reason_of(const model::Finding& finding) {
  if (finding.kind == "out_of_bounds" || finding.kind == "null_pointer")
    return KillReason::OutOfBounds;
  if (finding.kind == "division_by_zero")
    return KillReason::DivisionByZero;
  return finding.kind == "divergent_barrier" ? KillReason::DivergentBarrier : KillReason::Crash;
}

} // namespace

MutantRunner::MutantRunner(Machine& machine, const model::MutantTable& table, BoundCase test_case,
                           const std::string& kernel, std::vector<ExpectedOutput> outputs,
                           Property property)
    : table_(table), outputs_(std::move(outputs)), property_(std::move(property)),
      state_(make_mutant_state(table, argument_sizes(test_case.arguments))),
      ordered_launch_(with_local_size(test_case.launch, machine.largest_group())) {
  const bool orders = std::ranges::any_of(table.mutants, &model::Mutant::synchronisation);
  const std::size_t room =
      orders ? schedule_section_words(sizes_of(ordered_launch_)) * sizeof(std::uint32_t) : 0;
  memory_ =
      machine.repeat(std::move(test_case), kernel, positions_of(outputs_), state_.size() + room);
  memory_->write_state(0, state_);
}

void MutantRunner::write_order(unsigned order) {
  const model::Sizes sizes = sizes_of(ordered_launch_);
  const auto of = [&](std::uint64_t count) {
    return model::permutation(order_of(order), static_cast<std::uint32_t>(count));
  };
  const std::vector<std::uint32_t> words =
      schedule_section(sizes, fitted(sizes, of(sizes.group_count())), of(sizes.items_of_group()));
  memory_->write_state(state_.size(), std::as_bytes(std::span(words)));
  order_ = order;
}

double MutantRunner::run(PreparedKernel& kernel, MutantControl control, const Launch& launch,
                         unsigned order) {
  const auto start = std::chrono::steady_clock::now();
  if (order != 0 && order != order_)
    write_order(order);
  control.schedule =
      order == 0 ? 0 : static_cast<std::uint32_t>(state_.size() / sizeof(std::uint32_t));
  control.harm = control.trace || knows_harm_ ? harm_offset(table_) : 0;
  if (control.trace)
    state_ = make_mutant_state(table_, argument_sizes(test_case().arguments));
  const std::span<std::byte> words(state_.data(),
                                   control.trace ? state_.size() : kStateHeaderBytes);
  set_control(words.first(kStateHeaderBytes), control);
  try {
    kernel.run(order == 0 ? launch : ordered_launch_, words);
  } catch (const KernelFault& fault) {
    if (!fault.exhausted)
      throw;
    throw KernelFault(exhausted_text(control.budget), true); // nobody can read the state any more
  }
  return model::seconds_since(start);
}

std::optional<model::Finding> MutantRunner::fatal() const {
  auto finding = memory_->finding();
  return finding && finding->fatal ? finding : std::nullopt;
}

std::optional<MutantNotice> MutantRunner::event_notice() const {
  if (auto notice = read_notice(header(), table_))
    return notice;
  if (const auto finding = memory_->finding())
    return MutantNotice{reason_of(*finding), text_of(*finding)};
  if (std::string overrun = memory_->overrun(); !overrun.empty())
    return MutantNotice{KillReason::OutOfBounds, std::move(overrun)};
  return std::nullopt;
}

std::optional<MutantNotice> MutantRunner::notice() const {
  if (auto notice = event_notice())
    return notice;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (property_ && outputs_[i].right.empty())
      continue;
    std::string problem = judge(outputs_[i], memory_->test_case(), memory_->content(i));
    if (!problem.empty())
      return MutantNotice{KillReason::WrongOutput, std::move(problem)};
  }
  if (std::string problem = wrong_property(); !problem.empty())
    return MutantNotice{KillReason::WrongOutput, std::move(problem)};
  return std::nullopt;
}

// Outputs that equal the original's were found right before, so the property is not asked again.
std::string MutantRunner::wrong_property() const {
  if (!property_)
    return "";
  const auto is_original = [&](std::size_t i) {
    return std::ranges::any_of(outputs_[i].originals, [&](const Bytes& original) {
      return std::ranges::equal(original, memory_->content(i));
    });
  };
  bool all_original = true;
  BoundCase computed = memory_->test_case();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    all_original = all_original && is_original(i);
    const std::span<const std::byte> content = memory_->content(i);
    computed.arguments[outputs_[i].position].bytes.assign(content.begin(), content.end());
  }
  return all_original ? "" : wrong_with(property_, memory_->test_case(), computed);
}

std::optional<MutantNotice> MutantRunner::original_notice() const {
  if (has_oracle())
    return notice();
  if (auto notice = event_notice())
    return notice;
  const BoundCase& bound = memory_->test_case();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::size_t position = outputs_[i].position;
    if (is_entirely_nan(bound.types[position], memory_->content(i)))
      return MutantNotice{KillReason::WrongOutput, fmt::format("'{}' holds nothing but NaN",
                                                               bound.arguments[position].name)};
  }
  return std::nullopt;
}

std::string MutantRunner::unlike_originals() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (property_ && outputs_[i].right.empty())
      continue;
    std::string problem = judge_unmutated(outputs_[i], memory_->test_case(), memory_->content(i));
    if (!problem.empty())
      return problem;
  }
  return wrong_property();
}

std::vector<std::uint32_t> MutantRunner::reached() {
  return read_reached(state_, table_);
}

std::vector<std::uint32_t> MutantRunner::harm() {
  std::vector<std::uint32_t> harm = read_harm(state_, table_);
  const bool is_any = std::ranges::any_of(harm, [](std::uint32_t word) { return word != 0; });
  return is_any ? harm : std::vector<std::uint32_t>();
}

void MutantRunner::know_harm(const std::vector<std::uint32_t>& harm) {
  knows_harm_ = !harm.empty();
  if (knows_harm_)
    memory_->write_state(harm_offset(table_) * sizeof(std::uint32_t),
                         std::as_bytes(std::span(harm)));
}

bool MutantRunner::add_originals() {
  bool same = true;
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    same = add_original(outputs_[i], memory_->content(i)) && same;
  return same;
}

} // namespace gputest::runtime
