// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/oracles.h"

#include "runtime/cases/comparison.h"
#include "runtime/cases/reference_memory.h"
#include "runtime/plan/reference_kernel.h"

#include <fmt/format.h>
#include <utility>

namespace gputest::runtime {
namespace {

// Calls the user's function. Returns what the exception says that it throws; empty: none.
std::string thrown_by(const std::function<void()>& call) {
  const auto said = [](std::string text) {
    return text.empty() ? "an exception without a text" : text;
  };
  try {
    call();
  } catch (const std::exception& error) {
    return said(error.what());
  } catch (const std::string& text) {
    return said(text);
  } catch (const char* text) {
    return said(text ? text : "");
  } catch (...) {
    return "an exception that is no std::exception";
  }
  return "";
}

std::vector<std::optional<Bytes>>
outputs_of(const std::function<void(const ReferenceCall&)>& function, const BoundCase& initial) {
  const ReferenceMemory memory(initial);
  if (const std::string thrown = thrown_by([&] { function(memory.call()); }); !thrown.empty())
    throw OracleError(fmt::format("{} threw: {}", kReference, thrown));
  std::vector<std::optional<Bytes>> all;
  for (const std::span<std::byte> bytes : memory.bytes)
    all.emplace_back(Bytes(bytes.begin(), bytes.end()));
  return all;
}

} // namespace

Reference reference_of(std::function<void(const ReferenceCall&)> function) {
  return {kReference, [function = std::move(function)](const BoundCase& initial) {
            return outputs_of(function, initial);
          }};
}

Oracles oracles_of(const Plan& plan, const KernelDescription& description) {
  Oracles oracles{.property = description.property};
  if (description.reference)
    oracles.reference = reference_of(description.reference);
  else if (description.has_reference_kernel())
    oracles.reference = kernel_reference(plan, description);
  return oracles;
}

std::vector<Objection> compare_with_reference(const Reference& reference, const BoundCase& initial,
                                              const BoundCase& computed) {
  const std::vector<std::optional<Bytes>> right = reference.outputs(initial);
  std::vector<Objection> all;
  for (std::size_t i = 0; i < computed.outputs.size(); ++i) {
    if (!computed.outputs[i] || !right[i])
      continue;
    const LaunchArgument& argument = computed.arguments[i];
    const Comparison comparison =
        compare(computed.types[i], *right[i], argument.bytes, computed.tolerance);
    if (!comparison.equal())
      all.push_back(
          {argument.name, fmt::format("{} (compared with {})", describe(comparison, argument.name),
                                      reference.name)});
  }
  return all;
}

std::string wrong_with(const Property& property, const BoundCase& initial,
                       const BoundCase& computed) {
  const ReferenceMemory before(initial), after(computed);
  const std::string thrown =
      thrown_by([&] { property(PropertyCall(before.call(), after.call())); });
  return thrown.empty() ? "" : fmt::format("{} does not hold: {}", kProperty, thrown);
}

} // namespace gputest::runtime
