// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/machine.h"

#include "runtime/machine/opencl/case_memory.h"
#include "runtime/machine/opencl/kernel_memory.h"
#include "runtime/machine/opencl/signature.h"

#include <fmt/format.h>

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
    // Makes a new kernel each time, because a kernel keeps the arguments of its last launch.
    return launch_kernel(context_, make_kernel(program_, kernel_, source_), launch, arguments,
                         state);
  }

  std::string beyond_limits(const Launch& launch,
                            const std::vector<LaunchArgument>& arguments) const override {
    return checked(source_, [&] {
      return runtime::beyond_limits(context_, make_kernel(program_, kernel_, source_), launch,
                                    arguments, false);
    });
  }

  Signature signature() const override {
    return checked(source_, [&] {
      return signature_of(make_kernel(program_, kernel_, source_), context_.device);
    });
  }

  const BuiltProgram& program() const { return program_; }

private:
  const Context& context_;
  BuiltProgram program_;
  std::string kernel_, source_;
};

// Returns the kernel as the class that machines of this kind build.
const OpenClKernel& built_here(const BuiltKernel& kernel) {
  const auto* const built = dynamic_cast<const OpenClKernel*>(&kernel);
  if (!built)
    throw DeviceError("the kernel was built for a machine of another kind");
  return *built;
}

class OpenClCase : public RepeatedCase {
public:
  OpenClCase(const Context& context, BoundCase test_case, const std::string& kernel,
             const std::vector<std::size_t>& outputs, std::size_t state_bytes)
      : context_(context), what_(fmt::format("kernel '{}'", kernel)),
        memory_(context, std::move(test_case), kernel, outputs) {
    if (state_bytes != 0)
      state_ = checked(what_,
                       [&] { return cl::Buffer(context.context, CL_MEM_READ_WRITE, state_bytes); });
  }

  const BoundCase& test_case() const override { return memory_.test_case(); }
  std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) override {
    return std::make_unique<Prepared>(
        *this, memory_.make_kernel(built_here(kernel).program(), with_state ? &state_ : nullptr),
        with_state);
  }
  void write_state(std::size_t at, std::span<const std::byte> bytes) override {
    checked(what_, [&] {
      context_.queue.enqueueWriteBuffer(state_, CL_TRUE, at, bytes.size(), bytes.data());
    });
  }
  std::span<const std::byte> content(std::size_t output) const override {
    return memory_.content(output);
  }
  std::string overrun() const override { return memory_.overrun(); }

private:
  class Prepared : public PreparedKernel {
  public:
    Prepared(OpenClCase& of, cl::Kernel kernel, bool with_state)
        : case_(of), kernel_(std::move(kernel)), with_state_(with_state) {}

    using PreparedKernel::run;
    void run(std::span<const Launch> launches, std::span<std::byte> state,
             const std::function<bool()>& is_over) override {
      checked(case_.what_,
              [&] { enqueue(launches, with_state_ ? state : std::span<std::byte>(), is_over); });
    }

  private:
    void enqueue(std::span<const Launch> launches, std::span<std::byte> state,
                 const std::function<bool()>& is_over) const {
      const cl::CommandQueue& queue = case_.context_.queue;
      case_.memory_.restore();
      if (!state.empty())
        queue.enqueueWriteBuffer(case_.state_, CL_FALSE, 0, state.size(), state.data());
      std::size_t launched = 0;
      for (const Launch& launch : launches) {
        case_.memory_.launch(kernel_, launch);
        if (++launched % kAskEvery != 0 || !is_over || state.empty())
          continue;
        queue.enqueueReadBuffer(case_.state_, CL_TRUE, 0, state.size(), state.data());
        if (is_over())
          break;
      }
      if (!state.empty())
        queue.enqueueReadBuffer(case_.state_, CL_FALSE, 0, state.size(), state.data());
      case_.memory_.fetch();
      queue.finish();
    }

    OpenClCase& case_;
    cl::Kernel kernel_;
    bool with_state_;
  };

  const Context& context_;
  std::string what_; // for messages
  CaseMemory memory_;
  cl::Buffer state_;
};

class OpenClMachine : public Machine {
public:
  explicit OpenClMachine(const Context& context) : context_(context) {}
  explicit OpenClMachine(Device device)
      : owned_(std::make_unique<Context>(std::move(device))), context_(*owned_) {}

  std::string name() const override { return context_.device.name; }
  MachineIdentity identity() const override {
    const Device& device = context_.device;
    return {.name = device.name,
            .version = device.version,
            .driver = clean(device.device.getInfo<CL_DRIVER_VERSION>()),
            .platform = device.platform};
  }
  // NVIDIA's compiler gains nothing by it.
  std::string quick_build_option() const override {
    return context_.device.platform == "Portable Computing Language" ? "-cl-opt-disable" : "";
  }
  bool is_cpu() const override { return context_.device.type == "cpu"; }
  bool keeps_in_step(unsigned work_items) const override {
    return runtime::keeps_in_step(context_.device, work_items);
  }
  std::size_t largest_group() const override {
    return context_.device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  }
  std::uint64_t largest_buffer() const override {
    return context_.device.device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  }
  bool has_atomics() const override {
    return runtime::has_atomics(context_.device.version,
                                context_.device.device.getInfo<CL_DEVICE_EXTENSIONS>());
  }

  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel,
                                     const std::string& source) override {
    return std::make_unique<OpenClKernel>(context_, build_program(context_, text, settings, source),
                                          kernel, source);
  }
  std::unique_ptr<RepeatedCase> repeat(BoundCase test_case, const std::string& kernel,
                                       const std::vector<std::size_t>& outputs,
                                       std::size_t state_bytes) override {
    return std::make_unique<OpenClCase>(context_, std::move(test_case), kernel, outputs,
                                        state_bytes);
  }

private:
  std::unique_ptr<Context> owned_; // set where nobody else owns it
  const Context& context_;
};

} // namespace

std::unique_ptr<Machine> opencl_machine(const Context& context) {
  return std::make_unique<OpenClMachine>(context);
}

MachineKind opencl_kind() {
  return {.name = "opencl",
          .open = [](const MachineRequest& request) -> std::unique_ptr<Machine> {
            return std::make_unique<OpenClMachine>(choose_device(request.device));
          },
          .list = [](const MachineRequest&) { return describe(list_devices()); }};
}

} // namespace gputest::runtime
