#include "runtime/machine.h"

#include <cstdlib>

namespace gputest::runtime {
namespace {

class OpenClKernel : public BuiltKernel {
public:
  OpenClKernel(const Context& context, BuiltProgram program, std::string kernel, std::string source)
      : context_(context), program_(std::move(program)), kernel_(std::move(kernel)),
        source_(std::move(source)) {
    log = program_.log;
    make_kernel(program_, kernel_, source_); // is there one?
  }

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override {
    // A fresh one each time: it keeps the arguments of its last launch.
    return launch_kernel(context_, make_kernel(program_, kernel_, source_), launch, arguments,
                         state);
  }

private:
  const Context& context_;
  BuiltProgram program_;
  std::string kernel_, source_;
};

class OpenClMachine : public Machine {
public:
  explicit OpenClMachine(const Context& context) : context_(context) {}

  std::string name() const override { return context_.device.name; }
  bool is_cpu() const override { return context_.device.type == "cpu"; }

  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel,
                                     const std::string& source) override {
    return std::make_unique<OpenClKernel>(context_, build_program(context_, text, settings, source),
                                          kernel, source);
  }

private:
  const Context& context_;
};

} // namespace

std::unique_ptr<Machine> opencl_machine(const Context& context) {
  return std::make_unique<OpenClMachine>(context);
}

bool wants_simulator(const std::string& device) {
  const char* const environment = std::getenv("GPUTEST_DEVICE");
  return (device.empty() && environment ? environment : device) == "simulator";
}

} // namespace gputest::runtime
