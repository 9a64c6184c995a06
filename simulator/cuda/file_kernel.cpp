// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/file_kernel.h"

#include "ir/cuda/by_itself.h"
#include "ir/error.h"
#include "ir/kernels/device_code.h"
#include "ir/places.h"
#include "simulator/cuda/launch.h"
#include "simulator/execute/device_code.h"
#include "templates/state.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <span>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gputest::simulator::cuda {
namespace {

constexpr std::byte kNobodys{0xb7};
constexpr std::uint64_t kArguments = kDeviceMemory + kDeviceBytes / 2; // variables are below

std::uint64_t pages_of(std::uint64_t size) {
  return (size + kDevicePage - 1) / kDevicePage * kDevicePage;
}

class MemoryFile {
public:
  explicit MemoryFile(int descriptor) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0)
      throw ir::SimulatorFailure("the memory file cannot be read");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0)
      return;
    void* const begin = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (begin == MAP_FAILED)
      throw ir::SimulatorFailure(
          fmt::format("the memory file cannot be mapped: {}", std::strerror(errno)));
    begin_ = static_cast<std::byte*>(begin);
  }
  ~MemoryFile() {
    if (begin_)
      ::munmap(begin_, size_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::byte* at(std::size_t offset, std::size_t size) const {
    if (offset > size_ || size > size_ - offset)
      throw ir::InputError("an argument lies outside of the memory file");
    return begin_ + offset;
  }

private:
  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

// The buffers of a launch, in device memory during the launch.
class Buffers {
public:
  Buffers(Device& device, int memory) : device_(device), file_(memory) {}
  ~Buffers() {
    for (const Copy& copy : copies_)
      device_.free(copy.address);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  const MemoryFile& file() const { return file_; }

  // As in the memory file, a buffer ends at the end of a page, and the bytes in front of it are a
  // guard zone of the host program.
  std::uint64_t add(const ArgumentData& argument, bool defined) {
    const std::uint64_t address = end_ + argument.offset % kDevicePage;
    const std::size_t whole = shared_end(argument.offset, argument.size) - argument.offset;
    end_ += pages_of(argument.offset % kDevicePage + whole) + kDevicePage;
    device_.allocate(address, argument.size, argument.name);
    std::ranges::fill(before(address), kNobodys);
    copies_.push_back({argument.name, address, file_.at(argument.offset, whole), whole});
    std::memcpy(reinterpret_cast<void*>(address), copies_.back().outside, whole);
    if (defined)
      device_.define(address, argument.size);
    return address;
  }

  void copy_back() const {
    for (const Copy& copy : copies_)
      std::memcpy(copy.outside, reinterpret_cast<const void*>(copy.address), copy.size);
  }

  // Accesses of the page's bytes before a buffer do not fault, but the host program finds their
  // writes.
  std::vector<Finding> writes_before(const model::CodePlace& kernel) const {
    std::vector<Finding> findings;
    for (const Copy& copy : copies_)
      if (const auto count = std::ranges::count_if(before(copy.address),
                                                   [](std::byte byte) { return byte != kNobodys; });
          count != 0)
        findings.push_back({.kind = "out_of_bounds",
                            .site = kernel,
                            .message = fmt::format("the kernel writes {} of the bytes before '{}'",
                                                   count, copy.name)});
    return findings;
  }

private:
  static std::span<std::byte> before(std::uint64_t address) {
    const std::uint64_t page = address / kDevicePage * kDevicePage;
    return {reinterpret_cast<std::byte*>(page), address - page};
  }

  struct Copy {
    std::string name;
    std::uint64_t address;
    std::byte* outside;
    std::size_t size;
  };
  Device& device_;
  MemoryFile file_;
  std::uint64_t end_ = kArguments;
  std::vector<Copy> copies_;
};

// Frees what a kernel has allocated and not freed.
void free_heap(Device& device) {
  std::vector<std::uint64_t> left;
  for (const auto& [address, region] : device.allocations())
    if (address >= kDeviceMemory + kDeviceBytes - kKernelHeap)
      left.push_back(address);
  for (const std::uint64_t address : left)
    device.kernel_free(reinterpret_cast<void*>(address));
}

std::vector<std::uint32_t> order_of(const LaunchRequest& request, std::uint64_t blocks) {
  if (!request.order.items_ascend())
    throw ir::InputError(
        "the threads of a block run in ascending order: no other one can be asked for");
  if (request.order.groups.kind == model::Order::Kind::Launched)
    return {};
  if (blocks > std::numeric_limits<std::uint32_t>::max())
    throw ir::InputError(fmt::format(
        "{} blocks are too many for an order of their own: 4294967295 at most", blocks));
  return model::permutation(request.order.groups, static_cast<std::uint32_t>(blocks));
}

// Replaces the fatal finding, a signal, by the reason why the kernel ended itself.
void explain_end(const Device::End& end, const Program::Ready& kernel,
                 std::vector<Finding>& findings) {
  if (end.error == kNoError)
    return;
  std::erase_if(findings, [](const Finding& finding) { return finding.fatal; });
  findings.push_back(finding_of_end(end, kernel));
}

} // namespace

std::uint64_t OwnDevice::place_for(std::size_t size) {
  const std::uint64_t address = variables_end_;
  variables_end_ += pages_of(size) + kDevicePage;
  return address;
}

FileKernel::FileKernel(const ir::Source& source, const std::string& kernel, const Cache& cache,
                       OwnDevice& device)
    : user_name_(kernel), compiled_(device_code_of(source, kernel, cache)),
      program_(ir::Source{.cl_std = "CL1.2", .device_code = compiled_.device_code}, cache),
      own_(device) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ir::read_device_code(compiled_.device_code, context);
  std::map<std::string, std::uint64_t> addresses;
  for (const ir::DeviceVariable& variable : ir::device_variables(*module)) {
    const std::uint64_t address = own_.place_for(variable.size);
    own_.device.allocate(address, variable.size, ir::name_of_variable(variable.name),
                         variable.constant);
    addresses[variable.name] = address;
  }
  for (const ir::DeviceKernel& one : ir::device_kernels(*module))
    if (one.name == compiled_.kernel)
      most_threads_ = one.most_threads;
  for (const auto& [name, address] : addresses)
    variables_.push_back({name, ir::initial_bytes(*module, name, addresses), address});
}

const ir::KernelShape& FileKernel::shape() {
  return program_.kernel({.kernel = compiled_.kernel}).shape;
}

LaunchResult FileKernel::launch(const LaunchRequest& request,
                                const std::vector<std::string>& checks, int memory) {
  const CodeVariant variant{.kernel = compiled_.kernel, .checks = checks_named(checks)};
  const Program::Ready& ready = program_.kernel(variant);
  const std::vector<ir::Parameter>& parameters = ready.shape.parameters;
  const std::size_t given = request.arguments.size();
  if (given != parameters.size() && given != parameters.size() + 1)
    throw ir::InputError(fmt::format("kernel '{}' has {} arguments, and {} are given", user_name_,
                                     parameters.size(), given));
  Launch what{.shared_bytes = request.shared_bytes,
              .arguments = std::string(ready.shape.arguments_size, '\0'),
              .limit = request.limit};
  for (unsigned i = 0; i < 3; ++i) {
    if (request.sizes.local[i] == 0 || request.sizes.global[i] == 0)
      throw ir::InputError(fmt::format("kernel '{}': a number of threads is 0", user_name_));
    if (request.sizes.global[i] % request.sizes.local[i] != 0)
      throw ir::InputError(
          fmt::format("kernel '{}': {} threads in dimension {} are no multiple of the "
                      "{} of a block",
                      user_name_, request.sizes.global[i], i, request.sizes.local[i]));
    what.block[i] = request.sizes.local[i];
    what.grid[i] = request.sizes.global[i] / request.sizes.local[i];
  }
  if (const std::uint64_t threads = what.block[0] * what.block[1] * what.block[2];
      threads > most_threads_)
    throw ir::InputError(
        fmt::format("kernel '{}': a block has {} threads, and {} are allowed: GPUs "
                    "refuse the launch",
                    user_name_, threads, most_threads_));
  what.order = order_of(request, what.grid[0] * what.grid[1] * what.grid[2]);

  Device& device = own_.device;
  const bool defined = variant.checks.has("uninitialized");
  if (defined)
    device.follow_definedness();
  std::map<std::string, std::uint64_t> addresses;
  for (const Variable& variable : variables_) {
    addresses[variable.name] = variable.address;
    std::memcpy(reinterpret_cast<void*>(variable.address), variable.initial.data(),
                variable.initial.size());
    device.define(variable.address, variable.initial.size());
  }
  Buffers buffers(device, memory);
  for (std::size_t i = 0; i < given; ++i) {
    const ArgumentData& argument = request.arguments[i];
    if (i == parameters.size()) {
      addresses[ir::kStateVariable] = buffers.add(argument, defined);
      std::uint32_t active = 0; // no mutant lives because a GPU forgives
      if (constexpr std::size_t at = GPUTEST_STATE_ACTIVE * sizeof active;
          argument.size >= at + sizeof active)
        std::memcpy(&active, buffers.file().at(argument.offset + at, sizeof active), sizeof active);
      what.forgives = active == 0;
      continue;
    }
    const ir::Parameter& parameter = parameters[i];
    const bool is_pointer = argument.kind == ir::Parameter::Kind::Buffer;
    if (is_pointer != (parameter.kind == ir::Parameter::Kind::Buffer) ||
        (!is_pointer && argument.kind != ir::Parameter::Kind::Value))
      throw ir::InputError(fmt::format(
          "kernel '{}', argument '{}' is {}, and something else is given", user_name_,
          parameter.name, parameter.kind == ir::Parameter::Kind::Buffer ? "a pointer" : "a value"));
    if (!is_pointer && argument.size != parameter.size)
      throw ir::InputError(fmt::format("kernel '{}', argument '{}' has {} bytes, and {} are given",
                                       user_name_, parameter.name, parameter.size, argument.size));
    char* const at = what.arguments.data() + parameter.offset;
    if (is_pointer) {
      const std::uint64_t address = argument.null ? 0 : buffers.add(argument, defined);
      std::memcpy(at, &address, sizeof address);
    } else {
      std::memcpy(at, buffers.file().at(argument.offset, argument.size), argument.size);
    }
  }

  PreparedLaunch prepared; // not kept, because buffers have other addresses next time
  Launched launched = cuda::launch(ready, what, device, addresses, prepared);
  buffers.copy_back();
  free_heap(device);
  std::ranges::move(launched.forgiven, std::back_inserter(launched.notes));
  LaunchResult result{.seconds = launched.seconds,
                      .output = launched.output,
                      .findings = launched.findings,
                      .notes = std::move(launched.notes),
                      .fatal = launched.error != kNoError};
  for (Finding& finding : buffers.writes_before(ready.shape.place))
    result.findings.insert(result.findings.begin(), std::move(finding));
  return result;
}

const Program::Ready& FileKernel::interleaved() {
  own_.device.ended = {};
  return program_.kernel({.kernel = compiled_.kernel, .interleaved = true});
}

std::unique_ptr<KernelState> FileKernel::state_for(const LaunchRequest& request) {
  auto state = std::make_unique<KernelState>(&own_.device);
  state->dynamic_shared = static_cast<std::uint32_t>(request.shared_bytes);
  return state;
}

ExploredLaunch FileKernel::explore(const LaunchRequest& request, const ExplorationBounds& bounds,
                                   int memory) {
  const Program::Ready& ready = interleaved();
  ExploredLaunch result =
      explore_launch(ready.code, ready.shape, request, bounds, memory, state_for(request));
  explain_end(own_.device.ended, ready, result.findings);
  return result;
}

LaunchResult FileKernel::launch_turns(const LaunchRequest& request,
                                      const std::vector<model::Turn>& turns, int memory) {
  const Program::Ready& ready = interleaved();
  LaunchResult result =
      simulator::launch_turns(ready.code, ready.shape, request, turns, memory, state_for(request));
  explain_end(own_.device.ended, ready, result.findings);
  return result;
}

} // namespace gputest::simulator::cuda
