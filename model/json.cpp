#include "model/json.h"

#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace gputest::model {
namespace {

bool is_leaf(const Json& json) {
  if (!json.is_structured())
    return true;
  for (const Json& child : json)
    if (child.is_structured() && !child.empty())
      return false;
  return true;
}

// Objects at the top are spread over lines; what sits in a top-level array takes one line each.
void print(const Json& json, int depth, std::string& out) {
  const auto dump = [](const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  if (depth >= 2 || is_leaf(json)) {
    out += dump(json);
    return;
  }
  const std::string indent(static_cast<std::size_t>(depth + 1) * 2, ' ');
  out += json.is_array() ? '[' : '{';
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out += indent;
    if (json.is_object())
      out += dump(Json(key)) + ": ";
    print(value, depth + 1, out);
  }
  out += '\n' + indent.substr(2) + (json.is_array() ? ']' : '}');
}

} // namespace

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
  } catch (const nlohmann::json::parse_error& error) {
    throw FormatError(fmt::format("{}: error: not JSON: {}", file.string(), error.what()));
  }
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::path temporary = file;
  temporary += fmt::format(".{}.tmp", ::getpid());
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) {
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
      throw std::runtime_error(fmt::format("{}: error: cannot be written", file.string()));
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw std::runtime_error(
        fmt::format("{}: error: cannot be written: {}", file.string(), error.message()));
  }
}

std::string pretty(const Json& json) {
  std::string out;
  print(json, 0, out);
  return out + '\n';
}

} // namespace gputest::model
