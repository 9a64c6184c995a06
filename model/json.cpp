#include "model/json.h"

#include <fmt/format.h>
#include <fstream>

namespace gputest::model {

const Json& required_array(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end())
    throw FormatError(fmt::format("key '{}' is missing", key));
  if (!found->is_array())
    throw FormatError(fmt::format("key '{}' is not an array", key));
  return *found;
}

void expect_format(const Json& json, std::string_view format) {
  const auto found = required<std::string>(json, "format");
  if (found != format)
    throw FormatError(fmt::format("format is '{}', expected '{}'", found, format));
}

Json parse_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw FormatError(fmt::format("{}: error: cannot be read", file.string()));
  try {
    return Json::parse(stream);
  } catch (const nlohmann::json::exception& error) { // a number may be out of range
    throw FormatError(fmt::format("{}: error: not JSON: {}", file.string(), error.what()));
  }
}

} // namespace gputest::model
