// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/harness/harness.h"

#include "gputest/error.h"
#include "model/files.h"
#include "model/interface.h"
#include "model/settings.h"
#include "runtime/analyses/compare/device_comparison.h"
#include "runtime/analyses/compare/variant_comparison.h"
#include "runtime/analyses/lock_step.h"
#include "runtime/analyses/test/recall.h"
#include "runtime/analyses/test/run.h"
#include "runtime/machine/opencl/pocl.h"
#include "runtime/plan/case_places.h"
#include "store/store.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

int run(const KernelDescription& description, int argc, const char* const* argv,
        const Registry& registry) {
  const Options options = parse_options(description.name, registry.analyses, argc, argv);
  if (options.help) {
    fmt::print("{}\n", *options.help);
    return 0;
  }
  speed_up_pocl();
  if (options.list_devices) {
    print_devices(registry.machines, {.simulator = described_path(description.simulator)});
    return 0;
  }
  Plan plan = make_plan(description, options, registry);
  if (options.as_json) {
    fmt::print("{}", model::pretty(places_of(plan.cases)));
    return 0;
  }
  if (options.list_cases) {
    for (const TestCase& test_case : plan.cases)
      fmt::print("{}\n", test_case.name);
    return 0;
  }
  check_sources(plan);
  // A kernel that runs only in the simulator has no device to compare with.
  const bool with_device = options.compare && plan.machine->stands_in &&
                           plan.settings.language == model::Language::OpenCL;
  skip_without_lock_step(plan, with_device       ? RunBy::ComparisonWithDevice
                               : options.compare ? RunBy::Comparison
                                                 : RunBy::Analysis);
  if (options.recall)
    return recall(plan, description);
  std::error_code unwritable; // said where the result is written
  std::filesystem::create_directories(plan.result.parent_path(), unwritable);
  if (!options.compare) {
    const AnalysisRun& by_default = run_of(registry, registry.analyses.front());
    return (plan.run->run ? *plan.run : by_default).run(plan, description);
  }
  return with_device ? compare_with_device(plan, *options.compare)
                     : compare_variants(plan, description, *options.compare);
}

// Messages that begin with a file have "error" in them already.
void print_error(const std::string& message) {
  const bool has_place = message.find(": error: ") != std::string::npos;
  fmt::print(stderr, "{}{}\n", has_place ? "" : "error: ", message);
}

} // namespace

int run_harness(const KernelDescription& description, int argc, const char* const* argv,
                const Registry& registry) {
  try {
    return run(description, argc, argv, registry);
  } catch (const NoDevice& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 77;
  } catch (const UsageError& error) {
    print_error(error.what());
    return 2;
  } catch (const model::SettingError& error) {
    print_error(error.what());
    return 2;
  } catch (const model::FormatError& error) {
    print_error(error.what());
    return 2;
  } catch (const model::WriteError& error) {
    print_error(error.what());
    return model::exit_code_of_writing(error.reason());
  } catch (const std::filesystem::filesystem_error& error) { // a folder that cannot be made
    print_error(model::WriteError(error.path1(), error.code()).what());
    return model::exit_code_of_writing(error.code());
  } catch (const store::StoreError& error) {
    print_error(error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    print_error(error.what());
    return 3;
  }
}

} // namespace gputest::runtime

int gputest::harness_main(const KernelDescription& description, int argc, const char* const* argv) {
  return runtime::run_harness(runtime::KernelDescription(description), argc, argv,
                              runtime::registry());
}
