#include "runtime/machine/kind.h"

#include <algorithm>
#include <cstdlib>

namespace gputest::runtime {

const MachineKind& kind_of(std::span<const MachineKind> kinds, const std::string& device) {
  const char* const environment = std::getenv("GPUTEST_DEVICE");
  const auto named = std::ranges::find(kinds, device.empty() && environment ? environment : device,
                                       &MachineKind::name);
  return named == kinds.end() ? kinds.front() : *named;
}

const MachineKind& kind_for(std::span<const MachineKind> kinds, const std::string& device,
                            model::Language language) {
  return device.empty() && language == model::Language::Cuda ? kind_that(kinds, &MachineKind::cuda)
                                                             : kind_of(kinds, device);
}

const MachineKind& kind_that(std::span<const MachineKind> kinds, bool MachineKind::* can) {
  const auto found = std::ranges::find(kinds, true, can);
  if (found == kinds.end())
    throw UsageError("no machine of this GpuTestCheck can do that");
  return *found;
}

} // namespace gputest::runtime
