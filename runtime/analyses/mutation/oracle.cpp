// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/oracle.h"

#include "runtime/cases/comparison.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {

std::vector<ExpectedOutput> expected_outputs(const BoundCase& test_case, const Oracles& oracles) {
  std::vector<ExpectedOutput> outputs;
  const auto output_at = [&](std::size_t position) -> ExpectedOutput& {
    const auto known = std::ranges::find(outputs, position, &ExpectedOutput::position);
    return known != outputs.end() ? *known : outputs.emplace_back(ExpectedOutput{position, {}, {}});
  };
  for (const BoundCase::Expected& expected : test_case.expected)
    output_at(expected.position).right.push_back({expected.bytes, "the test case"});
  const auto each_output = [&](const auto& call) {
    for (std::size_t i = 0; i < test_case.outputs.size(); ++i)
      if (test_case.outputs[i])
        call(i);
  };
  if (oracles.reference) {
    const std::vector<std::optional<Bytes>> right = oracles.reference.outputs(test_case);
    each_output([&](std::size_t i) {
      ExpectedOutput& output = output_at(i); // also where the reference says nothing of it
      if (right[i])
        output.right.push_back({*right[i], oracles.reference.name});
    });
  }
  if (outputs.empty() || oracles.property)
    each_output([&](std::size_t i) { output_at(i); });
  return outputs;
}

bool has_oracle(const std::vector<ExpectedOutput>& outputs) {
  return std::ranges::any_of(outputs, [](const auto& output) { return !output.right.empty(); });
}

bool add_original(ExpectedOutput& output, std::span<const std::byte> bytes) {
  const auto is_same = [&](const Bytes& known) { return std::ranges::equal(known, bytes); };
  const bool is_first = output.originals.empty();
  if (std::ranges::any_of(output.originals, is_same))
    return true;
  output.originals.emplace_back(bytes.begin(), bytes.end());
  return is_first;
}

std::string judge(const ExpectedOutput& output, const BoundCase& test_case,
                  std::span<const std::byte> actual) {
  const auto is_same = [&](const Bytes& original) {
    return original.size() == actual.size() &&
           std::memcmp(original.data(), actual.data(), actual.size()) == 0;
  };
  if (std::ranges::any_of(output.originals, is_same))
    return "";
  const model::Type& type = test_case.types[output.position];
  const std::string& name = test_case.arguments[output.position].name;
  for (const ExpectedOutput::Right& right : output.right) {
    const Comparison comparison = compare(type, right.bytes, actual, test_case.tolerance);
    if (!comparison.equal())
      return fmt::format("{} (compared with {})", describe(comparison, name), right.oracle);
  }
  if (!output.right.empty() || output.originals.empty())
    return "";
  const Comparison comparison = compare(type, output.originals, actual, test_case.tolerance);
  return comparison.equal()
             ? ""
             : fmt::format("{} (compared with the original's output)", describe(comparison, name));
}

std::string judge_unmutated(const ExpectedOutput& output, const BoundCase& test_case,
                            std::span<const std::byte> actual) {
  if (!output.right.empty())
    return judge(output, test_case, actual);
  const model::Type& type = test_case.types[output.position];
  const Comparison comparison =
      compare(type, output.originals, actual,
              for_other_compilers(test_case.tolerance, type, output.originals.front()));
  return comparison.equal() ? "" : describe(comparison, test_case.arguments[output.position].name);
}

} // namespace gputest::runtime
