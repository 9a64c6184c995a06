// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/annotations.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace {

// Escapes "%" and line ends and, in properties, the characters that end them.
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text)
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  return out;
}

std::string decoded(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned byte = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, byte, 16).ptr ==
            uri.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

std::string line_of(const nlohmann::json& result, std::string_view command) {
  const nlohmann::json& physical = result.at("locations").at(0).at("physicalLocation");
  std::string uri = decoded(physical.at("artifactLocation").at("uri").get<std::string>());
  if (uri.starts_with("file://"))
    uri.erase(0, 7);
  std::string place = "file=" + escaped(uri, true);
  if (const auto region = physical.find("region"); region != physical.end())
    place += fmt::format(",line={},col={}", region->at("startLine").get<unsigned>(),
                         region->at("startColumn").get<unsigned>());
  return fmt::format("::{} {},title={}::{}\n", command, place,
                     escaped(result.at("ruleId").get<std::string>(), true),
                     escaped(result.at("message").at("text").get<std::string>(), false));
}

} // namespace

std::string annotation(std::string_view level, std::string_view message) {
  return fmt::format("::{}::{}\n", level, escaped(message, false));
}

std::string annotations(const std::string& sarif) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> levels{
      {{"error", "error"}, {"warning", "warning"}, {"note", "notice"}}};
  const nlohmann::json log = nlohmann::json::parse(sarif);
  std::string text;
  for (const auto& [level, command] : levels)
    for (const nlohmann::json& run : log.at("runs"))
      for (const nlohmann::json& result : run.at("results"))
        if (result.at("level").get<std::string>() == level && !result.contains("suppressions"))
          text += line_of(result, command);
  return text;
}

} // namespace gputest::report
