// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/builds/build.h"

#include "gputest/error.h"
#include "layer/opencl/builds/variant_source.h"
#include "model/file_patterns.h"
#include "model/spirv/module.h"
#include "runtime/machine/opencl/opencl.h"
#include "runtime/machine/opencl/program.h"
#include "runtime/machine/source_text.h"

#include <fmt/format.h>

namespace gputest::layer {
namespace {

// OpenCL implementations count the NUL at the end.
std::string until_nul(const std::string& text) {
  return text.substr(0, text.find('\0'));
}

std::string platform_name(cl_device_id device) {
  const cl::Platform platform(cl::Device(device).getInfo<CL_DEVICE_PLATFORM>());
  return until_nul(platform.getInfo<CL_PLATFORM_NAME>());
}

runtime::Device describe(cl_device_id id) {
  const cl::Device device(id, true);
  const auto type = device.getInfo<CL_DEVICE_TYPE>();
  return {device, until_nul(device.getInfo<CL_DEVICE_NAME>()), platform_name(id),
          (type & CL_DEVICE_TYPE_GPU) != 0   ? "gpu"
          : (type & CL_DEVICE_TYPE_CPU) != 0 ? "cpu"
                                             : "accelerator",
          until_nul(device.getInfo<CL_DEVICE_VERSION>())};
}

cl_uint reference_count(cl_context context) {
  cl_uint count = 0;
  implementation().clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count,
                                    nullptr);
  return count;
}

std::unique_ptr<Instrumentation> instrumentation_of(const Services& services,
                                                    const runtime::InstrumentRequest& request) {
  const Measure& measure = *services.settings.measure_row;
  if (model::row_of(request.settings.language).has_source)
    return measure.instrument(services.settings);
  if (measure.instrument_module && services.simulator)
    return measure.instrument_module(services.settings);
  throw std::runtime_error(fmt::format("it is SPIR-V, and this needs the source{}; {}",
                                       measure.instrument_module ? " or --device simulator" : "",
                                       model::advice_for_source(request.source.string())));
}

} // namespace

TwinProgram::TwinProgram(Services& services, unsigned program, const std::vector<Unit>& units,
                         cl_context context, cl_device_id device)
    : services_(services), number_(program), context_(context), device_(device),
      description_(describe(device)) {
  VariantSource source = variant_source(services, units);
  instrumentation_ = instrumentation_of(services, source.request);
  source.request.variant = instrumentation_->variant();
  const std::vector<model::DeviceMacro> assumed = make(source.request);
  source.request.device_macros = macros(assumed, source.request.settings);
  if (source.request.device_macros != assumed)
    make(source.request);
  settings_ = instrumentation_->is_original() ? source.request.settings
                                              : runtime::preprocessed(source.request.settings);
  std::string text = instrumentation_->text(folder_, source.request.source);
  prints_ = text.find("printf") != std::string::npos;
  if (services.simulator) {
    instrumentation_->add_options("cpu", settings_);
    text_ = std::move(text);
    name_ = source.request.source.filename().string();
  } else {
    instrumentation_->add_options(description_.type, settings_);
    build(text);
  }
}

std::vector<model::DeviceMacro> TwinProgram::macros(const std::vector<model::DeviceMacro>& assumed,
                                                    const runtime::BuildSettings& settings) const {
  if (assumed.empty())
    return assumed;
  return services_.simulator ? services_.simulator->macros(assumed, settings)
                             : device_macros(services_.settings, description_, assumed, settings);
}

std::unique_ptr<runtime::BuiltKernel> TwinProgram::simulated(Simulator& simulator,
                                                             const std::string& kernel) const {
  return simulator.build(text_, settings_, kernel, name_);
}

std::string TwinProgram::hidden_effect() const {
  if (prints_)
    return "its source calls printf";
  std::size_t variables = 0; // bytes that a program may have
  implementation().clGetDeviceInfo(device_, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof variables,
                                   &variables, nullptr);
  if (settings_.cl_std >= "CL2.0" && (variables != 0 || services_.simulator))
    return "its source may have variables that keep their values (OpenCL C 2.0)";
  return "";
}

const std::vector<model::DeviceMacro>&
TwinProgram::make(const runtime::InstrumentRequest& request) {
  const Settings& settings = services_.settings;
  folder_ = runtime::instrument(request, runtime::find_driver(settings.driver),
                                settings.cache / "variants");
  return instrumentation_->read(folder_);
}

void TwinProgram::build(const std::string& text) {
  std::string options = fmt::format("{}", fmt::join(settings_.build_options, " "));
  if (!settings_.cl_std.empty())
    options += " -cl-std=" + settings_.cl_std;
  // PoCL prints on standard error that there were warnings. These are not the program's.
  options += " -w";
  for (const std::string& definition : settings_.definitions)
    options += " -D" + definition;
  const cl_uint references = reference_count(context_);
  const char* pointer = text.c_str();
  const std::size_t length = text.size();
  cl_int error = CL_SUCCESS;
  program_ = implementation().clCreateProgramWithSource(context_, 1, &pointer, &length, &error);
  if (program_)
    error =
        implementation().clBuildProgram(program_, 1, &device_, options.c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS) {
    context_references_ += reference_count(context_) - references;
    return;
  }
  std::string log;
  std::size_t size = 0;
  if (program_ && implementation().clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, 0,
                                                         nullptr, &size) == CL_SUCCESS) {
    log.resize(size);
    implementation().clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, size,
                                           log.data(), nullptr);
  }
  if (program_)
    implementation().clReleaseProgram(program_);
  throw std::runtime_error(fmt::format("{} does not build the instrumented program ({}): {}",
                                       description_.name, runtime::error_name(error), log.c_str()));
}

TwinProgram::~TwinProgram() {
  states_.clear();
  if (program_)
    implementation().clReleaseProgram(program_);
}

LaunchState& TwinProgram::state(const std::vector<std::uint64_t>& key,
                                const RequestedLaunch& request) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<LaunchState>& state = states_[{request.kernel, key}];
  if (!state) {
    LaunchPlan plan = instrumentation_->plan(request);
    const std::string file = services_.log.new_file_name();
    // Only PoCL is known to use a buffer in the host's memory as that memory at any time.
    const bool shared = description_.platform == "Portable Computing Language";
    const cl_uint references = reference_count(context_);
    const cl_context context = program_ ? context_ : nullptr;
    state.reset(
        new LaunchState{{context, device_, plan.state, services_.log.folder() / file, shared},
                        std::move(plan.launches),
                        plan.is_final,
                        std::move(plan.order)});
    context_references_ += reference_count(context_) - references;
    runtime::StateEvent event = std::move(plan.event);
    event.program = number_;
    event.kernel = request.kernel;
    event.device = program_ ? description_.name : "simulator";
    event.device_type = program_ ? description_.type : "cpu";
    event.variant = folder_;
    event.launch = request.number;
    event.file = file;
    services_.log.write(event);
  }
  return *state;
}

void TwinProgram::collect(bool now) {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, state] : states_)
    if (state)
      state->buffer.collect(now);
}

Build::Build(Services& services, cl_context context, std::vector<Unit> units)
    : services_(services), context_(context), units_(std::move(units)),
      number_(services.programs++) {
  runtime::ProgramEvent event{.number = number_};
  const bool has_source =
      std::ranges::none_of(units_, [](const Unit& unit) { return unit.source.empty(); });
  std::string reason;
  if (!has_source)
    reason = "it was created from a binary or from intermediate language whose source gputest has "
             "not seen: let the program build it from source once, under gputest run (where it "
             "keeps binaries of its own, empty that cache)";
  else
    try {
      describe_source(event);
    } catch (const std::exception& error) {
      reason = error.what();
    }
  event.wanted = is_wanted_;
  services.log.write(event);
  if (!reason.empty()) {
    is_wanted_ = false;
    not_measured("", reason);
  }
}

// Returns whether nothing of the program is measured.
bool Build::is_excluded(const NamedSource& name) const {
  const Settings& settings = services_.settings;
  const auto is_out = [&](const std::filesystem::path& file) {
    return model::matches_any(settings.exclude, file.string()) ||
           model::matches_any(settings.exclude,
                              file.lexically_relative(settings.source_root).string());
  };
  return !settings.exclude.empty() && std::ranges::all_of(name.files, is_out) &&
         (!name.has_other || is_out(name.name));
}

void Build::describe_source(runtime::ProgramEvent& event) {
  const VariantSource source = variant_source(services_, units_);
  const Settings& settings = services_.settings;
  is_wanted_ = stands_in() ||
               ((source.name.has_file || !settings.only_kernel_files) && !is_excluded(source.name));
  if (settings.measure_row->one_source && !settings.trace)
    is_wanted_ = is_wanted_ && source.name.stem == settings.stem;
  stem_ = source.name.stem;
  identity_ =
      fmt::format("{} {} {}", source.request.source.string(), source.request.settings.cl_std,
                  fmt::join(source.request.settings.definitions, " "));
  event.stem = stem_;
  event.name = source.name.name;
  event.source = source.request.source;
  event.definitions = source.request.settings.definitions;
  event.build_options = source.request.settings.build_options;
  event.cl_std = source.request.settings.cl_std;
  for (const auto& folder : source.request.settings.include_dirs)
    event.include_dirs.push_back(folder.string());
}

const model::KernelInterface* Build::described(const std::string& kernel) {
  std::string reason;
  {
    const std::lock_guard lock(mutex_);
    if (!interface_)
      try {
        interface_.emplace();
        const Settings& settings = services_.settings;
        const auto folder =
            runtime::instrument(variant_source(services_, units_).request,
                                runtime::find_driver(settings.driver), settings.cache / "variants");
        interface_ = model::read_interface(folder / "interface.json");
      } catch (const std::exception& error) {
        reason = error.what();
      }
  }
  if (!reason.empty())
    not_measured("", reason);
  return interface_->find(kernel);
}

TwinProgram* Build::variant(cl_device_id device) {
  if (!is_wanted_)
    return nullptr;
  const std::lock_guard lock(mutex_);
  const auto known = variants_.find(device);
  if (known != variants_.end())
    return known->second.get();
  std::unique_ptr<TwinProgram>& variant = variants_[device];
  std::string reason;
  try {
    variant = std::make_unique<TwinProgram>(services_, number_, units_, context_, device);
  } catch (const cl::Error& error) {
    reason = runtime::device_error(error, "instrumenting it").what();
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (!variant)
    services_.log.write(runtime::NotMeasuredEvent{.program = number_, .reason = reason});
  return variant.get();
}

void Build::collect(bool now) {
  const std::lock_guard lock(mutex_);
  for (const auto& [device, variant] : variants_)
    if (variant)
      variant->collect(now);
}

cl_uint Build::context_references() {
  const std::lock_guard lock(mutex_);
  cl_uint count = 0;
  for (const auto& [device, variant] : variants_)
    count += variant ? variant->context_references() : 0;
  return count;
}

void Build::not_measured(const std::string& kernel, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  const std::string what = kernel + '\n' + reason;
  if (std::ranges::find(told_, what) != told_.end())
    return;
  told_.push_back(what);
  services_.log.write(runtime::NotMeasuredEvent{number_, kernel, reason});
}

} // namespace gputest::layer
