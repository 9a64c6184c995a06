// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends device code to the simulator: that of object files, and what programs load.
#include "cuda/runtime/state.h"
#include "ir/cuda/image.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace gputest::cuda {
namespace {

using simulator::cuda::CudaError;
using simulator::cuda::Reader;
using simulator::cuda::Request;
using simulator::cuda::Writer;

// The beginnings of images for a GPU: ELF with its machine, and a fat binary with its version and
// header size.
bool has_header(const void* image) {
  const auto* const bytes = static_cast<const char*>(image);
  return std::memcmp(bytes + 4, "\2\1", 2) == 0 ? std::memcmp(bytes + 18, "\xbe\0", 2) == 0
                                                : std::memcmp(bytes + 4, "\1\0\x10\0", 4) == 0;
}

bool is_cubin(const void* image) {
  return std::memcmp(image,
                     "\x7f"
                     "ELF",
                     4) == 0;
}
bool is_fat_binary(const void* image) {
  return std::memcmp(image, "\x50\xed\x55\xba", 4) == 0;
}

KernelInfo kernel_of(const simulator::cuda::LoadedKernel& loaded, std::uint64_t module) {
  KernelInfo kernel{.module = module, .name = loaded.name, .offsets = {}, .sizes = {}};
  kernel.shared_size = loaded.shared_size;
  kernel.most_threads = loaded.most_threads;
  kernel.cluster = loaded.cluster;
  for (const auto& [offset, size] : loaded.parameters) {
    kernel.offsets.push_back(offset);
    kernel.sizes.push_back(size);
    kernel.arguments_size = offset + size;
  }
  return kernel;
}

} // namespace

void** State::add_module(const void* container) {
  modules_.push_back({.container = container, .functions = {}, .variables = {}});
  return reinterpret_cast<void**>(&modules_.back());
}

RegisteredModule& State::module_of(void** handle) {
  return *reinterpret_cast<RegisteredModule*>(handle);
}

// Loads units that use each other's functions and variables as one module.
void State::load_all(int device) {
  if (device > 0) // the first device has what devices share
    load_all(0);
  std::vector<RegisteredModule*> relocatable;
  for (RegisteredModule& module : modules_) {
    if (module.loaded.contains(device))
      continue;
    std::string_view bytes = bytes_of_container(module.container);
    const std::optional<ir::cuda::Container> container = ir::cuda::take_container(bytes);
    if (container && container->flags & ir::cuda::kRelocatable)
      relocatable.push_back(&module);
    else
      load({&module}, device);
  }
  if (!relocatable.empty())
    load(relocatable, device);
}

// Returns the container with the variant that runs, which replaces this one.
std::string State::chosen(const ir::cuda::Container& container) {
  ir::cuda::Container other = container;
  other.variants.clear();
  for (const ir::cuda::ContainedVariant& variant : container.variants)
    if (!measured.variant().empty() && variant.name == measured.variant()) {
      other.code = variant.code;
      measured.add_unit(variant.folder);
    }
  return ir::cuda::bytes_of(other);
}

cudaError_t State::refuse(cudaError_t error, const std::string& message, const JitLog& log) {
  std::fprintf(stderr, "%s\n", message.c_str());
  log.write(message);
  return error;
}

cudaError_t State::load_code(const std::vector<std::string_view>& containers, const JitLog& log,
                             LoadedCode& code, const std::map<std::string, VariableInfo>& shared) {
  std::string chosen_ones, path;
  for (std::string_view bytes : containers)
    while (const std::optional<ir::cuda::Container> container = ir::cuda::take_container(bytes)) {
      if (!container->simulator.empty())
        path = container->simulator;
      chosen_ones += chosen(*container);
    }
  Writer request;
  request.put(Request::Load).put(chosen_ones);
  const std::optional<std::string> answer = ask(path, request);
  if (!answer)
    return cudaErrorInitializationError;
  Reader reply(*answer);
  if (const auto error = static_cast<cudaError_t>(reply.get<CudaError>()))
    return refuse(error, reply.text(), log);
  const auto module = reply.get<simulator::cuda::LoadedModule>();
  const std::uint64_t number = module.number;
  for (const simulator::cuda::LoadedKernel& loaded : module.kernels) {
    KernelInfo kernel = kernel_of(loaded, number);
    code.kernels[kernel.name] = std::move(kernel);
  }
  simulator::cuda::PlacedModule places{.number = number};
  for (const simulator::cuda::LoadedVariable& loaded : module.variables) {
    VariableInfo& variable = code.variables[loaded.name];
    variable.size = loaded.size; // allocations are aligned to more than any variable
    variable.managed = loaded.managed;
    const auto known = shared.find(loaded.name);
    variable.address =
        known != shared.end()
            ? known->second.address
            : heap.allocate_variable(variable.size,
                                     variable.managed ? MemoryKind::Managed : MemoryKind::Device);
    places.addresses.push_back(variable.address);
  }
  // A variable that already has an address keeps its value.
  std::map<std::byte*, std::string> kept;
  for (const auto& [name, variable] : shared) {
    std::byte* const bytes = heap.view(reinterpret_cast<const void*>(variable.address));
    kept[bytes].assign(reinterpret_cast<const char*>(bytes), variable.size);
  }
  const std::optional<std::string> placed = ask(path, Writer().put(Request::Place).put(places));
  for (const auto& [bytes, value] : kept)
    std::memcpy(bytes, value.data(), value.size());
  if (!placed || Reader(*placed).number() != 0) {
    if (placed)
      std::fprintf(stderr, "%s\n", Reader(placed->substr(8)).text().c_str());
    return cudaErrorInvalidKernelImage;
  }
  for (const auto& [name, variable] : code.variables)
    if (!shared.contains(name))
      measured.watch(name, heap.view(reinterpret_cast<const void*>(variable.address)),
                     variable.size);
  return cudaSuccess;
}

// Devices share managed variables and the state of instrumented code.
void State::load(const std::vector<RegisteredModule*>& modules, int device) {
  std::vector<std::string_view> containers;
  std::map<std::string, VariableInfo> shared;
  for (RegisteredModule* module : modules) {
    module->loaded.insert(device);
    shared.insert(module->shared.begin(), module->shared.end());
    containers.push_back(bytes_of_container(module->container));
  }
  LoadedCode code;
  if (const cudaError_t error = load_code(containers, {}, code, shared)) {
    broken(error, "");
    return;
  }
  tell_device(code, device);
  asking_.emplace_back(code, device);
  DeviceCode& mine = of_devices_[static_cast<std::size_t>(device)];
  for (const auto& [name, variable] : code.variables)
    if (variable.managed || name.starts_with("gputest_"))
      modules.front()->shared[name] = variable;
  for (RegisteredModule* module : modules) {
    for (const auto& [stub, name] : module->functions)
      if (const auto found = code.kernels.find(name); found != code.kernels.end())
        mine.kernels[stub] = found->second;
    for (const auto& [symbol, name] : module->variables)
      if (const auto found = code.variables.find(name); found != code.variables.end()) {
        const VariableInfo& variable = mine.variables[symbol] = found->second;
        if (!variable.managed || device > 0)
          continue;
        // The host's copy gets the device's initial value.
        auto* const host = static_cast<std::byte*>(const_cast<void*>(symbol));
        std::memcpy(host, heap.view(reinterpret_cast<const void*>(variable.address)),
                    variable.size);
        host_ranges.push_back({.host = host,
                               .size = variable.size,
                               .device = variable.address,
                               .kind = MemoryKind::Managed});
      }
  }
}

std::string_view bytes_of_container(const void* container) {
  return {static_cast<const char*>(container), ir::cuda::container_size(container)};
}

std::string simulator_of(std::string_view containers) {
  while (const std::optional<ir::cuda::Container> container = ir::cuda::take_container(containers))
    if (!container->simulator.empty())
      return container->simulator;
  return "";
}

cudaError_t State::containers_of(const void* image, std::size_t size, std::string name,
                                 const JitLog& log, std::string& containers) {
  const auto* const text = static_cast<const char*>(image);
  if (const auto own = ir::cuda::container_of_image(text)) {
    containers = *own;
    return cudaSuccess;
  }
  if (ir::cuda::container_size(image) > 0) {
    containers = bytes_of_container(image);
    return cudaSuccess;
  }
  if ((is_cubin(image) || is_fat_binary(image)) && !has_header(image))
    return cudaErrorInvalidKernelImage;
  if (is_cubin(image) || is_fat_binary(image))
    return refuse(cudaErrorNoKernelImageForDevice,
                  std::string("gputest-cuda: error: the module is a ") +
                      (is_cubin(image) ? "cubin" : "fat binary") +
                      " for a GPU, which the simulator cannot run: it takes PTX, and what "
                      "gputest-cuda -fatbin, -cubin and -ptx and its NVRTC make",
                  log);
  if (size == 0 && !std::strstr(text, ".version")) // no text of PTX either
    return cudaErrorInvalidKernelImage;
  if (name.empty())
    name = "module" + std::to_string(++texts_) + ".ptx";
  containers = ir::cuda::bytes_of(
      {.flags = 0,
       .simulator = "",
       .headers = name,
       .code = size > 0 ? std::string(text, strnlen(text, size)) : std::string(text)});
  return cudaSuccess;
}

cudaError_t State::check(const std::string& containers, bool whole, const JitLog& log) {
  Writer request;
  request.put(Request::Read)
      .put(simulator::cuda::CheckedCode{.containers = containers, .whole = whole});
  const std::optional<std::string> answer = ask(simulator_of(containers), request);
  if (!answer)
    return cudaErrorInitializationError;
  Reader reply(*answer);
  const auto error = static_cast<cudaError_t>(reply.get<CudaError>());
  return error == cudaSuccess ? cudaSuccess : refuse(error, reply.text(), log);
}

cudaError_t State::load_image(const void* image, const JitLog& log, CUmod_st*& module) {
  return load_image(image, "", log, module);
}

cudaError_t State::load_image(const void* image, const std::string& name, const JitLog& log,
                              CUmod_st*& module) {
  if (const cudaError_t error = device_error()) // the simulator has ended
    return error;
  std::string containers;
  if (const cudaError_t error = containers_of(image, 0, name, log, containers))
    return error;
  LoadedCode code;
  if (const cudaError_t error = load_code({containers}, log, code))
    return error;
  tell_device(code, device());
  module = &loaded_.emplace_back();
  module->variables = code.variables;
  for (const auto& [kernel, info] : code.kernels) {
    CUfunc_st& function = module->functions[kernel];
    function.module = module;
    loaded_kernels_[&function] = info;
  }
  return cudaSuccess;
}

// The text of a file is padded with zeros, because its first bytes are examined.
cudaError_t State::load_file(const char* file, const JitLog& log, CUmod_st*& module) {
  std::ifstream stream(file ? file : "", std::ios::binary);
  if (!stream)
    return cudaErrorFileNotFound;
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  bytes.append(64, '\0');
  return load_image(bytes.data(), file, log, module);
}

bool State::has(const CUmod_st* module) const {
  for (const CUmod_st& one : loaded_)
    if (&one == module)
      return true;
  return false;
}

void State::unload(CUmod_st& module) {
  for (const auto& [name, function] : module.functions)
    loaded_kernels_.erase(&function);
  for (const auto& [name, variable] : module.variables) {
    measured.unwatch(heap.view(reinterpret_cast<const void*>(variable.address)));
    free(variable.address);
  }
  loaded_.remove_if([&](const CUmod_st& one) { return &one == &module; });
}

KernelInfo* State::kernel(const void* stub) {
  if (const auto found = loaded_kernels_.find(stub); found != loaded_kernels_.end())
    return &found->second;
  load_all(device());
  std::map<const void*, KernelInfo>& mine = of_devices_[static_cast<std::size_t>(device())].kernels;
  const auto found = mine.find(stub);
  return found == mine.end() ? nullptr : &found->second;
}

VariableInfo* State::variable(const void* symbol) {
  load_all(device());
  std::map<const void*, VariableInfo>& mine =
      of_devices_[static_cast<std::size_t>(device())].variables;
  const auto found = mine.find(symbol);
  return found == mine.end() ? nullptr : &found->second;
}

} // namespace gputest::cuda
