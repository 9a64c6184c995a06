// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/description.h"

#include <optional>

namespace gputest::runtime {
namespace {

std::vector<std::string> strings(gputest::KernelDescription::Texts texts) {
  return {texts.begin(), texts.end()};
}

template <class T> auto optional(const Given<T>& what) {
  return what.given ? std::optional(what.value) : std::nullopt;
}

} // namespace

KernelDescription::KernelDescription(const gputest::KernelDescription& written)
    : name(written.name), source(written.source), kernel(written.kernel),
      function(written.function), kernel_dir(written.kernel_dir),
      user_interface(written.user_interface), global_size(written.global_size),
      local_size(written.local_size), global_offset(written.global_offset),
      shared_memory(written.shared_memory), lock_step(written.lock_step),
      arguments(strings(written.arguments)), requirements(strings(written.requirements)),
      test_cases(strings(written.test_cases)), has_case_of_arguments(written.has_case_of_arguments),
      tolerance{optional(written.tolerance.absolute), optional(written.tolerance.relative),
                optional(written.tolerance.ulp)},
      build_options(strings(written.build_options)), definitions(strings(written.definitions)),
      include_dirs(strings(written.include_dirs)), cl_std(written.cl_std), timeout(written.timeout),
      device(written.device), driver(written.driver), simulator(written.simulator),
      reference(written.reference),
      reference_kernel{.source = written.reference_kernel.source,
                       .kernel = written.reference_kernel.kernel,
                       .dir = written.reference_kernel.dir,
                       .global_size = strings(written.reference_kernel.global_size),
                       .local_size = strings(written.reference_kernel.local_size),
                       .arguments = strings(written.reference_kernel.arguments)},
      property(written.property) {
  for (const auto& [setting, value] : written.settings)
    settings.emplace(setting, value);
}

} // namespace gputest::runtime
