// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/kernel.h"

#include "frontend/file_names.h"
#include "frontend/languages/languages.h"
#include "gputest/error.h"
#include "ir/cuda/by_itself.h"
#include "ir/cuda/compile.h"
#include "ir/kernels/kernel_module.h"
#include "passes/describe.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::memory {
namespace {

template <typename T> T taken(llvm::Expected<T> expected) {
  if (!expected)
    throw UsageError(llvm::toString(expected.takeError()));
  return std::move(*expected);
}

const model::KernelInterface& chosen(const model::Interface& interface, const std::string& name,
                                     const std::string& file) {
  if (interface.kernels.empty())
    throw UsageError(fmt::format("{}: error: the file defines no kernel", file));
  std::vector<std::string> names;
  for (const model::KernelInterface& kernel : interface.kernels)
    names.push_back(kernel.name);
  if (name.empty() && names.size() > 1)
    throw UsageError(fmt::format("{}: error: say which kernel with --kernel; there are: {}", file,
                                 fmt::join(names, ", ")));
  for (const model::KernelInterface& kernel : interface.kernels)
    if (name.empty() || kernel.name == name)
      return kernel;
  throw UsageError(fmt::format("{}: error: there is no kernel '{}'; there are: {}", file, name,
                               fmt::join(names, ", ")));
}

simulator::Image image_of(const runtime::ImageLayout& layout) {
  return {.pixels = nullptr,
          .type = layout.type,
          .width = static_cast<std::uint32_t>(layout.width),
          .height = static_cast<std::uint32_t>(layout.height),
          .depth = static_cast<std::uint32_t>(layout.depth),
          .channel_order = layout.format.image_channel_order,
          .channel_type = layout.format.image_channel_data_type};
}

GivenArgument given(const runtime::LaunchArgument& argument) {
  using Kind = runtime::LaunchArgument::Kind;
  using ir::Parameter;
  switch (argument.kind) {
  case Kind::Value:
    return {.kind = Parameter::Kind::Value, .bytes = argument.bytes};
  case Kind::Buffer:
    return {.kind = Parameter::Kind::Buffer, .bytes = argument.bytes, .null = argument.is_null};
  case Kind::Local:
    return {.kind = Parameter::Kind::Local, .bytes = {}, .local_bytes = argument.local_size};
  case Kind::Image:
    return {.kind = Parameter::Kind::Image,
            .bytes = argument.bytes,
            .image = image_of(argument.image.value())};
  case Kind::Sampler:
    return {.kind = Parameter::Kind::Sampler,
            .bytes = {},
            .sampler = simulator::sampler_bits(argument.sampler.normalized_coordinates,
                                               argument.sampler.addressing_mode,
                                               argument.sampler.filter_mode)};
  }
  return {};
}

// The kernels of a CUDA file are compiled one by one.
void compile_by_itself(Kernel& kernel) {
  ir::CompiledCuda compiled = ir::compile_cuda(kernel.source, kernel.name());
  kernel.source.device_code = std::move(compiled.device_code);
  kernel.source.entry = std::move(compiled.kernel);
  use_compiled(kernel);
}

} // namespace

void use_compiled(Kernel& kernel) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module =
      ir::compile_for(kernel.name(), kernel.source, context).module;
  kernel.shared = ir::own_variables(*module->getFunction(kernel.name())).shared.has_value();
}

void check_warps(const Gpu& gpu, model::Language language) {
  const std::optional<unsigned> warp = model::row_of(language).warp;
  if (warp && gpu.warp_size != *warp)
    throw UsageError(fmt::format("error: --gpu {}: its warps have {} work-items, and those of "
                                 "CUDA have {} threads",
                                 gpu.name, gpu.warp_size, *warp));
}

Kernel kernel_of(const frontend::SourceOptions& options, const std::string& name) {
  const frontend::FlatSource flat = taken(frontend::read_file(options));
  const std::string file = frontend::FileNames(options.source_root).name(options.file);
  model::Interface interface;
  if (llvm::Error error = frontend::parse_file(flat, options, [&](const frontend::Tree& tree) {
        interface = passes::describe(tree, file);
        return llvm::Error::success();
      }))
    throw UsageError(llvm::toString(std::move(error)));
  Kernel kernel{.file = file,
                .interface = chosen(interface, name, file),
                .source = ir::source_by_itself(options, flat.text),
                .remainder = frontend::opencl_c_of(options.cl_std) >= "CL2.0"};
  if (kernel.source.by_itself)
    compile_by_itself(kernel);
  return kernel;
}

std::vector<NamedLaunch> launches_of(const Kernel& kernel,
                                     const std::vector<std::filesystem::path>& files,
                                     const LaunchDefaults& defaults) {
  runtime::CaseDefaults known{.global_size = defaults.global_size,
                              .local_size = defaults.local_size,
                              .global_offset = defaults.global_offset,
                              .allow_remainder = kernel.remainder,
                              .shared_memory = defaults.shared_memory,
                              .lock_step = defaults.lock_step,
                              .language = kernel.language()};
  for (const std::string& spec : defaults.arguments)
    known.arguments.push_back(runtime::parse_argument_spec(spec, std::filesystem::current_path()));
  runtime::check_specs(known.arguments, kernel.interface);
  std::vector<NamedLaunch> launches;
  for (const std::filesystem::path& file : files)
    for (const runtime::TestCase& test_case :
         runtime::read_test_cases(file, kernel.interface.name)) {
      const runtime::BoundCase bound = runtime::bind_case(test_case, kernel.interface, known);
      runtime::expect_lock_step(bound, defaults.lock_step,
                                fmt::format("{}: case '{}'", file.string(), bound.name));
      NamedLaunch named{.name = bound.name, .launch = {.lock_step = defaults.lock_step}};
      named.launch.sizes = runtime::sizes_of(bound.launch);
      named.launch.sizes.local = runtime::chosen_block(bound.launch);
      for (const runtime::LaunchArgument& argument : bound.arguments)
        named.launch.arguments.push_back(given(argument));
      if (kernel.shared)
        named.launch.arguments.push_back({.kind = ir::Parameter::Kind::Local,
                                          .bytes = {},
                                          .local_bytes = bound.launch.shared_memory});
      launches.push_back(std::move(named));
    }
  return launches;
}

} // namespace gputest::memory
