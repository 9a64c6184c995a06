// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/json.h"

#include "model/files.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::model {

const Json& required_array(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end())
    throw FormatError(fmt::format("key '{}' is missing", key));
  if (!found->is_array())
    throw FormatError(fmt::format("key '{}' is not an array", key));
  return *found;
}

std::string_view kind_of_format(std::string_view format) {
  return format.substr(0, format.rfind('-'));
}

void expect_format(const Json& json, std::string_view format, std::string_view what_to_do) {
  const auto found = required<std::string>(json, "format");
  if (found != format)
    throw FormatError(
        fmt::format("format is '{}', expected '{}'{}", found, format,
                    kind_of_format(found) == kind_of_format(format) ? what_to_do : ""));
}

namespace {

// Returns how deep brackets nest, except those in texts. Text that is no JSON is found when it is
// parsed.
unsigned depth_of(std::string_view text) {
  unsigned depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

} // namespace

Json parse_json(std::string_view text) {
  if (const unsigned depth = depth_of(text); depth > kDeepest)
    throw FormatError(fmt::format("nested {} deep, and no more than {} are read", depth, kDeepest));
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& error) { // a number may be out of range
    throw FormatError(fmt::format("not JSON: {}", error.what()));
  }
}

Json parse_file(const std::filesystem::path& file) {
  std::error_code unknown; // of a pipe: all of it is read
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  if (!unknown && bytes > kLargestFile)
    throw FormatError(fmt::format("{}: error: has {} bytes, and no more than {} are read",
                                  file.string(), bytes, kLargestFile));
  const std::optional<std::string> text = read_text(file);
  if (!text)
    throw FormatError(fmt::format("{}: error: cannot be read", file.string()));
  try {
    return parse_json(*text);
  } catch (const FormatError& error) {
    throw FormatError(fmt::format("{}: error: {}", file.string(), error.what()));
  }
}

} // namespace gputest::model
