// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/memory/replays.h"

#include "model/files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Options that belong to this run alone: which schedules it tries, what must hold of them, and
// where results go.
constexpr std::array<std::string_view, 17> kOfThisRun{
    "schedule", "seed",     "schedules",  "issues",  "replays",  "overhead",
    "json",     "strategy", "executions", "budget",  "worst-by", "compare",
    "timeline", "keep",     "shard",      "content", "take"};

} // namespace

std::vector<std::string> words_of(const cxxopts::ParseResult& arguments) {
  std::vector<std::string> words;
  for (const cxxopts::KeyValue& one : arguments.arguments())
    if (std::ranges::find(kOfThisRun, one.key()) == kOfThisRun.end())
      words.push_back(fmt::format("--{}={}", one.key(), one.value()));
  return words;
}

void write_replays(const fs::path& folder, std::vector<std::pair<memory::Replay, std::size_t>> all,
                   const std::vector<std::string>& words, memory::KernelReport& result) {
  std::ranges::stable_sort(all, std::greater{}, [&](const auto& one) {
    return result.cases[one.second].overhead_percent();
  });
  fs::create_directories(folder);
  for (const fs::directory_entry& old : fs::directory_iterator(folder)) // of an earlier run
    if (const std::string stem = old.path().stem().string();
        old.path().extension() == ".json" && !stem.empty() &&
        stem.find_first_not_of("0123456789") == std::string::npos)
      fs::remove(old.path());
  for (std::size_t i = 0; i < all.size(); ++i) {
    memory::CaseReport& report = result.cases[all[i].second];
    const fs::path file = folder / fmt::format("{}.json", i + 1);
    report.replay = file.filename().string();
    nlohmann::ordered_json json = memory::to_json(all[i].first, report);
    json["command"] = words;
    json["directory"] = fs::current_path().string();
    model::write_atomically(file, model::pretty(json, 1));
  }
}

} // namespace gputest::driver
