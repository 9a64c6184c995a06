#include "runtime/device_comparison.h"

#include "model/files.h"
#include "runtime/comparison.h"
#include "runtime/simulator_machine.h"
#include "runtime/simulator_process.h"
#include "runtime/worker.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Empty: the same, bit for bit or within the tolerance, which `identical` tells.
std::string difference(const BoundCase& device, const BoundCase& simulator, bool& identical) {
  Tolerance tolerance = device.tolerance;
  if (!tolerance.absolute && !tolerance.relative && !tolerance.ulp)
    tolerance.ulp = kUlp;
  for (std::size_t i = 0; i < device.arguments.size(); ++i) {
    const LaunchArgument& argument = device.arguments[i];
    const Bytes &left = argument.bytes, &right = simulator.arguments[i].bytes;
    if (left == right)
      continue;
    identical = false;
    const Comparison comparison = compare(device.types[i], left, right, tolerance);
    if (!comparison.equal())
      return describe(comparison, argument.name);
  }
  return {};
}

Json measure(BuiltKernel& device, BuiltKernel& simulator, const BoundCase& test_case,
             unsigned runs) {
  std::vector<double> left_seconds, right_seconds;
  std::string differs;
  bool identical = true;
  for (unsigned run = 0; run <= runs; ++run) {
    BoundCase left = test_case, right = test_case;
    read_back_all(left);
    read_back_all(right);
    Bytes state;
    const double on_device = device.launch(left.launch, left.arguments, state).seconds;
    const double in_simulator = simulator.launch(right.launch, right.arguments, state).seconds;
    if (run == 0) { // compiles for this local size
      differs = difference(left, right, identical);
      continue;
    }
    left_seconds.push_back(on_device);
    right_seconds.push_back(in_simulator);
  }
  return {{"device", left_seconds},
          {"simulator", right_seconds},
          {"difference", differs},
          {"identical", identical}};
}

} // namespace

int compare_with_simulator(const Plan& plan, unsigned runs) {
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
            const char* const wanted = std::getenv("GPUTEST_OPENCL_DEVICE");
            const Context context(wanted && *wanted ? choose_device(wanted)
                                                    : list_devices().front());
            channel.info({{"device", context.device.name}});
            const Subject subject = original_subject(plan);
            const std::unique_ptr<Machine> machine = opencl_machine(context);
            SimulatorMachine simulator(find_simulator(plan.simulator), plan.simulation);
            const auto on_device =
                machine->build(subject.text, subject.settings, subject.kernel, subject.source);
            const auto in_simulator =
                simulator.build(subject.text, subject.settings, subject.kernel, subject.source);
            for (std::size_t i = first; i < plan.cases.size(); ++i) {
              const BoundCase test_case = bind_case(plan.cases[i], plan.interface, plan.defaults);
              channel.start(i);
              channel.done(i, measure(*on_device, *in_simulator, test_case, runs));
            }
          },
      .on_info = [&](const Json& info) { device = info.at("device").get<std::string>(); },
      .on_done =
          [&](std::size_t index, const Json& message) {
            Json result = message;
            result["name"] = plan.cases[index].name;
            cases.push_back(result);
            const auto differs = message.at("difference").get<std::string>();
            if (!differs.empty())
              return lose(index, "differs", differs);
            const double left = median(message.at("device").get<std::vector<double>>());
            const double right = median(message.at("simulator").get<std::vector<double>>());
            fmt::print("{}: {} (device {:.3f} ms, simulator {:.3f} ms)\n",
                       message.at("identical").get<bool>() ? "identical" : "within tolerance",
                       plan.cases[index].name, left * 1e3, right * 1e3);
          },
      .on_lost = [&](std::size_t index, const std::string& verdict, const std::string& message,
                     double) { lose(index, verdict, message); },
  });
  model::write_atomically(plan.result, model::pretty({{"format", "gputest-simulator-comparison-1"},
                                                      {"name", plan.name},
                                                      {"device", device},
                                                      {"checks", plan.simulation.checks},
                                                      {"cases", cases}}));
  return exit_code;
}

} // namespace gputest::runtime
