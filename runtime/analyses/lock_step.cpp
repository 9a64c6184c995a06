// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/lock_step.h"

#include "runtime/analyses/compare/device_comparison.h"
#include "runtime/process/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gputest::runtime {

void skip_without_lock_step(Plan& plan, RunBy by) {
  const bool by_analysis = by == RunBy::Analysis, with_device = by == RunBy::ComparisonWithDevice;
  if (!with_device && (plan.machine->stands_in || (by_analysis && plan.run->simulates)))
    return;
  std::map<unsigned, std::string> missing; // by number of work-items: who does not promise it
  std::vector<unsigned> wanted;            // by case
  for (const TestCase& test_case : plan.cases) {
    wanted.push_back(launch_of(test_case, plan.interface, plan.defaults).lock_step);
    if (wanted.back() != 0)
      missing[wanted.back()];
  }
  if (missing.empty())
    return;
  run_isolated({.work =
                    [&](const WorkerChannel& channel, std::size_t) {
                      const std::unique_ptr<Machine> machine =
                          with_device ? open_compared_device(plan) : plan.open_machine({});
                      for (const auto& [work_items, unknown] : missing)
                        if (!machine->keeps_in_step(work_items) ||
                            (!with_device && plan.run->renames_items))
                          channel.info({work_items, machine->name()});
                    },
                .on_info =
                    [&](const Json& info) {
                      const auto [work_items, name] = info.get<std::pair<unsigned, std::string>>();
                      missing[work_items] = name;
                    }});
  std::vector<TestCase> kept;
  std::string why;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const auto machine = missing.find(wanted[i]);
    if (machine == missing.end() || machine->second.empty()) {
      kept.push_back(std::move(plan.cases[i]));
      continue;
    }
    why = not_in_step(machine->second, wanted[i]);
    fmt::print("skipped: {}: {}\n", plan.cases[i].name, why);
  }
  plan.cases = std::move(kept);
  if (plan.cases.empty())
    throw NoDevice(fmt::format("no case is left: {}", why));
}

} // namespace gputest::runtime
