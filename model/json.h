// Reading JSON with errors that name the key. Internal to model/.
#pragma once

#include "model/files.h"
#include "model/interface.h"

#include <nlohmann/json.hpp>

namespace gputest::model {

using Json = nlohmann::ordered_json;

// The value at `key`; FormatError when it is absent or of another type.
template <typename T> T required(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end())
    throw FormatError(std::string("key '") + key + "' is missing");
  try {
    return found->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw FormatError(std::string("key '") + key + "' has the wrong type: " + found->dump());
  }
}

// The value at `key`, or nothing when it is absent or null.
template <typename T> std::optional<T> optional(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null())
    return std::nullopt;
  return required<T>(json, key);
}

const Json& required_array(const Json& json, const char* key);

template <typename T> Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Throws FormatError unless json["format"] is `format`.
void expect_format(const Json& json, std::string_view format);

// Parses a file; FormatErrors, its own and those of `read`, begin with the file's name.
template <typename Read> auto read_json_file(const std::filesystem::path& file, Read read);

Json parse_file(const std::filesystem::path& file);

template <typename Read> auto read_json_file(const std::filesystem::path& file, Read read) {
  const Json json = parse_file(file);
  try {
    return read(json);
  } catch (const FormatError& error) {
    throw FormatError(file.string() + ": error: " + error.what());
  }
}

std::string pretty(const Json& json); // one array element of objects per line

} // namespace gputest::model
