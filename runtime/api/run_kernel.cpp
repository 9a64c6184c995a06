#include "gputest/run_kernel.h"

#include "model/coverage.h"
#include "runtime/api/run_apart.h"
#include "runtime/api/signature.h"
#include "runtime/machine/device_macros.h"
#include "runtime/machine/opencl/kernel_memory.h"
#include "runtime/machine/opencl/launch.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/simulator/machine.h"
#include "runtime/machine/simulator/process.h"
#include "runtime/machine/source_text.h"
#include "runtime/process/file_lock.h"
#include "runtime/variants/coverage_collector.h"
#include "runtime/variants/instrument.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace gputest::detail {
namespace {

namespace fs = std::filesystem;
using namespace gputest::runtime;

Launch launch_of(const RunOptions& options, const std::string& what) {
  Launch launch;
  launch.dimensions = static_cast<unsigned>(options.global_size.size());
  if (launch.dimensions < 1 || launch.dimensions > 3)
    throw UsageError(fmt::format("{}: global_size has {} dimensions; OpenCL has 1 to 3", what,
                                 launch.dimensions));
  const auto copy = [&](const std::vector<std::size_t>& from, std::array<std::size_t, 3>& to,
                        std::string_view name) {
    if (!from.empty() && from.size() != launch.dimensions)
      throw UsageError(fmt::format("{}: {} has {} dimensions, global_size {}", what, name,
                                   from.size(), launch.dimensions));
    std::ranges::copy(from, to.begin());
  };
  launch.local_size.fill(options.local_size.empty() ? 0 : 1);
  copy(options.global_size, launch.global_size, "global_size");
  copy(options.local_size, launch.local_size, "local_size");
  copy(options.global_offset, launch.global_offset, "global_offset");
  if (std::ranges::count(options.local_size, 0u) != 0)
    throw UsageError(what + ": local_size is 0");
  check_ndrange(launch, !options.cl_std.empty() && options.cl_std != "CL1.2", what);
  return launch;
}

LaunchArgument launch_argument(const KernelArgument& given, const DeclaredArgument* declared,
                               std::size_t position, const std::string& kernel) {
  LaunchArgument argument;
  argument.name = declared ? declared->name : std::to_string(position);
  const std::string what = fmt::format("kernel '{}', argument '{}'", kernel, argument.name);
  argument.bytes.assign(given.bytes.begin(), given.bytes.end());
  argument.element_size = std::max<std::size_t>(given.element_size, 1);
  argument.read_back = given.read_back || given.output;
  switch (given.kind) {
  case KernelArgument::Kind::Value:
    argument.kind = LaunchArgument::Kind::Value;
    break;
  case KernelArgument::Kind::Buffer:
    argument.kind = LaunchArgument::Kind::Buffer;
    argument.bytes.resize(given.size);
    break;
  case KernelArgument::Kind::Local:
    argument.kind = LaunchArgument::Kind::Local;
    argument.local_size = given.size;
    break;
  case KernelArgument::Kind::Sampler:
    argument.kind = LaunchArgument::Kind::Sampler;
    argument.sampler = {given.sampler.addressing_mode, given.sampler.filter_mode,
                        given.sampler.normalized_coordinates};
    break;
  case KernelArgument::Kind::Image: {
    argument.kind = LaunchArgument::Kind::Image;
    argument.image = image_layout(given.image.type, given.image.format, given.image.width,
                                  given.image.height, given.image.depth, what);
    const std::size_t needed = argument.image->pixels() * argument.image->pixel_size();
    if (given.size != needed)
      throw UsageError(
          fmt::format("{}: the image needs {} bytes, {} were given", what, needed, given.size));
    argument.writable = !declared || declared->writable;
    break;
  }
  }
  if ((given.kind == KernelArgument::Kind::Buffer || given.kind == KernelArgument::Kind::Local) &&
      given.size == 0)
    throw UsageError(what + ": has no elements; a buffer needs at least one");
  return argument;
}

// What is built instead of the source when coverage is wanted.
struct Instrumented {
  fs::path result; // the .coverage.json
  std::string text;
  model::SiteTable sites;
};

// "saxpy_float_" of saxpy<float>.
std::string as_file_name(std::string kernel) {
  for (char& letter : kernel)
    if (std::string_view("<>(), :*&").find(letter) != std::string_view::npos)
      letter = '_';
  return kernel;
}

// `context`: of the device that is asked for its macros; null: none is asked.
std::optional<Instrumented> instrumented(const Context* context, const fs::path& source,
                                         const std::string& kernel, const BuildSettings& settings,
                                         const fs::path& driver) {
  const char* folder = std::getenv("GPUTEST_COVERAGE_DIR");
  if (!folder || !*folder)
    return std::nullopt;
  const fs::path cache = fs::path(folder) / "variants";
  const char* root = std::getenv("GPUTEST_SOURCE_ROOT");
  InstrumentRequest request{.source = source,
                            .function = "",
                            .settings = settings,
                            .source_root = root ? root : "",
                            .kernel = kernel};
  fs::path variant = instrument(request, find_driver(driver), cache);
  Instrumented result;
  result.sites = model::read_site_table(variant / "sites.json");
  request.device_macros =
      context ? probe_macros(*opencl_machine(*context), result.sites.device_macros, settings)
              : result.sites.device_macros;
  if (request.device_macros != result.sites.device_macros) {
    variant = instrument(request, find_driver(driver), cache);
    result.sites = model::read_site_table(variant / "sites.json");
  }
  result.text = read_variant(variant / model::file_of_variant("coverage.cl", settings.language));
  result.result = fs::path(folder) /
                  fmt::format("{}.{}.coverage.json", source.stem().string(), as_file_name(kernel));
  return result;
}

bool same_sites(const model::Coverage& a, const model::Coverage& b) {
  const auto id = [](const model::SiteCoverage& entry) {
    return std::pair(entry.site.id, entry.site.function);
  };
  return std::ranges::equal(a.sites, b.sites, {}, id, id);
}

// Added to what other calls and processes found, unless that is about another version of the
// source.
void record(const Instrumented& variant, const std::string& kernel, const fs::path& source,
            const std::string& device, const Bytes& state) {
  CoverageCollector collector(variant.sites, kernel);
  collector.add(read_state(state), "run_kernel");
  model::Coverage coverage = collector.coverage();
  coverage.name = source.stem().string();
  coverage.device = device;
  const FileLock lock(variant.result.string() + ".lock");
  if (fs::exists(variant.result)) {
    model::Coverage before = model::read_coverage(variant.result);
    if (same_sites(before, coverage)) {
      model::merge(before, coverage);
      coverage = std::move(before);
    }
  }
  model::write_coverage(coverage, variant.result);
}

// What the kernel has left goes where the caller wants it.
Result result_of(const std::vector<KernelArgument>& given, std::vector<LaunchArgument>& arguments,
                 const std::function<std::string(std::size_t)>& name_of, double seconds,
                 const std::string& device) {
  std::vector<Result::Output> outputs;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].read_back)
      std::ranges::copy(arguments[i].bytes, given[i].read_back);
    if (given[i].output)
      outputs.push_back({i, name_of(i), std::move(arguments[i].bytes)});
  }
  return {seconds, device, std::move(outputs)};
}

// ---- CUDA files ----

void expect_of_cuda(const RunOptions& options, const std::vector<KernelArgument>& given,
                    const std::string& what) {
  const auto refuse = [&](bool is_given, const char* option, const char* instead) {
    if (is_given)
      throw UsageError(fmt::format("{}: {} is for OpenCL C; {}", what, option, instead));
  };
  refuse(!options.device.empty() && options.device != "simulator", "a device",
         "kernels of CUDA files run in the simulator");
  refuse(!options.global_offset.empty(), "global_offset", "leave it out");
  refuse(!options.build_options.empty(), "build_options", "leave it out");
  refuse(!options.cl_std.empty(), "cl_std", "leave it out");
  for (const KernelArgument& argument : given) {
    refuse(argument.kind == KernelArgument::Kind::Local, "gputest::local",
           "give bytes of __shared__ memory with shared_memory");
    refuse(argument.kind == KernelArgument::Kind::Image ||
               argument.kind == KernelArgument::Kind::Sampler,
           "an image or a sampler", "CUDA's kernels have no such arguments");
  }
}

fs::path simulator_of(const RunOptions& options) {
  if (!options.simulator.empty())
    return options.simulator;
  const char* const driver = std::getenv("GPUTEST_DRIVER");
  const fs::path command = driver && *driver ? fs::path(driver) : options.driver;
  return command.empty() ? fs::path() : command.parent_path() / "gputest-simulator";
}

// The simulator tells sizes of arguments, and no types.
void expect_parameters(const std::vector<BuiltKernel::Parameter>& parameters,
                       const std::vector<KernelArgument>& given, const std::string& name) {
  if (given.size() != parameters.size())
    throw UsageError(fmt::format("kernel '{}' takes {} arguments, {} were given", name,
                                 parameters.size(), given.size()));
  for (std::size_t i = 0; i < given.size(); ++i) {
    const BuiltKernel::Parameter& parameter = parameters[i];
    const std::string what = fmt::format("kernel '{}', argument '{}'", name, parameter.name);
    const bool is_value = given[i].kind == KernelArgument::Kind::Value;
    if (is_value == parameter.pointer)
      throw UsageError(fmt::format("{} is a {}, and a {} was given", what,
                                   parameter.pointer ? "pointer" : "value",
                                   parameter.pointer ? "value" : "buffer"));
    if (is_value && given[i].bytes.size() != parameter.size)
      throw UsageError(fmt::format("{} has {} bytes, and {} were given", what, parameter.size,
                                   given[i].bytes.size()));
  }
}

Result run_cuda(const fs::path& source, const std::string& name, const RunOptions& options,
                const std::vector<KernelArgument>& given) {
  const std::string what = fmt::format("kernel '{}'", name);
  expect_of_cuda(options, given, what);
  Launch launch = launch_of(options, what);
  launch.shared_memory = options.shared_memory;
  const std::string original = read_source(source);
  BuildSettings settings{.definitions = options.definitions,
                         .include_dirs = {fs::absolute(source).parent_path()},
                         .language = model::Language::Cuda};
  for (const fs::path& folder : options.include_dirs)
    settings.include_dirs.push_back(fs::absolute(folder));
  const auto variant = instrumented(nullptr, fs::absolute(source), name, settings, options.driver);
  SimulatorMachine machine(find_simulator(simulator_of(options)), {});
  const std::unique_ptr<BuiltKernel> kernel = machine.build(
      variant ? variant->text : original, settings, name, fs::absolute(source).string());
  const std::vector<BuiltKernel::Parameter>& parameters = kernel->parameters;
  expect_parameters(parameters, given, name);
  std::vector<LaunchArgument> arguments;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const DeclaredArgument declared{.name = parameters[i].name, .type = ""};
    arguments.push_back(launch_argument(given[i], &declared, i, name));
  }
  Bytes state = variant ? make_state(variant->sites, 0) : Bytes();
  const LaunchOutcome outcome = kernel->launch(launch, arguments, state);
  if (!outcome.findings.empty())
    throw KernelError(text_of(outcome.findings.back()));
  if (variant)
    record(*variant, name, source, machine.name(), state);
  if (!outcome.out_of_bounds.empty())
    throw KernelError(fmt::format("{}", fmt::join(outcome.out_of_bounds, "\n")));
  return result_of(
      given, arguments, [&](std::size_t i) { return parameters[i].name; }, outcome.seconds,
      machine.name());
}

// ---- OpenCL C ----

Result run_here(const fs::path& source, const std::string& name, const RunOptions& options,
                std::vector<KernelArgument> given) {
  if (model::language_of(source) == model::Language::Cuda)
    return run_cuda(source, name, options, given);
  if (options.shared_memory != 0)
    throw UsageError(
        fmt::format("kernel '{}': shared_memory is for CUDA files; pass gputest::local", name));
  const Launch launch = launch_of(options, fmt::format("kernel '{}'", name));
  const std::string original = read_source(source);
  const Context context(choose_device(options.device));

  BuildSettings settings{.build_options = options.build_options,
                         .definitions = options.definitions,
                         .include_dirs = {fs::absolute(source).parent_path()},
                         .cl_std = options.cl_std};
  for (const fs::path& folder : options.include_dirs)
    settings.include_dirs.push_back(fs::absolute(folder));
  const auto variant = instrumented(&context, fs::absolute(source), name, settings, options.driver);
  if (variant)
    settings = preprocessed(settings);
  settings.build_options.push_back("-cl-kernel-arg-info");
  const BuiltProgram program =
      build_program(context, variant ? variant->text : original, settings, source.string());
  const cl::Kernel kernel = make_kernel(program, name, source.string());
  const std::size_t count =
      checked(name, [&] { return kernel.getInfo<CL_KERNEL_NUM_ARGS>(); }) - (variant ? 1u : 0u);
  const std::vector<DeclaredArgument> declared = declared_arguments(kernel, context.device, count);
  if (given.size() != count)
    throw UsageError(
        fmt::format("kernel '{}' takes {} arguments, {} were given", name, count, given.size()));

  std::vector<LaunchArgument> arguments;
  for (std::size_t i = 0; i < count; ++i) {
    if (!declared.empty())
      check_argument(declared[i], given[i], i, name);
    arguments.push_back(
        launch_argument(given[i], declared.empty() ? nullptr : &declared[i], i, name));
  }
  // Tried elsewhere; here a driver that aborts would take the caller along.
  if (const std::string beyond =
          checked(name, [&] { return beyond_limits(context, kernel, launch, arguments, false); });
      !beyond.empty())
    throw DeviceError(fmt::format("kernel '{}': {}", name, beyond));
  Bytes state = variant ? make_state(variant->sites, 0) : Bytes();
  const LaunchOutcome outcome = launch_kernel(context, kernel, launch, arguments, state);
  if (variant)
    record(*variant, name, source, context.device.name, state);
  if (!outcome.out_of_bounds.empty())
    throw KernelError(fmt::format("{}", fmt::join(outcome.out_of_bounds, "\n")));

  return result_of(
      given, arguments,
      [&](std::size_t i) { return declared.empty() ? std::string() : declared[i].name; },
      outcome.seconds, context.device.name);
}

} // namespace

Result run_kernel(const fs::path& source, const std::string& name, const RunOptions& options,
                  std::vector<KernelArgument> given) {
  if (!options.own_process)
    return run_here(source, name, options, std::move(given));
  return run_apart(fmt::format("kernel '{}'", name), options.timeout, std::move(given),
                   [&](std::vector<KernelArgument> arguments) {
                     return run_here(source, name, options, std::move(arguments));
                   });
}

} // namespace gputest::detail
