// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/builds/known_binaries.h"

#include "model/files.h"
#include "runtime/cases/values.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gputest::layer {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const fs::path& cache, std::span<const std::byte> binary) {
  const std::string text(reinterpret_cast<const char*>(binary.data()), binary.size());
  return cache / "binaries" / fmt::format("{}-{}.json", runtime::fingerprint(text), text.size());
}

constexpr std::string_view kStandIn = "program of GpuTestCheck\n";

std::string text_of(const std::vector<Unit>& units) {
  nlohmann::json json = nlohmann::json::array();
  for (const Unit& unit : units)
    json.push_back({{"source", unit.source}, {"options", unit.options}, {"headers", unit.headers}});
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Unit> units_of_text(std::string_view text) {
  std::vector<Unit> units;
  try {
    for (const auto& unit : nlohmann::json::parse(text))
      units.push_back({unit.at("source").get<std::string>(), unit.at("options").get<std::string>(),
                       unit.at("headers").get<std::vector<std::pair<std::string, std::string>>>()});
  } catch (const nlohmann::json::exception&) { // damaged
    units.clear();
  }
  return units;
}

} // namespace

void remember_binary(const fs::path& cache, std::span<const std::byte> binary,
                     const std::vector<Unit>& units) {
  const bool has_sources =
      std::ranges::none_of(units, [](const Unit& unit) { return unit.source.empty(); });
  const fs::path file = file_of(cache, binary);
  if (binary.empty() || units.empty() || !has_sources || fs::exists(file))
    return;
  fs::create_directories(file.parent_path());
  model::write_atomically(file, text_of(units));
}

std::vector<Unit> units_of_binary(const fs::path& cache, std::span<const std::byte> binary) {
  const auto text = model::read_text(file_of(cache, binary));
  return text ? units_of_text(*text) : std::vector<Unit>();
}

std::string stand_in_binary(const std::vector<Unit>& units) {
  return std::string(kStandIn) + text_of(units);
}

std::vector<Unit> units_of_stand_in(std::span<const std::byte> binary) {
  const std::string_view text(reinterpret_cast<const char*>(binary.data()), binary.size());
  std::vector<Unit> units;
  if (text.starts_with(kStandIn))
    units = units_of_text(text.substr(kStandIn.size()));
  for (Unit& unit : units)
    unit.stands_in = true;
  return units;
}

} // namespace gputest::layer
