#include "cuda/runtime/state.h"

#include "cuda/records/text.h"
#include "ir/cuda/container.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace gputest::cuda {
namespace {

using simulator::cuda::MemoryChange;
using simulator::cuda::Reader;
using simulator::cuda::Request;
using simulator::cuda::Writer;

thread_local cudaError_t last = cudaSuccess;

std::string_view bytes_of_container(const void* container) {
  return {static_cast<const char*>(container), container_size(container)};
}

} // namespace

// Never destroyed: programs call CUDA in destructors of their own.
State& State::get() {
  static State* const state = new State; // NOLINT
  return *state;
}

State::State()
    : limits{{cudaLimitStackSize, 1024},
             {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
             {cudaLimitMallocHeapSize, std::size_t{8} << 20},
             {cudaLimitDevRuntimeSyncDepth, 2},
             {cudaLimitDevRuntimePendingLaunchCount, 2048},
             {cudaLimitMaxL2FetchGranularity, 64},
             {cudaLimitPersistingL2CacheSize, 0}},
      checks_(environment("GPUTEST_CUDA_CHECKS")),
      findings_file_(environment("GPUTEST_CUDA_FINDINGS")),
      orders_(environment("GPUTEST_CUDA_SCHEDULES")) {
  limit_ = std::strtoull(environment("GPUTEST_CUDA_LIMIT").c_str(), nullptr, 10);
  follows_definedness_ = checks_.find("uninitialized") != std::string::npos;
  std::atexit([] {
    State& state = State::get();
    const Lock lock(state.mutex);
    state.flush();
    state.write_down("{\"launches\": " + std::to_string(state.launches_) + "}\n");
  });
}

cudaError_t State::report(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady)
    last = error;
  return error;
}

cudaError_t State::take_last_error() {
  const cudaError_t error = last;
  last = sticky_; // one that stays is there again
  return error;
}

cudaError_t State::last_error() const {
  return last;
}

cudaError_t State::device_error() {
  if (pending_ != cudaSuccess) {
    sticky_ = pending_;
    pending_ = cudaSuccess;
  }
  return sticky_;
}

void State::flush() {
  if (output_.empty())
    return;
  std::fwrite(output_.data(), 1, output_.size(), stdout);
  std::fflush(stdout);
  output_.clear();
}

void State::tell(const std::string& kind, const std::string& file, std::uint64_t line,
                 std::uint64_t column, const std::string& message, std::uint64_t count) {
  const std::string place =
      line == 0 ? "" : file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
  if (told_.insert(place + kind).second) // what every launch does is shown once
    std::fprintf(stderr, "%serror: %s [%s]%s\n", place.c_str(), message.c_str(), kind.c_str(),
                 count > 1 ? (", " + std::to_string(count) + " times").c_str() : "");
  write_down("{\"kind\": " + quoted(kind) + ", \"file\": " + quoted(file) +
             ", \"line\": " + std::to_string(line) + ", \"column\": " + std::to_string(column) +
             ", \"message\": " + quoted(message) + ", \"count\": " + std::to_string(count) + "}\n");
}

void State::write_down(const std::string& json) const {
  if (findings_file_.empty())
    return;
  if (std::FILE* const stream = std::fopen(findings_file_.c_str(), "ae")) {
    std::fwrite(json.data(), 1, json.size(), stream);
    std::fclose(stream);
  }
}

cudaError_t State::broken(cudaError_t error, const std::string& message) {
  if (!message.empty())
    std::fprintf(stderr, "%s\n", message.c_str());
  pending_ = error;
  return error;
}

void** State::add_module(const void* container) {
  modules_.push_back({.container = container, .functions = {}, .variables = {}});
  return reinterpret_cast<void**>(&modules_.back());
}

RegisteredModule& State::module_of(void** handle) {
  return *reinterpret_cast<RegisteredModule*>(handle);
}

Simulator& State::simulator(const std::string& path) {
  if (!simulator_)
    simulator_ = std::make_unique<Simulator>(path, heap.descriptor());
  return *simulator_;
}

// Units that use each other's functions and variables are one module.
void State::load_all() {
  std::vector<RegisteredModule*> relocatable;
  for (RegisteredModule& module : modules_) {
    if (module.loaded)
      continue;
    std::string_view bytes = bytes_of_container(module.container);
    const std::optional<Container> container = take_container(bytes);
    if (container && container->flags & kRelocatable)
      relocatable.push_back(&module);
    else
      load({&module});
  }
  if (!relocatable.empty())
    load(relocatable);
}

// The container that the simulator is to have in the place of this one, with the variant that runs.
std::string State::chosen(const Container& container) {
  Container other = container;
  other.variants.clear();
  for (const ContainedVariant& variant : container.variants)
    if (!measured.variant().empty() && variant.name == measured.variant()) {
      other.code = variant.code;
      measured.add_unit(variant.folder);
    }
  return bytes_of(other);
}

bool State::load(std::vector<RegisteredModule*> modules) {
  std::string containers, path;
  for (RegisteredModule* module : modules) {
    module->loaded = true;
    std::string_view bytes = bytes_of_container(module->container);
    if (const std::optional<Container> container = take_container(bytes)) {
      path = container->simulator;
      containers += chosen(*container);
    }
  }
  Writer request;
  request.number(static_cast<std::uint64_t>(Request::Load)).text(containers);
  const std::optional<std::string> answer = simulator(path).ask(request);
  if (!answer) {
    broken(cudaErrorInitializationError,
           "gputest-cuda: error: the simulator has ended while it read the device code");
    return false;
  }
  Reader reply(*answer);
  if (const std::uint64_t error = reply.number()) {
    std::fprintf(stderr, "%s\n", reply.text().c_str());
    broken(static_cast<cudaError_t>(error), "");
    return false;
  }
  const std::uint64_t number = reply.number();
  std::map<std::string, KernelInfo> kernels;
  for (std::uint64_t left = reply.number(); left > 0; --left) {
    KernelInfo kernel{.module = number, .name = reply.text(), .offsets = {}, .sizes = {}};
    kernel.shared_size = reply.number();
    kernel.most_threads = static_cast<unsigned>(reply.number());
    for (std::uint64_t parameters = reply.number(); parameters > 0; --parameters) {
      kernel.offsets.push_back(reply.number());
      kernel.sizes.push_back(reply.number());
      kernel.arguments_size = kernel.offsets.back() + kernel.sizes.back();
    }
    kernels[kernel.name] = kernel;
  }
  Writer places;
  places.number(static_cast<std::uint64_t>(Request::Place)).number(number);
  std::map<std::string, VariableInfo> variables;
  for (std::uint64_t left = reply.number(); left > 0; --left) {
    const std::string name = reply.text();
    VariableInfo variable{.size = reply.number()};
    reply.number(); // the alignment: allocations have more
    reply.number();
    variable.host = reply.number() ? &variable : nullptr; // which one is said below
    variable.address = heap.allocate(variable.size, MemoryKind::Device);
    places.number(variable.address);
    variables[name] = variable;
  }
  const std::optional<std::string> placed = simulator(path).ask(places);
  if (!placed || Reader(*placed).number() != 0) {
    broken(cudaErrorInvalidKernelImage, placed ? Reader(placed->substr(8)).text() : "");
    return false;
  }
  for (const auto& [name, variable] : variables)
    measured.watch(name, heap.view(reinterpret_cast<const void*>(variable.address)), variable.size);
  for (RegisteredModule* module : modules) {
    for (const auto& [stub, name] : module->functions)
      if (const auto found = kernels.find(name); found != kernels.end())
        kernels_[stub] = found->second;
    for (const auto& [symbol, name] : module->variables)
      if (const auto found = variables.find(name); found != variables.end()) {
        VariableInfo variable = found->second;
        if (variable.host) { // managed: what the host begins with is what the device does
          variable.host = const_cast<void*>(symbol);
          std::memcpy(variable.host, heap.view(reinterpret_cast<const void*>(variable.address)),
                      variable.size);
          host_ranges.push_back({.host = static_cast<std::byte*>(variable.host),
                                 .size = variable.size,
                                 .device = variable.address});
        }
        variables_[symbol] = variable;
      }
  }
  return true;
}

KernelInfo* State::kernel(const void* stub) {
  load_all();
  const auto found = kernels_.find(stub);
  return found == kernels_.end() ? nullptr : &found->second;
}

VariableInfo* State::variable(const void* symbol) {
  load_all();
  const auto found = variables_.find(symbol);
  return found == variables_.end() ? nullptr : &found->second;
}

std::string State::argument_block(const KernelInfo& kernel, void** arguments) {
  std::string block(kernel.arguments_size, '\0');
  for (std::size_t i = 0; i < kernel.offsets.size(); ++i)
    std::memcpy(block.data() + kernel.offsets[i], arguments[i], kernel.sizes[i]);
  return block;
}

// What the host has where it is, and kernels elsewhere.
void State::copy_host_ranges(bool to_device) {
  for (const HostRange& range : host_ranges) {
    std::byte* const device = heap.view(reinterpret_cast<const void*>(range.device));
    if (to_device)
      std::memcpy(device, range.host, range.size);
    else
      std::memcpy(range.host, device, range.size);
  }
}

cudaError_t State::launch(KernelInfo& kernel, const LaunchShape& shape,
                          const std::string& arguments) {
  if (is_broken())
    return sticky_;
  if (pending_ != cudaSuccess) // it does not run any more
    return cudaSuccess;
  copy_host_ranges(true);
  Writer request;
  request.number(static_cast<std::uint64_t>(Request::Launch))
      .number(kernel.module)
      .text(kernel.name);
  for (const std::uint64_t size : shape.grid)
    request.number(size);
  for (const std::uint64_t size : shape.block)
    request.number(size);
  request.number(shape.shared_bytes).number(shape.cooperative);
  request.text(arguments).text(checks_).number(limit_).text(orders_);
  request.number(change_count_).raw(changes_.message());
  changes_ = {};
  change_count_ = 0;
  const std::optional<std::string> answer = simulator("").ask(request);
  if (!answer) {
    measured.write(launches_); // what it did until then
    return broken(cudaErrorLaunchFailure,
                  "gputest-cuda: error: the simulator has ended without an answer");
  }
  Reader reply(*answer);
  if (const std::uint64_t error = reply.number()) { // it was not begun
    std::fprintf(stderr, "%s\n", reply.text().c_str());
    return report(static_cast<cudaError_t>(error));
  }
  measured.write(++launches_);
  reply.number(); // how long it took
  const auto error = static_cast<cudaError_t>(reply.number());
  const std::string message = reply.text();
  output_ += reply.text();
  for (std::uint64_t left = reply.number(); left > 0; --left) {
    const std::string kind = reply.text(), file = reply.text();
    const std::uint64_t line = reply.number(), column = reply.number();
    const std::string text = reply.text();
    const std::uint64_t count = reply.number();
    if (!checks_.empty())
      tell(kind, file, line, column, text, count);
  }
  const std::string scheduled = reply.text(), name = reply.text();
  if (!scheduled.empty())
    write_down("{\"kernel\": " + quoted(name) + ", \"file\": " + quoted(reply.text()) +
               ", \"scheduled\": " + scheduled + "}\n");
  copy_host_ranges(false);
  if (error != cudaSuccess)
    broken(error, checks_.empty() || error == cudaErrorAssert ? message : "");
  return cudaSuccess;
}

std::uint64_t State::allocate(std::size_t size, MemoryKind kind, unsigned flags,
                              const std::string& name) {
  const std::uint64_t address = heap.allocate(size, kind, flags);
  if (address == 0)
    return 0;
  ++allocations_;
  changes_.number(static_cast<std::uint64_t>(MemoryChange::Allocate))
      .number(address)
      .number(size)
      .text(name.empty() ? "allocation " + std::to_string(allocations_) : name);
  ++change_count_;
  if (kind != MemoryKind::Device) // the host writes it as it likes
    written(reinterpret_cast<const void*>(address), size);
  return address;
}

bool State::free(std::uint64_t address) {
  if (!heap.free(address))
    return false;
  changes_.number(static_cast<std::uint64_t>(MemoryChange::Free)).number(address).number(0);
  ++change_count_;
  return true;
}

void State::written(const void* to, std::size_t size) {
  if (!follows_definedness_ || !heap.find(to))
    return;
  changes_.number(static_cast<std::uint64_t>(MemoryChange::Define))
      .number(reinterpret_cast<std::uint64_t>(to))
      .number(size);
  ++change_count_;
}

void State::copied(const void* to, const void* from, std::size_t size) {
  if (!follows_definedness_ || !heap.find(to))
    return;
  if (!heap.find(from)) {
    written(to, size);
    return;
  }
  changes_.number(static_cast<std::uint64_t>(MemoryChange::Copy))
      .number(reinterpret_cast<std::uint64_t>(to))
      .number(size)
      .number(reinterpret_cast<std::uint64_t>(from));
  ++change_count_;
}

} // namespace gputest::cuda
