// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/check.h"

#include "model/checks/finding_groups.h"

#include <algorithm>
#include <map>

namespace gputest::program {
namespace {

void add(KernelChecks& kernel, const model::Finding& finding, std::uint64_t launch,
         const model::Sizes& sizes) {
  const auto known =
      std::ranges::find(kernel.findings, pair_of(finding),
                        [](const LaunchFinding& other) { return pair_of(other.finding); });
  if (known == kernel.findings.end()) {
    kernel.findings.push_back({finding, launch, sizes});
  } else if (absorb(known->finding, finding)) {
    known->launch = launch;
    known->sizes = sizes;
  }
}

void add(KernelChecks& kernel, const RecordedSimulation& launch) {
  ++kernel.launches;
  kernel.seconds += launch.seconds;
  for (const model::Finding& finding : launch.findings)
    add(kernel, finding, launch.launch, launch.sizes);
}

} // namespace

std::vector<KernelChecks> program_checks(const RunRecords& records,
                                         const SuppressedIn& suppressed) {
  std::map<std::string, KernelChecks> kernels;
  for (const RecordedSimulation& launch : records.simulated) {
    const auto program = std::ranges::find_if(records.programs, [&](const BuiltSource& built) {
      return built.process == launch.process && built.number == launch.program;
    });
    if (program == records.programs.end())
      continue; // the process died before it could say so
    KernelChecks& kernel = kernels[program->stem + "." + launch.kernel];
    kernel.folder = program->stem + "." + launch.kernel;
    kernel.kernel = launch.kernel;
    kernel.source = program->name;
    add(kernel, launch);
  }
  if (!records.of_host.empty()) {
    KernelChecks& host = kernels["host"];
    host.folder = host.kernel = "host";
    host.of_host = true;
    for (const model::Finding& finding : records.of_host)
      add(host, finding, 0, {});
  }
  std::vector<KernelChecks> all;
  for (auto& [folder, kernel] : kernels) {
    std::erase_if(kernel.findings, [&](LaunchFinding& found) {
      const auto by = suppressed ? suppressed(found.finding, kernel.kernel) : std::nullopt;
      if (by)
        kernel.suppressed.push_back({std::move(found), *by});
      return by.has_value();
    });
    model::FindingGroups groups;
    for (LaunchFinding& found : kernel.findings)
      found.leads = groups.leads(found.finding);
    kernel.notes = groups.notes();
    all.push_back(std::move(kernel));
  }
  return all;
}

} // namespace gputest::program
