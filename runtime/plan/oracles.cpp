#include "runtime/plan/oracles.h"

#include "runtime/cases/comparison.h"
#include "runtime/cases/reference_memory.h"

#include <fmt/format.h>

namespace gputest::runtime {

Oracles oracles_of(const KernelDescription& description) {
  return {description.reference, description.property};
}

std::vector<Objection> compare_with_reference(const Reference& reference, const BoundCase& initial,
                                              const BoundCase& computed) {
  const ReferenceMemory memory(initial);
  reference(memory.call());
  std::vector<Objection> all;
  for (std::size_t i = 0; i < computed.outputs.size(); ++i) {
    if (!computed.outputs[i])
      continue;
    const LaunchArgument& argument = computed.arguments[i];
    const Comparison comparison =
        compare(computed.types[i], memory.bytes[i], argument.bytes, computed.tolerance);
    if (!comparison.equal())
      all.push_back({argument.name, fmt::format("{} (compared with {})",
                                                describe(comparison, argument.name), kReference)});
  }
  return all;
}

std::string wrong_with(const Property& property, const BoundCase& initial,
                       const BoundCase& computed) {
  const ReferenceMemory before(initial), after(computed);
  try {
    property(PropertyCall(before.call(), after.call()));
  } catch (const std::exception& error) {
    return fmt::format("{} does not hold: {}", kProperty, error.what());
  } catch (const std::string& text) {
    return fmt::format("{} does not hold: {}", kProperty, text);
  } catch (const char* text) {
    return fmt::format("{} does not hold: {}", kProperty, text);
  }
  return "";
}

} // namespace gputest::runtime
