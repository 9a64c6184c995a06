#include "gputest/harness.h"

#include "gputest/error.h"
#include "model/interface.h"
#include "runtime/analyses/check/run.h"
#include "runtime/analyses/compare/device_comparison.h"
#include "runtime/analyses/compare/variant_comparison.h"
#include "runtime/analyses/mutation/run.h"
#include "runtime/analyses/schedules/run.h"
#include "runtime/analyses/test/run.h"
#include "store/store.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest {
namespace {

int run(const KernelDescription& description, int argc, const char* const* argv) {
  const runtime::Options options = runtime::parse_options(description.name, argc, argv);
  if (!options.help.empty()) {
    fmt::print("{}\n", options.help);
    return 0;
  }
  if (options.list_devices) {
    runtime::print_devices(runtime::described_path(description.simulator));
    return 0;
  }
  const runtime::Plan plan = runtime::make_plan(description, options);
  if (options.list_cases) {
    for (const runtime::TestCase& test_case : plan.cases)
      fmt::print("{}\n", test_case.name);
    return 0;
  }
  runtime::check_sources(plan);
  if (options.compare > 0 && runtime::wants_simulator(plan.device))
    return runtime::compare_with_simulator(plan, options.compare);
  if (options.compare > 0)
    return runtime::compare_variants(plan, description, options.compare);
  if (plan.schedules)
    return runtime::run_schedules(plan);
  if (plan.check)
    return runtime::run_checks(plan);
  return plan.mutation ? runtime::run_mutation(plan, description)
                       : runtime::run_plan(plan, description);
}

// Messages that begin with a file have "error" in them already.
void print_error(const std::string& message) {
  const bool has_place = message.find(": error: ") != std::string::npos;
  fmt::print(stderr, "{}{}\n", has_place ? "" : "error: ", message);
}

} // namespace

int harness_main(const KernelDescription& description, int argc, const char* const* argv) {
  try {
    return run(description, argc, argv);
  } catch (const NoDevice& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 77;
  } catch (const UsageError& error) {
    print_error(error.what());
    return 2;
  } catch (const model::FormatError& error) {
    print_error(error.what());
    return 2;
  } catch (const store::StoreError& error) {
    print_error(error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    print_error(error.what());
    return 3;
  }
}

} // namespace gputest
