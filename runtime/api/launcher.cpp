// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/launcher.h"

#include "model/checks/checks.h"
#include "model/names.h"
#include "runtime/api/instrumented.h"
#include "runtime/harness/registry.h"
#include "runtime/machine/checked_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace gputest::runtime {
namespace {

std::vector<std::string> checks_of(const RunOptions& options, const MachineKind& kind) {
  if (!kind.checks && !options.checks.empty())
    throw UsageError("RunOptions::checks: a device checks nothing; set device to \"simulator\"");
  if (!kind.checks)
    return {};
  std::vector<std::string> checks, names;
  for (const model::CheckRow& row : model::check_rows()) {
    if (!row.of_host)
      names.emplace_back(row.name);
    if (row.on)
      checks.emplace_back(row.name);
  }
  if (options.checks.empty())
    return checks;
  if (options.checks == std::vector<std::string>{"none"})
    return {};
  for (const std::string& check : options.checks)
    if (std::ranges::find(names, check) == names.end()) {
      const std::string_view meant = model::meant_name(names, check, std::identity());
      throw UsageError(
          fmt::format("RunOptions::checks: there is no check '{}'{}; there are: {}, or none", check,
                      meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant),
                      fmt::join(names, ", ")));
    }
  return options.checks;
}

MachineRequest request_of(const RunOptions& options, const MachineKind& kind) {
  MachineRequest request{.device = options.device, .simulation = {.limit = options.timeout}};
  if (kind.checks)
    request.simulator =
        command_of(options, "the simulator is beside gputest").parent_path() / "gputest-simulator";
  return request;
}

} // namespace

Launcher::Launcher(const RunOptions& options, const MachineKind& kind)
    : checks_(checks_of(options, kind)), machine_(kind.open(request_of(options, kind))) {}

void Launcher::build(const std::string& text, BuildSettings settings, const std::string& kernel,
                     const std::string& source, unsigned hidden) {
  settings.signature = true;
  kernel_ = machine_->build(text, settings, kernel, source);
  name_ = kernel;
  language_ = settings.language;
  hidden_ = hidden;
}

Signature Launcher::signature() const {
  Signature signature = kernel_->signature();
  signature.arguments -= hidden_;
  if (!signature.declared.empty())
    signature.declared.resize(signature.arguments);
  return signature;
}

LaunchOutcome Launcher::launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                               Bytes& state) {
  // Other analyses try such a launch. Here, an implementation that aborts would end the caller.
  if (const std::string beyond = kernel_->beyond_limits(launch, arguments); !beyond.empty())
    throw DeviceError(fmt::format("kernel '{}': {}", name_, beyond));
  if (Simulation* const told = machine_->simulation())
    told->checks = state.empty() ? checks_ : std::vector<std::string>();
  if (checks_.empty() || !state.empty()) {
    try {
      return kernel_->launch(launch, arguments, state);
    } catch (const KernelFault& fault) {
      throw KernelError(fault.what());
    }
  }
  LaunchOutcome outcome = checked_launch(*machine_, *kernel_, launch, arguments, language_);
  std::vector<std::string> findings;
  for (const model::Finding& finding : outcome.findings)
    findings.push_back(text_of(finding));
  if (!findings.empty())
    throw CheckError(fmt::format("{}", fmt::join(findings, "\n")), findings);
  return outcome;
}

const MachineKind& kind_of_call(const RunOptions& options, model::Language language) {
  return kind_for(registry().machines, options.device, language);
}

} // namespace gputest::runtime
