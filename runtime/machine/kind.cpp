// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/kind.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace gputest::runtime {

namespace {

bool names_gpu(std::string_view device) {
  return device == "gpu" || device.starts_with("cuda");
}

const MachineKind* find_kind(std::span<const MachineKind> kinds,
                             const std::function<bool(const MachineKind&)>& is_wanted) {
  const auto found = std::ranges::find_if(kinds, is_wanted);
  return found == kinds.end() ? nullptr : &*found;
}

} // namespace

const MachineKind& kind_for(std::span<const MachineKind> kinds, const std::string& device,
                            model::Language language) {
  const bool is_cuda = language == model::Language::Cuda;
  const char* const environment = std::getenv("GPUTEST_DEVICE");
  const std::string name = device.empty() && environment ? environment : device;
  const auto runs = [&](const MachineKind& kind) { return kind.runs(language); };
  if (const MachineKind* const named = find_kind(
          kinds, [&](const MachineKind& kind) { return runs(kind) && kind.name == name; }))
    return *named;
  const MachineKind* found = nullptr;
  if (is_cuda && (!device.empty() || names_gpu(name)))
    found = find_kind(kinds, [](const MachineKind& kind) { return kind.cuda && !kind.opencl; });
  else if (is_cuda)
    found = find_kind(kinds, runs);
  else if (model::row_of(language).is_simulated && device.empty())
    found = find_kind(kinds, [&](const MachineKind& kind) { return runs(kind) && kind.stands_in; });
  return found ? *found : kinds.front();
}

const MachineKind& kind_that(std::span<const MachineKind> kinds, bool MachineKind::* can) {
  const auto found = std::ranges::find(kinds, true, can);
  if (found == kinds.end())
    throw UsageError("no machine of this GpuTestCheck can do that");
  return *found;
}

} // namespace gputest::runtime
