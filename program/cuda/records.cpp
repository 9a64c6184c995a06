// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/records.h"

#include "model/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace gputest::program {
namespace fs = std::filesystem;

namespace {

// Returns lines of JSON, file by file, without lines that a killed process did not finish.
std::vector<nlohmann::json> lines_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<nlohmann::json> lines;
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
      if (nlohmann::json json = nlohmann::json::parse(line, nullptr, false); !json.is_discarded())
        lines.push_back(std::move(json));
  }
  return lines;
}

} // namespace

std::vector<UnitRecord> read_records(const fs::path& folder, const fs::path& tables) {
  std::map<std::string, UnitRecord> units;
  for (const nlohmann::json& json : lines_in(folder)) {
    if (!json.contains("folder"))
      continue;
    const std::string path = json["folder"].get<std::string>();
    UnitRecord& unit = units[path];
    unit.folder = tables.empty() ? fs::path(path) : tables / fs::path(path).filename();
    unit.device = json.value("device", "simulator");
    if (unit.lost.empty())
      unit.lost = json.value("lost", "");
    unit.launches += json.at("launches").get<std::uint64_t>();
    const std::string digits = json.at("state").get<std::string>();
    unit.state.resize(std::max(unit.state.size(), digits.size() / 8));
    for (std::size_t i = 0; i < digits.size() / 8; ++i)
      unit.state[i] |= static_cast<std::uint32_t>(std::stoul(digits.substr(8 * i, 8), nullptr, 16));
  }
  std::vector<UnitRecord> result;
  for (auto& [path, unit] : units) {
    if (!fs::is_directory(unit.folder))
      throw model::FormatError(
          fmt::format("{}: error: no such folder: the compiler wrote its tables there "
                      "(--tables names another place for all of them)",
                      unit.folder.string()));
    result.push_back(std::move(unit));
  }
  return result;
}

std::set<fs::path> loaded_files(const fs::path& folder) {
  std::set<fs::path> files;
  for (const nlohmann::json& json : lines_in(folder))
    if (json.contains("loaded"))
      for (const nlohmann::json& file : json["loaded"])
        files.insert(file.get<std::string>());
  return files;
}

} // namespace gputest::program
