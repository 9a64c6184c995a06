// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/memory/shards.h"

#include "memory/replay.h"
#include "model/json.h"
#include "model/memory/results.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

memory::Generated generated_of(const model::MemoryGeneration& generation) {
  if (!generation.run)
    throw model::FormatError("key 'run' is missing");
  return {.run = *generation.run,
          .progress = generation.progress,
          .executions = generation.executions,
          .states = generation.states,
          .solved = generation.solved,
          .faulty = generation.faulty,
          .seconds = generation.seconds,
          .note = generation.note.value_or("")};
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
  const auto take = [&](const fs::path& file, const model::MemoryResults& results) {
    if (results.content.empty())
      throw model::FormatError("is of no shard");
    const std::vector<model::MemoryCase>& all = results.cases;
    if (all.size() < cases.size())
      throw model::FormatError(fmt::format("has {} cases of {}", all.size(), cases.size()));
    if (results.generation)
      generated_.push_back(generated_of(*results.generation));
    else if (all.size() > cases.size())
      throw model::FormatError("has more cases than there are");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const model::MemoryCase& one = all[i];
      if (!one.replay)
        throw model::FormatError(fmt::format("case '{}' has no replay", one.name));
      const fs::path schedule = file.parent_path() / "memory" / *one.replay;
      const memory::Replay replay = memory::read_replay(schedule);
      if (i < cases.size()) {
        found_[i].push_back({replay.choice, memory::share(one.overhead, one.cycles)});
        continue;
      }
      for (const memory::NamedLaunch& named :
           memory::launches_of(kernel, {schedule.parent_path() / replay.case_file}, defaults))
        generated_.back().cases.push_back({.launch = named.launch,
                                           .choice = replay.choice,
                                           .condition = one.condition.value_or(""),
                                           .cycles = one.cycles,
                                           .lost = one.overhead});
    }
  };
  for (const std::string& file : files)
    model::read_json_file(
        file, [&](const model::Json& json) { take(file, model::memory_results_from_json(json)); });
}

memory::WarpChoice TakenShards::worst_of(std::size_t index,
                                         const memory::TriedSchedules& tried) const {
  return std::ranges::min_element(
             found_.at(index), {},
             [&](const Found& one) { return std::pair(-one.share, tried.index_of(one.choice)); })
      ->choice;
}

memory::Generated TakenShards::generated(const memory::GenerateSettings& settings) const {
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
  std::ranges::stable_sort(all.cases, std::greater{}, [&](const memory::FoundCase& one) {
    return one.harm(settings.worst_by);
  });
  all.cases.resize(std::min(settings.cases, all.cases.size()));
  return all;
}

} // namespace gputest::driver
