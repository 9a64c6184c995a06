// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/records.h"

#include "model/json.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>

namespace gputest::program {
namespace fs = std::filesystem;

namespace {

// What a process says of a source when it ends.
struct SourceRecord {
  std::string folder{};
  std::string device = "simulator";
  std::string lost{};
  std::uint64_t launches = 0;
  std::string state{}; // 8 hexadecimal digits for each word
};
constexpr auto fields_of(const SourceRecord*) {
  using T = SourceRecord;
  using model::field, model::Presence;
  return std::tuple{field("folder", &T::folder), field<Presence::Written>("device", &T::device),
                    field<Presence::Written>("lost", &T::lost), field("launches", &T::launches),
                    field("state", &T::state)};
}

// Reads each line of JSON, file by file, without lines that a killed process did not finish.
void each_line(const fs::path& folder, const std::function<void(const model::Json&)>& read) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
      model::Json json;
      try {
        json = model::parse_json(line);
      } catch (const model::FormatError&) {
        continue;
      }
      try {
        read(json);
      } catch (const model::FormatError& error) {
        throw model::FormatError(fmt::format("{}: error: {}", file.string(), error.what()));
      }
    }
  }
}

std::vector<std::uint32_t> words_of(std::string_view digits) {
  constexpr std::size_t kDigits = 8;
  std::vector<std::uint32_t> words(digits.size() / kDigits);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char* const begin = digits.data() + kDigits * i;
    const auto [end, error] = std::from_chars(begin, begin + kDigits, words[i], 16);
    if (error != std::errc() || end != begin + kDigits)
      throw model::FormatError("key 'state' has more than hexadecimal digits");
  }
  return words;
}

} // namespace

std::vector<UnitRecord> read_records(const fs::path& folder, const fs::path& tables) {
  std::map<std::string, UnitRecord> units;
  each_line(folder, [&](const model::Json& json) {
    if (!json.contains("folder"))
      return;
    SourceRecord record;
    model::read_fields(json, record, fields_of(&record));
    UnitRecord& unit = units[record.folder];
    unit.folder =
        tables.empty() ? fs::path(record.folder) : tables / fs::path(record.folder).filename();
    unit.device = record.device;
    if (unit.lost.empty())
      unit.lost = record.lost;
    unit.launches += record.launches;
    const std::vector<std::uint32_t> words = words_of(record.state);
    unit.state.resize(std::max(unit.state.size(), words.size()));
    std::ranges::transform(words, unit.state, unit.state.begin(), std::bit_or());
  });
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
  each_line(folder, [&](const model::Json& json) {
    if (json.contains("loaded"))
      for (auto& file : model::required<std::vector<std::string>>(json, "loaded"))
        files.insert(file);
  });
  return files;
}

} // namespace gputest::program
