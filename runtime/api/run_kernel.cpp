// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gputest/run_kernel.h"

#include "model/kernel_name.h"
#include "model/spirv/module.h"
#include "runtime/api/arguments.h"
#include "runtime/api/cuda.h"
#include "runtime/api/instrumented.h"
#include "runtime/api/launcher.h"
#include "runtime/api/run_apart.h"
#include "runtime/api/value_sizes.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/coverage_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;
using detail::Entry;

class Call {
public:
  Call(const Source& source, Entry entry, const std::string& name, const RunOptions& options)
      : source_(source), options_(options), is_function_(entry == Entry::Function), name_(name),
        kernel_(is_function_ ? model::wrapper_name(name) : name),
        language_(model::language_of(source.file)), machine_(kind_of_call(options, language_)) {
    if (model::row_of(language_).is_simulated && options_.cl_std.empty())
      options_.cl_std = model::row_of(language_).standard;
  }

  std::string what() const {
    return fmt::format("{} '{}'", is_function_ ? "function" : "kernel", name_);
  }

  bool is_simulated() const { return machine_.checks; }

  Result run(const std::vector<KernelArgument>& given) {
    const bool cuda = language_ == model::Language::Cuda;
    if (cuda)
      expect_of_cuda(options_, machine_, given, what());
    else if (options_.shared_memory != 0)
      throw UsageError(what() + ": shared_memory is for CUDA files; pass gputest::local");
    Launch launch = launch_of(options_, what());
    launch.shared_memory = options_.shared_memory;
    file_ = file_of(source_);
    name_of_source_ = source_.text ? file_.filename() : file_; // a text's file is in the cache
    std::string text = read_source(file_, name_of_source_);
    launcher_.emplace(options_, machine_);
    if (const Machine& machine = launcher_->machine();
        launch.lock_step != 0 && !machine.keeps_in_step(launch.lock_step))
      throw NoDevice(what() + ": " + not_in_step(machine.name(), launch.lock_step));
    const BuildSettings settings = this->settings();
    const bool simulated = is_simulated();
    const bool covered = !coverage_folder().empty() && has_source();
    std::optional<InstrumentedSource> variant;
    if (covered || is_function_ || (simulated && !cuda))
      variant = instrument_source(
          launcher_->machine(), file_, kernel_, is_function_ ? name_ : "", settings,
          command_of(options_, covered        ? "the kernel must be instrumented for this device"
                               : is_function_ ? "a kernel must be made that calls the function"
                                              : "the arguments must be read from the source"),
          source_.text.has_value());
    if (is_function_)
      text += '\n' + read_variant(variant->folder / model::file_of_variant("wrapper.cl", file_));

    // In the simulator, the author's text runs with checks, and then the instrumented text. A
    // device runs one text only.
    const bool instrumented = covered && !simulated;
    if (instrumented)
      build_instrumented(*variant, settings);
    else
      launcher_->build(text, settings, kernel_, name_of_source_.string(), 0);
    Signature signature =
        simulated && !cuda ? signature_of_source(*variant) : launcher_->signature();
    if (!simulated && !cuda)
      add_value_sizes(launcher_->machine(), text, settings, file_.string(), signature);
    std::vector<LaunchArgument> arguments = this->arguments(given, signature);
    std::vector<LaunchArgument> again;
    if (covered && simulated)
      again = arguments;
    Bytes state = instrumented ? make_state(variant->sites, 0) : Bytes();
    const LaunchOutcome outcome = launcher_->launch(launch, arguments, state);
    if (covered && simulated) {
      build_instrumented(*variant, settings);
      state = make_state(variant->sites, 0);
      launcher_->launch(launch, again, state);
    }
    if (covered)
      record_coverage(*variant, kernel_, file_, launcher_->machine().name(), state);
    if (!outcome.out_of_bounds.empty())
      throw KernelError(fmt::format("{}", fmt::join(outcome.out_of_bounds, "\n")));
    return {outcome.seconds, launcher_->machine().name(), outputs(given, arguments, signature)};
  }

private:
  // Whether there is a text to instrument. Says so where there is none.
  bool has_source() const {
    const model::LanguageRow& row = model::row_of(language_);
    if (!row.has_source)
      fmt::print(stderr,
                 "{}: note: coverage is not recorded, because it needs the source, and this "
                 "is {}; {}\n",
                 file_.string(), row.name, model::advice_for_source(file_.string()));
    return row.has_source;
  }

  BuildSettings settings() const {
    BuildSettings settings{.build_options = options_.build_options,
                           .definitions = options_.definitions,
                           .include_dirs = {file_.parent_path()},
                           .cl_std = options_.cl_std,
                           .language = language_};
    for (const fs::path& folder : options_.include_dirs)
      settings.include_dirs.push_back(fs::absolute(folder));
    return settings;
  }

  void build_instrumented(const InstrumentedSource& variant, const BuildSettings& settings) {
    launcher_.value().build(
        read_variant(variant.folder / model::file_of_variant("coverage.cl", file_)),
        preprocessed(settings), kernel_, name_of_source_.string(),
        model::row_of(language_).state_is_argument ? 1 : 0);
  }

  // The build has already thrown if there is no such kernel.
  Signature signature_of_source(const InstrumentedSource& variant) const {
    const model::Interface interface = model::read_interface(variant.folder / "interface.json");
    const model::KernelInterface* const kernel = interface.find(kernel_);
    if (!kernel)
      throw UsageError(fmt::format("{}: error: there is no kernel '{}'", file_.string(), kernel_));
    return signature_of(*kernel);
  }

  std::vector<LaunchArgument> arguments(const std::vector<KernelArgument>& given,
                                        const Signature& signature) const {
    if (given.size() != signature.arguments)
      throw UsageError(fmt::format("{} takes {} arguments, {} were given", what(),
                                   signature.arguments, given.size()));
    std::vector<LaunchArgument> arguments;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const DeclaredArgument* const declared =
          signature.declared.empty() ? nullptr : &signature.declared[i];
      if (declared)
        check_argument(*declared, given[i], i, kernel_);
      arguments.push_back(launch_argument(given[i], declared, i, kernel_));
    }
    return arguments;
  }

  // Copies back what the kernel wrote.
  std::vector<Result::Output> outputs(const std::vector<KernelArgument>& given,
                                      std::vector<LaunchArgument>& arguments,
                                      const Signature& signature) const {
    for (std::size_t i = 0; i < given.size(); ++i)
      check_unchanged(given[i], arguments[i], kernel_);
    std::vector<Result::Output> outputs;
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i].read_back)
        std::ranges::copy(arguments[i].bytes, given[i].read_back);
      if (given[i].output)
        outputs.push_back({i, signature.declared.empty() ? "" : arguments[i].name,
                           std::move(arguments[i].bytes)});
    }
    return outputs;
  }

  const Source& source_;
  RunOptions options_; // with the version of the language
  bool is_function_;
  std::string name_, kernel_;
  model::Language language_;
  const MachineKind& machine_;
  fs::path file_, name_of_source_;
  std::optional<Launcher> launcher_;
};

} // namespace
} // namespace gputest::runtime

gputest::Result gputest::detail::run(const Source& source, Entry entry, const std::string& name,
                                     const RunOptions& options,
                                     std::vector<KernelArgument> given) try {
  runtime::Call call(source, entry, name, options);
  if (!options.own_process || call.is_simulated()) // the simulator is a process of its own
    return call.run(given);
  return runtime::run_apart(
      call.what(), options.timeout, std::move(given),
      [&](const std::vector<KernelArgument>& arguments) { return call.run(arguments); });
} catch (const Error&) {
  throw;
} catch (const std::exception& error) { // from files and folders
  throw DeviceError(error.what());
}
