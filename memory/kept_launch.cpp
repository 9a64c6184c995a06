// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/kept_launch.h"

#include "frontend/file_names.h"
#include "gputest/error.h"
#include "ir/error.h"
#include "ir/kernels/device_code.h"
#include "memory/checked_launch.h"
#include "model/cuda_environment.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace gputest::memory {
namespace {

namespace fs = std::filesystem;
using ir::Parameter;
using model::KeptLaunch;

// How much processor time a launch may take. Recording is slower than running.
constexpr double kLeastSeconds = 2, kSlower = 50;

// Returns the memory from the pointer on to the end of its allocation.
std::span<std::byte> memory_at(std::uint64_t pointer, const DeviceMemory& device) {
  std::uint64_t size = 0;
  for (const DeviceMemory::Allocation& one : device.allocations)
    if (pointer >= one.address && pointer < one.address + one.bytes.size())
      size = one.address + one.bytes.size() - pointer;
  return {reinterpret_cast<std::byte*>(pointer), size};
}

GivenArgument given(const model::KeptParameter& parameter, std::span<const std::byte> block,
                    const DeviceMemory& device) {
  const std::span<const std::byte> bytes = block.subspan(parameter.offset, parameter.size);
  if (!parameter.is_pointer)
    return {.kind = Parameter::Kind::Value, .bytes = {bytes.begin(), bytes.end()}};
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, bytes.data(), sizeof pointer);
  if (pointer == 0)
    return {.kind = Parameter::Kind::Buffer, .bytes = {}, .null = true};
  return {.kind = Parameter::Kind::Buffer, .bytes = {}, .placed = memory_at(pointer, device)};
}

TracedLaunch traced(const CheckedLaunch& checked, bool shared) {
  const KeptLaunch& launch = checked.launch;
  std::span<const std::byte> rest = std::as_bytes(std::span(checked.contents));
  const auto take = [&](std::uint64_t size) {
    const std::span<const std::byte> part = rest.first(size);
    rest = rest.subspan(size);
    return part;
  };
  const std::span<const std::byte> block = take(launch.arguments_bytes);
  auto device = std::make_shared<DeviceMemory>();
  for (const model::KeptAllocation& one : launch.memory) {
    const std::span<const std::byte> bytes = take(one.size);
    device->allocations.push_back(
        {.name = one.name, .address = one.address, .bytes = {bytes.begin(), bytes.end()}});
  }
  for (const model::KeptVariable& one : launch.variables)
    device->variables[one.name] = one.address;
  TracedLaunch result;
  for (unsigned i = 0; i < 3; ++i) {
    result.sizes.local[i] = launch.block[i];
    result.sizes.global[i] = launch.grid[i] * launch.block[i];
    if (result.sizes.global[i] > 1)
      result.sizes.dimensions = i + 1;
  }
  for (const model::KeptParameter& parameter : launch.parameters)
    result.arguments.push_back(given(parameter, block, *device));
  if (shared)
    result.arguments.push_back(
        {.kind = Parameter::Kind::Local, .bytes = {}, .local_bytes = launch.shared_bytes});
  // Threads that wait for other blocks have not taken long in the program, and never end here.
  result.limit = std::min(result.limit, kLeastSeconds + kSlower * launch.seconds);
  result.device = std::move(device);
  return result;
}

// Returns the folder with an end that no folder beside it has; "": there is none.
std::string folder_text(const std::string& source_root) {
  return source_root.empty() ? "" : (fs::absolute(source_root).lexically_normal() / "").string();
}

// Compares the launch with its code.
void check_kernel(const CheckedLaunch& checked) {
  const KeptLaunch& launch = checked.launch;
  llvm::LLVMContext context;
  const std::vector<ir::DeviceKernel> all =
      ir::device_kernels(*ir::read_device_code(checked.code, context));
  const auto kernel = std::ranges::find(all, launch.mangled, &ir::DeviceKernel::name);
  if (kernel == all.end())
    throw UsageError(fmt::format("{}: error: its code has no kernel '{}'", checked.file.string(),
                                 launch.mangled));
  bool fits = kernel->offsets.size() == launch.parameters.size();
  for (std::size_t i = 0; fits && i < kernel->offsets.size(); ++i)
    fits = kernel->offsets[i] == launch.parameters[i].offset &&
           kernel->sizes[i] == launch.parameters[i].size;
  if (!fits)
    throw UsageError(fmt::format("{}: error: its parameters are not those of '{}'",
                                 checked.file.string(), launch.kernel));
}

Kernel kernel_of_checked(const CheckedLaunch& checked, const std::string& source_root) {
  check_kernel(checked);
  const KeptLaunch& launch = checked.launch;
  const std::string root = folder_text(source_root);
  Kernel kernel;
  kernel.file = frontend::FileNames(source_root).name(launch.file);
  kernel.interface.name = launch.kernel;
  kernel.source.name = launch.file;
  kernel.source.device_code = checked.code;
  kernel.source.by_itself = true;
  kernel.source.entry = launch.mangled;
  kernel.source.told = {root, ""};
  try {
    use_compiled(kernel);
  } catch (const ir::SourceError& error) { // debug information has whole paths
    const std::string text = error.what();
    throw UsageError(text.starts_with(root) ? text.substr(root.size()) : text);
  }
  return kernel;
}

void check_gpu(const Gpu& gpu, std::uint64_t warp_size, model::Caches caches) {
  if (caches == model::Caches::Warm && !gpu.has_shared_cache())
    throw UsageError("error: " + gpu.why_not_warm());
  if (gpu.warp_size == warp_size)
    return;
  const bool possible = gpu.warp_size == 32 || gpu.warp_size == 64; // of programs
  throw UsageError(fmt::format(
      "error: --gpu {}: its warps have {} work-items, and those of the program have {} threads: "
      "{}give a GPU with such warps",
      gpu.name, gpu.warp_size, warp_size,
      possible ? fmt::format("run the program with --warp-size {}, or ", gpu.warp_size) : ""));
}

// Returns what the launch before did to memory; null: there was none.
std::shared_ptr<const LaunchTrace> trace_before(const CheckedLaunch& checked,
                                                const std::string& source_root, const Gpu& gpu) {
  if (checked.launch.caches != model::Caches::Warm)
    throw UsageError(fmt::format("{}: error: is kept without the launch before it: run the program "
                                 "with --caches warm",
                                 checked.file.string()));
  if (!checked.launch.before)
    return nullptr;
  const CheckedLaunch before = read_launch_before(checked);
  const auto failed = [&](const char* why) {
    return UsageError(fmt::format("of the launch before it, of '{}': {}", before.launch.kernel,
                                  std::string_view(why)));
  };
  try {
    const Kernel kernel = kernel_of_checked(before, source_root);
    const Tracer tracer(kernel.source, kernel.name());
    return std::make_shared<const LaunchTrace>(
        tracer.trace(traced(before, kernel.shared), gpu.warps()));
  } catch (const UsageError& error) {
    throw failed(error.what());
  } catch (const ir::SourceError& error) {
    throw failed(error.what());
  } catch (const ir::InputError& error) {
    throw failed(error.what());
  }
}

} // namespace

KeptLaunches kept_launches(const std::vector<fs::path>& files, const std::string& source_root,
                           model::Caches caches, const Gpu& gpu) {
  std::vector<CheckedLaunch> all;
  for (const fs::path& file : files) {
    const CheckedLaunch& one = all.emplace_back(read_checked_launch(file));
    const CheckedLaunch& first = all.front();
    if (one.launch.mangled != first.launch.mangled)
      throw UsageError(fmt::format("{}: error: is a launch of '{}', and {} is one of '{}'; give "
                                   "launches of one kernel",
                                   file.string(), one.launch.kernel, first.file.string(),
                                   first.launch.kernel));
    if (one.launch.code_digest != first.launch.code_digest ||
        one.launch.warp_size != first.launch.warp_size)
      throw UsageError(fmt::format("{}: error: has other device code than {}; give launches of one "
                                   "kernel of one program",
                                   file.string(), first.file.string()));
  }
  const KeptLaunch& first = all.front().launch;
  check_gpu(gpu, first.warp_size, caches);
  // Device code takes the size of warps from there, as in the program.
  ::setenv(model::kWarpSize, std::to_string(first.warp_size).c_str(), 1);
  KeptLaunches kept{.kernel = kernel_of_checked(all.front(), source_root), .launches = {}};
  for (CheckedLaunch& one : all) {
    NamedLaunch& named = kept.launches.emplace_back(
        NamedLaunch{.name = one.launch.name, .launch = traced(one, kept.kernel.shared)});
    if (caches == model::Caches::Warm)
      named.launch.before = trace_before(one, source_root, gpu);
    one.contents.clear(); // the launch has them
    one.contents.shrink_to_fit();
  }
  return kept;
}

} // namespace gputest::memory
