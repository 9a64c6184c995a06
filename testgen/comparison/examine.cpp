// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/examine.h"

#include "runtime/cases/scalar.h"
#include "testgen/comparison/rounding.h"

#include <array>
#include <fmt/format.h>

namespace gputest::testgen {
namespace {

using Unlike = KernelDifference::Kind;

constexpr std::size_t kMostDifferences = 4'096; // scalars of one argument
constexpr std::uint64_t kOrders = 3;

std::string finding_text(const simulator::Finding& finding) {
  return fmt::format("{}: {}: {}", place_text(finding.site), finding.kind, finding.message);
}

} // namespace

bool Examiner::is_own(std::size_t argument) const {
  return !pairing_.second_of()[argument] &&
         first_.target.arguments[argument].kind == ir::Parameter::Kind::Local;
}

std::optional<Input> Examiner::input_of_first(const Input& input) {
  std::optional<Input> ours = pairing_.to_first(input);
  if (ours && pairing_.first_has_local())
    first_.fit_own_memory(*ours, [&](std::size_t i) { return is_own(i); });
  return ours;
}

std::string Examiner::why_left_out(Fault fault, bool late) {
  return fault != Fault::Endless ? "the second kernel ends its process"
         : late                  ? "the clock has ended the second kernel"
                                 : "the second kernel does not end";
}

Examiner::Looked Examiner::looked_at(const Input& input) {
  const Checked right = second_.worker.check(input);
  if (!right.valid())
    return {.left_out = right.fault == Fault::Endless || right.findings.empty()
                            ? why_left_out(right.fault, right.late)
                            : "the second kernel: " + finding_text(right.findings.front())};
  note_written(input, right.after);
  const std::optional<Input> ours = input_of_first(input);
  if (!ours)
    return {.left_out = "the first kernel cannot get the input"};
  const Checked checked = first_.worker.check(*ours);
  if (checked.fault == Fault::Endless && has_large_numbers(input))
    return {.left_out = "the first kernel takes too long, with large numbers"};
  if (!checked.valid()) {
    KernelDifference difference = fault_of(checked);
    if (difference.kind == Unlike::Endless && checked.late) // on a faster machine, it may end
      return {.left_out = "the clock has ended the first kernel"};
    return {.difference = std::move(difference)};
  }
  return looked_at_outputs(input, checked.after, right.after, Unlike::Output);
}

void Examiner::note_written(const Input& input, const std::vector<runtime::Bytes>& after) {
  for (std::size_t i = 0; i < after.size() && !has_written_; ++i)
    has_written_ = second_.target.arguments[i].output && after[i] != input.arguments[i].bytes;
}

bool Examiner::has_large_numbers(const Input& input) const {
  constexpr std::uint64_t kLarge = 1 << 16;
  for (std::size_t i = 0; i < second_.target.arguments.size(); ++i) {
    const KernelArgument& argument = second_.target.arguments[i];
    const runtime::Bytes& bytes = input.arguments[i].bytes;
    const std::size_t element = argument.element_size();
    for (std::size_t at = 0; at + element <= bytes.size(); at += element)
      for (const model::Leaf& leaf : argument.leaves)
        if (!model::is_floating(leaf.scalar)) {
          const std::uint64_t number =
              runtime::read_integer(leaf.scalar, bytes.data() + at + leaf.offset);
          if (number >= kLarge && ~number >= kLarge)
            return true;
        }
  }
  return false;
}

bool Examiner::has_usual_numbers(const Input& input) const {
  const std::uint64_t most = input.bytes() + input.shape.items();
  for (std::size_t i = 0; i < second_.target.arguments.size(); ++i)
    if (const KernelArgument& argument = second_.target.arguments[i];
        argument.kind == ir::Parameter::Kind::Value)
      for (const model::Leaf& leaf : argument.leaves)
        if (!model::is_floating(leaf.scalar)) {
          const std::uint64_t number =
              runtime::read_integer(leaf.scalar, input.arguments[i].bytes.data() + leaf.offset);
          if (number > most && ~number >= most)
            return false;
        }
  return true;
}

KernelDifference Examiner::fault_of(const Checked& checked) const {
  const auto bad = std::ranges::find_if(checked.findings, [](const auto& finding) {
    return finding.kind != "race_same_value" && finding.kind != "endless";
  });
  if (bad != checked.findings.end()) {
    const std::string place = place_text(bad->site);
    bool sizes_given = true;
    for (std::size_t i = 0; i < second_.target.arguments.size(); ++i)
      if (second_.target.arguments[i].kind == ir::Parameter::Kind::Buffer)
        sizes_given = sizes_given && second_.constraints.has_size(i);
    return {.kind = Unlike::Finding,
            .what = bad->kind + place.substr(0, place.rfind(':')),
            .message = "the first kernel alone has a finding: " + finding_text(*bad),
            .is_outside = bad->kind == "out_of_bounds" && !sizes_given};
  }
  if (checked.fault == Fault::Endless)
    return {.kind = Unlike::Endless,
            .what = {},
            .message = "the first kernel does not end, the second does"};
  return {.kind = Unlike::Crash,
          .what = {},
          .message = "the first kernel ends the process that it runs in"};
}

Examiner::Looked Examiner::looked_at_outputs(const Input& input,
                                             const std::vector<runtime::Bytes>& first,
                                             const std::vector<runtime::Bytes>& second,
                                             Unlike kind) {
  std::vector<OutputDifference> differences;
  for (std::size_t i = 0; i < first_.target.arguments.size(); ++i) {
    const auto other = pairing_.second_of()[i];
    if (!other || (!first_.target.arguments[i].output && !second_.target.arguments[*other].output))
      continue;
    auto some = outputs_.compare(*other, first[i], second[*other], kMostDifferences);
    std::ranges::move(some, std::back_inserter(differences));
  }
  if (differences.empty())
    return {};
  const std::string& name = second_.target.arguments[differences.front().argument].name;
  if (const auto varying = varying_output(second_.target, second_.worker, input, second);
      varying && varying->output == name)
    return {.left_out = "the second kernel: " + varying->text()};
  if (is_rounding(second_.target, second_.worker, input, differences, random_))
    return {.left_out = "outputs differ, and no more than if the last digits of inputs change"};
  const OutputError& error = differences.front().error;
  return {.difference = KernelDifference{
              .kind = kind,
              .what = name,
              .message = fmt::format(
                  "{} is {} by the first kernel{}, and {} by the second", error.place, error.first,
                  kind == Unlike::Order ? " in another order of work-items" : "", error.second)}};
}

std::optional<KernelDifference> Examiner::in_other_orders(const Input& input) {
  if (input.shape.items() < 2)
    return std::nullopt;
  const Checked right = second_.worker.check(input);
  const std::optional<Input> ours = input_of_first(input);
  if (!right.valid() || !ours)
    return std::nullopt;
  for (std::uint64_t seed = 0; seed < kOrders; ++seed)
    if (const auto after = first_.worker.run_ordered(*ours, seed)) {
      Looked looked = looked_at_outputs(input, *after, right.after, Unlike::Order);
      if (looked.difference)
        return std::move(looked.difference);
    }
  return std::nullopt;
}

} // namespace gputest::testgen
