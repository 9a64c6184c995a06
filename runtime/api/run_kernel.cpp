#include "gputest/run_kernel.h"

#include "model/coverage.h"
#include "runtime/api/run_apart.h"
#include "runtime/api/signature.h"
#include "runtime/machine/device_macros.h"
#include "runtime/machine/opencl/kernel_memory.h"
#include "runtime/machine/opencl/launch.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/source_text.h"
#include "runtime/process/file_lock.h"
#include "runtime/variants/coverage_collector.h"
#include "runtime/variants/instrument.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
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

std::optional<Instrumented> instrumented(const Context& context, const fs::path& source,
                                         const std::string& kernel, const BuildSettings& settings,
                                         const fs::path& driver) {
  const char* folder = std::getenv("GPUTEST_COVERAGE_DIR");
  if (!folder || !*folder)
    return std::nullopt;
  const fs::path cache = fs::path(folder) / "variants";
  const char* root = std::getenv("GPUTEST_SOURCE_ROOT");
  InstrumentRequest request{
      .source = source, .function = "", .settings = settings, .source_root = root ? root : ""};
  fs::path variant = instrument(request, find_driver(driver), cache);
  Instrumented result;
  result.sites = model::read_site_table(variant / "sites.json");
  request.device_macros =
      probe_macros(*opencl_machine(context), result.sites.device_macros, settings);
  if (request.device_macros != result.sites.device_macros) {
    variant = instrument(request, find_driver(driver), cache);
    result.sites = model::read_site_table(variant / "sites.json");
  }
  result.text = read_variant(variant / "coverage.cl");
  result.result =
      fs::path(folder) / fmt::format("{}.{}.coverage.json", source.stem().string(), kernel);
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

Result run_here(const fs::path& source, const std::string& name, const RunOptions& options,
                std::vector<KernelArgument> given) {
  const Launch launch = launch_of(options, fmt::format("kernel '{}'", name));
  const std::string original = read_source(source);
  const Context context(choose_device(options.device));

  BuildSettings settings{.build_options = options.build_options,
                         .definitions = options.definitions,
                         .include_dirs = {fs::absolute(source).parent_path()},
                         .cl_std = options.cl_std};
  for (const fs::path& folder : options.include_dirs)
    settings.include_dirs.push_back(fs::absolute(folder));
  const auto variant = instrumented(context, fs::absolute(source), name, settings, options.driver);
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

  std::vector<Result::Output> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    if (given[i].read_back)
      std::ranges::copy(arguments[i].bytes, given[i].read_back);
    if (given[i].output)
      outputs.push_back(
          {i, declared.empty() ? "" : declared[i].name, std::move(arguments[i].bytes)});
  }
  return {outcome.seconds, context.device.name, std::move(outputs)};
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
