#include "runtime/analyses/compare/side_by_side.h"

#include "model/files.h"
#include "runtime/process/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gputest::runtime {
namespace {

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Json measure(const Sides& sides, const SideBySide& what, const BoundCase& test_case,
             unsigned runs) {
  std::vector<double> left_seconds, right_seconds;
  Likeness likeness;
  for (unsigned run = 0; run <= runs; ++run) {
    BoundCase left = test_case, right = test_case;
    const double left_second = sides.left(left), right_second = sides.right(right);
    if (run == 0) { // compiles for this local size
      likeness = what.compare(left, right);
      continue;
    }
    left_seconds.push_back(left_second);
    right_seconds.push_back(right_second);
  }
  return {{what.left, left_seconds},
          {what.right, right_seconds},
          {"difference", likeness.difference},
          {"identical", likeness.identical}};
}

} // namespace

int run_side_by_side(const Plan& plan, unsigned runs, const SideBySide& what) {
  Json cases = Json::array();
  std::string device;
  int exit_code = 0;
  const auto lose = [&](std::size_t index, const std::string& verdict, const std::string& message) {
    fmt::print("{}: {}\n  {}\n", verdict, plan.cases[index].name, message);
    exit_code = 1;
  };
  const auto work = [&](const WorkerChannel& channel, std::size_t first) {
    const Sides sides = what.open();
    channel.info({{"device", sides.device}});
    for (std::size_t i = first; i < plan.cases.size(); ++i) {
      BoundCase test_case = bind_case(plan.cases[i], plan.interface, plan.defaults);
      if (sides.prepare)
        sides.prepare(test_case);
      channel.start(i);
      channel.done(i, measure(sides, what, test_case, runs));
    }
  };
  const auto on_done = [&](std::size_t index, const Json& message) {
    Json result{{"name", plan.cases[index].name}};
    result.update(message);
    cases.push_back(result);
    const auto difference = message.at("difference").get<std::string>();
    if (!difference.empty())
      return lose(index, "differs", difference);
    const double left = median(message.at(what.left).get<std::vector<double>>());
    const double right = median(message.at(what.right).get<std::vector<double>>());
    fmt::print("{}: {}", message.at("identical").get<bool>() ? "identical" : "within tolerance",
               plan.cases[index].name);
    if (left > 0)
      fmt::print(" ({} {:.3f} ms, {} {:.3f} ms, ratio {:.2f})", what.left, left * 1e3, what.right,
                 right * 1e3, right / left);
    fmt::print("\n");
  };
  run_isolated({
      .cases = plan.cases.size(),
      .timeout = plan.timeout,
      .work = work,
      .on_info = [&](const Json& info) { device = info.at("device").get<std::string>(); },
      .on_done = on_done,
      .on_lost = [&](std::size_t index, const std::string& verdict, const std::string& message,
                     double) { lose(index, verdict, message); },
  });
  model::write_atomically(plan.result, model::pretty({{"format", what.format},
                                                      {"name", plan.name},
                                                      {"device", device},
                                                      {"checks", plan.simulation.checks},
                                                      {"cases", cases}}));
  return exit_code;
}

} // namespace gputest::runtime
