#include "runtime/variant_comparison.h"

#include "model/files.h"
#include "runtime/coverage_state.h"
#include "runtime/harness_run.h"
#include "runtime/mutation_programs.h"
#include "runtime/schedule_programs.h"
#include "runtime/schedule_state.h"
#include "runtime/worker.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

struct Measured {
  std::vector<double> original, instrumented; // seconds
  std::string difference;                     // empty: none
};

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// The first argument whose memory differs, and where.
std::string first_difference(const BoundCase& original, const BoundCase& instrumented) {
  for (std::size_t i = 0; i < original.arguments.size(); ++i) {
    const Bytes& left = original.arguments[i].bytes;
    const Bytes& right = instrumented.arguments[i].bytes;
    const auto [at, other] = std::ranges::mismatch(left, right);
    if (at != left.end() || other != right.end())
      return fmt::format("'{}' differs from byte {} on", original.arguments[i].name,
                         at - left.begin());
  }
  return {};
}

Measured measure(CaseRunner& original, CaseRunner& instrumented, const BoundCase& test_case,
                 unsigned runs) {
  Measured result;
  for (unsigned run = 0; run <= runs; ++run) {
    BoundCase left = test_case, right = test_case;
    const double left_seconds = original.launch_alone(left);
    const double right_seconds = instrumented.launch_alone(right);
    if (run == 0) { // compiles for this local size
      result.difference = first_difference(left, right);
      continue;
    }
    result.original.push_back(left_seconds);
    result.instrumented.push_back(right_seconds);
  }
  return result;
}

Subject variant_subject(const Plan& plan, const Context& context) {
  if (plan.schedules) {
    const auto folder = schedule_folder(plan, read_sites(plan.kernel_dir), context);
    Subject subject = schedule_subject(plan, folder, "schedule.cl");
    subject.scheduled = true;
    return subject;
  }
  if (!plan.mutation)
    return instrumented_subject(plan, variant_folder(plan, *opencl_machine(context)));
  const auto folder = mutants_folder(plan, read_mutants(plan.kernel_dir), context);
  Subject subject{.source = (folder / "mutants.cl").string(),
                  .text = read_variant(folder / "mutants.cl"),
                  .kernel = plan.kernel,
                  .settings = preprocessed(plan.settings),
                  .sites = {},
                  .mutants = read_mutants(folder)};
  return subject;
}

} // namespace

int compare_variants(const Plan& plan, const KernelDescription& description, unsigned runs) {
  Json cases = Json::array();
  std::string device;
  int exit_code = 0;
  const auto lose = [&](std::size_t index, const std::string& verdict, const std::string& message) {
    fmt::print("{}: {}\n  {}\n", verdict, plan.cases[index].name, message);
    exit_code = 1;
  };
  run_isolated({
      .cases = plan.cases.size(),
      .timeout = plan.timeout,
      .work =
          [&](const WorkerChannel& channel, std::size_t first) {
            const Context context(choose_device(plan.device));
            channel.info({{"device", context.device.name}});
            const std::unique_ptr<Machine> machine = opencl_machine(context);
            CaseRunner original(*machine, original_subject(plan), description.reference);
            CaseRunner instrumented(*machine, variant_subject(plan, context),
                                    description.reference);
            for (std::size_t i = first; i < plan.cases.size(); ++i) {
              BoundCase test_case = bind_case(plan.cases[i], plan.interface, plan.defaults);
              if (plan.schedules) // which groups there are must be known
                test_case.launch =
                    with_local_size(test_case.launch,
                                    context.device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
              channel.start(i);
              const Measured result = measure(original, instrumented, test_case, runs);
              channel.done(i, {{"original", result.original},
                               {"instrumented", result.instrumented},
                               {"difference", result.difference}});
            }
          },
      .on_info = [&](const Json& info) { device = info.at("device").get<std::string>(); },
      .on_done =
          [&](std::size_t index, const Json& message) {
            const auto difference = message.at("difference").get<std::string>();
            if (!difference.empty())
              return lose(index, "differs", difference);
            const double left = median(message.at("original").get<std::vector<double>>());
            const double right = median(message.at("instrumented").get<std::vector<double>>());
            fmt::print("identical: {}", plan.cases[index].name);
            if (left > 0)
              fmt::print(" (original {:.3f} ms, instrumented {:.3f} ms, ratio {:.2f})", left * 1e3,
                         right * 1e3, right / left);
            fmt::print("\n");
            cases.push_back({{"name", plan.cases[index].name},
                             {"original", message.at("original")},
                             {"instrumented", message.at("instrumented")}});
          },
      .on_lost = [&](std::size_t index, const std::string& verdict, const std::string& message,
                     double) { lose(index, verdict, message); },
  });
  model::write_atomically(plan.result, Json{{"format", "gputest-comparison-1"},
                                            {"name", plan.name},
                                            {"device", device},
                                            {"cases", cases}}
                                               .dump(1) +
                                           '\n');
  return exit_code;
}

} // namespace gputest::runtime
