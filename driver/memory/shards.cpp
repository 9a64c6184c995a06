#include "driver/memory/shards.h"

#include "memory/replay.h"
#include "model/json.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using model::Json;
using model::required;

memory::Generated generated_of(const Json& json) {
  memory::Generated found{.executions = required<std::size_t>(json, "executions"),
                          .states = required<std::size_t>(json, "states"),
                          .solved = required<std::size_t>(json, "solved"),
                          .faulty = required<std::size_t>(json, "faulty"),
                          .seconds = required<double>(json, "seconds"),
                          .note = model::optional<std::string>(json, "note").value_or("")};
  for (const Json& one : model::required_array(json, "run"))
    found.run.push_back(one.get<bool>());
  for (const Json& one : model::required_array(json, "progress"))
    found.progress.push_back({.seconds = required<double>(one, "seconds"),
                              .executions = required<std::size_t>(one, "executions"),
                              .issues = required<std::size_t>(one, "issues"),
                              .overhead_percent = required<double>(one, "overhead_percent")});
  return found;
}

std::size_t issues_of(const memory::Generated& found) {
  return found.progress.empty() ? 0 : found.progress.back().issues;
}

bool same_case(const memory::FoundCase& a, const memory::FoundCase& b) {
  const auto same = [](const memory::GivenArgument& one, const memory::GivenArgument& other) {
    return one.bytes == other.bytes && one.local_bytes == other.local_bytes;
  };
  return a.cycles == b.cycles && a.lost == b.lost &&
         std::ranges::equal(a.launch.arguments, b.launch.arguments, same);
}

} // namespace

TakenShards::TakenShards(const std::vector<std::string>& files,
                         const std::vector<memory::NamedLaunch>& cases,
                         const memory::Kernel& kernel, const memory::LaunchDefaults& defaults)
    : found_(cases.size()) {
  const auto take = [&](const fs::path& file, const Json& json) {
    model::expect_format(json, "gputest-memory-1");
    if (!json.contains("content"))
      throw model::FormatError("is of no shard");
    const Json& all = model::required_array(json, "cases");
    if (all.size() < cases.size())
      throw model::FormatError(fmt::format("has {} cases of {}", all.size(), cases.size()));
    if (json.contains("generation"))
      generated_.push_back(generated_of(json.at("generation")));
    else if (all.size() > cases.size())
      throw model::FormatError("has more cases than there are");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const fs::path schedule =
          file.parent_path() / "memory" / required<std::string>(all[i], "replay");
      const memory::Replay replay = memory::read_replay(schedule);
      const auto cycles = required<memory::Cycles>(all[i], "cycles"),
                 lost = required<memory::Cycles>(all[i], "overhead");
      if (i < cases.size()) {
        found_[i].push_back({replay.choice, memory::share(lost, cycles)});
        continue;
      }
      for (const memory::NamedLaunch& named :
           memory::launches_of(kernel, {schedule.parent_path() / replay.case_file}, defaults))
        generated_.back().cases.push_back(
            {.launch = named.launch,
             .choice = replay.choice,
             .condition = model::optional<std::string>(all[i], "condition").value_or(""),
             .cycles = cycles,
             .lost = lost});
    }
  };
  for (const std::string& file : files)
    model::read_json_file(file, [&](const Json& json) { take(file, json); });
}

memory::WarpChoice TakenShards::worst_of(std::size_t index,
                                         const memory::TriedSchedules& tried) const {
  return std::ranges::min_element(
             found_.at(index), {},
             [&](const Found& one) { return std::pair(-one.share, tried.index_of(one.choice)); })
      ->choice;
}

memory::Generated TakenShards::generated(std::size_t keep) const {
  memory::Generated all;
  for (const memory::Generated& part : generated_) {
    if (all.progress.empty() || issues_of(part) > issues_of(all))
      all.progress = part.progress;
    all.executions += part.executions;
    all.states += part.states;
    all.solved += part.solved;
    all.faulty += part.faulty;
    all.seconds += part.seconds;
    if (all.note.empty())
      all.note = part.note;
    all.run.resize(std::max(all.run.size(), part.run.size()));
    for (std::size_t i = 0; i < part.run.size(); ++i)
      all.run[i] = all.run[i] || part.run[i];
    for (const memory::FoundCase& one : part.cases)
      if (std::ranges::none_of(
              all.cases, [&](const memory::FoundCase& known) { return same_case(known, one); }))
        all.cases.push_back(one);
  }
  std::ranges::stable_sort(all.cases, std::greater{}, &memory::FoundCase::share);
  all.cases.resize(std::min(keep, all.cases.size()));
  return all;
}

} // namespace gputest::driver
