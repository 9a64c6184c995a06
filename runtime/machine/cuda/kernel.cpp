// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/kernel.h"

#include "model/clock.h"
#include "model/mutation/cuda_state.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

namespace gputest::runtime::cuda {
namespace {

unsigned number_of(std::size_t value, const std::string& what) {
  if (value > std::numeric_limits<unsigned>::max())
    throw LaunchRefused(fmt::format("{}: {} is too large for a launch", what, value));
  return static_cast<unsigned>(value);
}

} // namespace

Kernel::Kernel(std::shared_ptr<const Gpu> gpu, const DeviceCode& code, std::string name)
    : gpu_(std::move(gpu)), name_(std::move(name)) {
  log = code.log;
  const Gpu::InUse in_use(*gpu_);
  const std::string image = code.image + std::string(64, '\0'); // the driver reads the beginning
  expect(gpu_->driver.module_load(&module_, image.data()), "cuModuleLoadData");
  expect(gpu_->driver.module_function(&function_, module_, code.kernel.c_str()),
         "cuModuleGetFunction");
  read_parameters();
  for (const std::string& variable : code.variables) {
    const Place place = place_of(variable.c_str());
    Variable& one = variables_.emplace_back(Variable{place.address, Bytes(place.size)});
    if (place.address == 0)
      throw DeviceError(
          fmt::format("kernel '{}': the driver does not know variable '{}'", name_, variable));
    expect(gpu_->driver.to_host(one.initial.data(), one.address, one.initial.size()),
           "cuMemcpyDtoH");
  }
  state_ = place_of("gputest_state");
  if (const Place told = place_of("gputest_told"); told.address != 0)
    expect(gpu_->driver.to_device(told.address, &gpu_->told_address, sizeof gpu_->told_address),
           "cuMemcpyHtoD");
}

Kernel::~Kernel() {
  const Gpu::InUse in_use(*gpu_);
  gpu_->driver.module_unload(module_);
}

Kernel::Place Kernel::place_of(const char* variable) const {
  Place place;
  const Result result = gpu_->driver.module_global(&place.address, &place.size, module_, variable);
  if (result == kNotFound)
    return {};
  expect(result, "cuModuleGetGlobal");
  return place;
}

// Reads the parameters from the text after the kernel's (kernel_text.cpp): their number, their
// sizes, and which are pointers.
void Kernel::read_parameters() {
  const Place place = place_of("gputest_parameters");
  std::vector<std::uint32_t> words(place.size / sizeof(std::uint32_t));
  if (place.address != 0)
    expect(gpu_->driver.to_host(words.data(), place.address, words.size() * sizeof words[0]),
           "cuMemcpyDtoH");
  if (words.empty() || words.size() < 1 + 2 * std::size_t{words[0]})
    throw DeviceError(fmt::format("kernel '{}': its parameters are not known", name_));
  for (std::size_t i = 1; i <= words[0]; ++i)
    parameters_.push_back({words[i], words[i + words[0]] != 0});
}

void Kernel::expect(Result result, const char* call) const {
  if (result == 0)
    return;
  const std::string what = fmt::format("kernel '{}'", name_);
  if (is_fault(result))
    throw KernelFault(fmt::format("{}: {}", what, gpu_->driver.text_of(result)),
                      *gpu_->told == model::kCudaBudgetEvent);
  gpu_->driver.check(result, fmt::format("{}: {}", what, call));
}

void Kernel::check_arguments(const std::vector<LaunchArgument>& arguments) const {
  if (arguments.size() != parameters_.size())
    throw UsageError(fmt::format("kernel '{}' has {} arguments, and {} are given", name_,
                                 parameters_.size(), arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument& given = arguments[i];
    const Parameter& parameter = parameters_[i];
    const bool fits = given.kind == (parameter.pointer ? LaunchArgument::Kind::Buffer
                                                       : LaunchArgument::Kind::Value);
    if (!fits)
      throw UsageError(fmt::format("kernel '{}', argument '{}' is {}, and something else is given",
                                   name_, given.name, parameter.pointer ? "a pointer" : "a value"));
    if (!parameter.pointer && given.bytes.size() != parameter.size)
      throw UsageError(fmt::format("kernel '{}', argument '{}' has {} bytes, and {} are given",
                                   name_, given.name, parameter.size, given.bytes.size()));
  }
}

void Kernel::write_state(std::span<const std::byte> state) const {
  const std::size_t size = std::min(state.size(), state_.size);
  if (size != 0)
    expect(gpu_->driver.to_device(state_.address, state.data(), size), "cuMemcpyHtoD");
}

void Kernel::read_state(std::span<std::byte> state) const {
  const std::size_t size = std::min(state.size(), state_.size);
  if (size != 0)
    expect(gpu_->driver.to_host(state.data(), state_.address, size), "cuMemcpyDtoH");
}

void Kernel::start(const Launch& launch, const ArgumentMemory& memory,
                   const std::vector<LaunchArgument>& arguments) {
  const std::string what = fmt::format("kernel '{}'", name_);
  if (launch.lock_step != 0 && !keeps_in_step(gpu_->info, launch.lock_step))
    throw LaunchRefused(
        fmt::format("{}: {}", what, not_in_step(gpu_->info.name, launch.lock_step)));
  const std::array<std::size_t, 3> block = chosen_block(launch);
  std::array<unsigned, 6> sizes{}; // of the grid, and of a block
  for (std::size_t i = 0; i < 3; ++i) {
    if (block[i] == 0 || launch.global_size[i] == 0)
      throw UsageError(fmt::format("{}: a number of threads is 0", what));
    if (launch.global_size[i] % block[i] != 0)
      throw UsageError(fmt::format("{}: {} threads in dimension {} are no multiple of the {} of a "
                                   "block",
                                   what, launch.global_size[i], i, block[i]));
    sizes[i] = number_of(launch.global_size[i] / block[i], what);
    sizes[3 + i] = number_of(block[i], what);
  }
  const Driver& driver = gpu_->driver;
  for (const Variable& variable : variables_)
    expect(driver.to_device(variable.address, variable.initial.data(), variable.initial.size()),
           "cuMemcpyHtoD");
  *gpu_->told = 0;
  const auto refused = [&](Result result) {
    const std::string beyond = beyond_limits(launch, arguments);
    return LaunchRefused(fmt::format("{}: the launch is refused: {}{}{}", what,
                                     driver.text_of(result), beyond.empty() ? "" : "; ", beyond));
  };
  // Every GPU allows at most this much without a request.
  constexpr std::size_t kUnasked = 48 << 10;
  if (launch.shared_memory > std::max(kUnasked, allowed_)) {
    const Result result = driver.set_function_attribute(
        function_, kDynamicSharedMemory, static_cast<int>(number_of(launch.shared_memory, what)));
    if (is_refusal(result))
      throw refused(result);
    expect(result, "cuFuncSetAttribute");
    allowed_ = launch.shared_memory;
  }
  std::vector<void*> pointers = memory.pointers();
  const Result result =
      driver.launch(function_, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5],
                    number_of(launch.shared_memory, what), nullptr, pointers.data(), nullptr);
  if (is_refusal(result))
    throw refused(result);
  expect(result, "cuLaunchKernel");
}

void Kernel::wait() const {
  expect(gpu_->driver.synchronize(), "cuCtxSynchronize");
}

LaunchOutcome Kernel::launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                             Bytes& state) {
  check_arguments(arguments);
  const ArgumentMemory memory(*gpu_, arguments, name_);
  const Gpu::InUse in_use(*gpu_);
  write_state(state);
  LaunchOutcome outcome;
  const auto begin = std::chrono::steady_clock::now();
  start(launch, memory, arguments);
  wait();
  outcome.seconds = model::seconds_since(begin);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!memory.is_buffer(i))
      continue;
    if (std::string problem = memory.overrun(i); !problem.empty())
      outcome.out_of_bounds.push_back(std::move(problem));
    if (arguments[i].read_back)
      memory.read(i, arguments[i].bytes);
  }
  read_state(state);
  return outcome;
}

std::string Kernel::beyond_limits(const Launch& launch, const std::vector<LaunchArgument>&) const {
  const Gpu::InUse in_use(*gpu_);
  const std::array<std::size_t, 3> block = chosen_block(launch);
  std::vector<std::string> beyond;
  const std::size_t threads = block[0] * block[1] * block[2];
  const auto most = static_cast<std::size_t>(gpu_->attribute(function_, kThreadsOfFunction));
  if (threads > most)
    beyond.push_back(fmt::format("a block has {} threads, {} runs at most {} in a block of this "
                                 "kernel",
                                 threads, gpu_->info.name, most));
  const std::size_t shared =
      launch.shared_memory +
      static_cast<std::size_t>(gpu_->attribute(function_, kSharedOfFunction));
  const auto available = static_cast<std::size_t>(gpu_->attribute(kMostSharedMemory));
  if (shared > available)
    beyond.push_back(fmt::format("it needs {} bytes of __shared__ memory for a block, {} has {}",
                                 shared, gpu_->info.name, available));
  return fmt::format("{}", fmt::join(beyond, "; "));
}

// Names and types are not in compiled code: arguments are called by their positions.
Signature Kernel::signature() const {
  Signature signature{.arguments = parameters_.size()};
  for (const Parameter& parameter : parameters_)
    signature.declared.push_back({.name = std::to_string(signature.declared.size()),
                                  .type = {},
                                  .address_space = parameter.pointer ? model::AddressSpace::Global
                                                                     : model::AddressSpace::Private,
                                  .pointer = parameter.pointer,
                                  .size = parameter.size});
  return signature;
}

} // namespace gputest::runtime::cuda
