#include "runtime/api/launcher.h"

#include "model/checks/checks.h"
#include "runtime/api/instrumented.h"
#include "runtime/harness/registry.h"
#include "runtime/machine/checked_launch.h"
#include "runtime/machine/opencl/kernel_memory.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/opencl/program.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace gputest::runtime {
namespace {

class OpenClLauncher : public Launcher {
public:
  explicit OpenClLauncher(const RunOptions& options)
      : context_(choose_device(options.device)), machine_(opencl_machine(context_)) {}

  Machine& machine() override { return *machine_; }

  void build(const std::string& text, const BuildSettings& given, const std::string& kernel,
             const std::string& source, unsigned hidden) override {
    BuildSettings settings = given;
    settings.build_options.push_back("-cl-kernel-arg-info");
    program_ = build_program(context_, text, settings, source);
    name_ = kernel;
    kernel_ = make_kernel(*program_, kernel, source);
    const std::size_t all = checked(name_, [&] { return kernel_.getInfo<CL_KERNEL_NUM_ARGS>(); });
    signature_ = {all - hidden, declared_arguments(kernel_, context_.device, all - hidden)};
  }

  Signature signature() const override { return signature_; }

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override {
    // Tried elsewhere; here a driver that aborts would take the caller along.
    if (const std::string beyond = checked(
            name_, [&] { return beyond_limits(context_, kernel_, launch, arguments, false); });
        !beyond.empty())
      throw DeviceError(fmt::format("kernel '{}': {}", name_, beyond));
    return launch_kernel(context_, kernel_, launch, arguments, state);
  }

private:
  Context context_;
  std::unique_ptr<Machine> machine_;
  std::optional<BuiltProgram> program_;
  std::string name_;
  cl::Kernel kernel_;
  Signature signature_;
};

std::vector<std::string> checks_of(const RunOptions& options) {
  std::vector<std::string> checks, names;
  for (const model::CheckRow& row : model::check_rows()) {
    names.emplace_back(row.name);
    if (row.on)
      checks.emplace_back(row.name);
  }
  if (options.checks.empty())
    return checks;
  if (options.checks == std::vector<std::string>{"none"})
    return {};
  for (const std::string& check : options.checks)
    if (!model::find_check(check))
      throw UsageError(fmt::format("RunOptions::checks: there is no check '{}'; there are: {}, or "
                                   "none",
                                   check, fmt::join(names, ", ")));
  return options.checks;
}

class SimulatorLauncher : public Launcher {
public:
  SimulatorLauncher(const RunOptions& options, const MachineKind& kind)
      : checks_(checks_of(options)),
        machine_(kind.open(
            {.simulator = command_of(options, "the simulator is beside gputest").parent_path() /
                          "gputest-simulator",
             .simulation = {.limit = options.timeout}})) {}

  Machine& machine() override { return *machine_; }

  void build(const std::string& text, const BuildSettings& settings, const std::string& kernel,
             const std::string& source, unsigned) override {
    kernel_ = machine_->build(text, settings, kernel, source);
    language_ = settings.language;
  }

  Signature signature() const override {
    return {kernel_->parameters.size(), declared_arguments(kernel_->parameters)};
  }

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override {
    machine_->simulation()->checks.clear();
    if (!state.empty())
      return kernel_->launch(launch, arguments, state);
    machine_->simulation()->checks = checks_;
    LaunchOutcome outcome = checks_.empty()
                                ? kernel_->launch(launch, arguments, state)
                                : checked_launch(*machine_, *kernel_, launch, arguments, language_);
    std::vector<std::string> findings;
    for (const model::Finding& finding : outcome.findings)
      findings.push_back(text_of(finding));
    if (!findings.empty())
      throw CheckError(fmt::format("{}", fmt::join(findings, "\n")), findings);
    return outcome;
  }

private:
  std::vector<std::string> checks_;
  model::Language language_ = model::Language::OpenCL;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> kernel_;
};

} // namespace

const MachineKind& kind_of_call(const RunOptions& options, model::Language language) {
  return kind_for(registry().machines, options.device, language);
}

std::unique_ptr<Launcher> open_launcher(const RunOptions& options, const MachineKind& kind) {
  if (kind.checks)
    return std::make_unique<SimulatorLauncher>(options, kind);
  if (!options.checks.empty())
    throw UsageError("RunOptions::checks: a device checks nothing; set device to \"simulator\"");
  return std::make_unique<OpenClLauncher>(options);
}

} // namespace gputest::runtime
