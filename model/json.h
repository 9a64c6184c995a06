// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads JSON, with errors that name the key. Internal to model/.
#pragma once

#include "model/interface.h"
#include "model/names.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gputest::model {

using Json = nlohmann::ordered_json;

// Returns whether an Unsigned can hold the number. nlohmann-json itself wraps and cuts numbers
// until they fit.
template <typename Unsigned> bool holds(const Json& json) {
  if (json.is_number_unsigned())
    return std::in_range<Unsigned>(json.get<std::uint64_t>());
  return json.is_number_integer() && std::in_range<Unsigned>(json.get<std::int64_t>());
}

// Returns the value at `key`, of an enumeration the enumerator of that name. Throws FormatError if
// it is absent, of another type, a whole number that T cannot hold, or an unknown name.
template <typename T> T required(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end())
    throw FormatError(std::string("key '") + key + "' is missing");
  try {
    if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
      if (!holds<T>(*found))
        throw FormatError(std::string("key '") + key + "' has the wrong value: " + found->dump());
    if constexpr (HasNames<T>) {
      const auto name = found->template get<std::string>();
      if (const auto known = named<T>(name))
        return *known;
      throw FormatError(std::string("key '") + key + "' has the unknown value '" + name + "'");
    } else {
      return found->template get<T>();
    }
  } catch (const nlohmann::json::exception&) {
    throw FormatError(std::string("key '") + key + "' has the wrong type: " + found->dump());
  }
}

// Returns the value at `key`, or nullopt when it is absent or null. Throws as required().
template <typename T> std::optional<T> optional(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null())
    return std::nullopt;
  return required<T>(json, key);
}

const Json& required_array(const Json& json, const char* key);

// Returns what `read` makes of each element of the array at `key`.
template <typename Read> auto required_list(const Json& json, const char* key, Read read) {
  std::vector<decltype(read(json))> list;
  for (const Json& entry : required_array(json, key))
    list.push_back(read(entry));
  return list;
}

// Enumerators are written by name.
template <typename T> Json written(const T& value) {
  if constexpr (HasNames<T>)
    return name_of(value);
  else
    return value;
}
template <typename T> Json or_null(const std::optional<T>& value) {
  return value ? written(*value) : Json(nullptr);
}

// Returns the name of a format without its version: "gputest-sites" of "gputest-sites-1".
std::string_view kind_of_format(std::string_view format);

// Throws FormatError unless json["format"] is `format`. Of the same format in another version, the
// message goes on with `what_to_do`.
void expect_format(const Json& json, std::string_view format,
                   std::string_view what_to_do = "; another version of GpuTestCheck has written "
                                                 "it: make it again with this");

// Parses JSON of an unknown author. Nesting deeper than kDeepest would use up the stack of code
// that goes through it. Throws FormatError for deeper nesting and for what is no JSON.
constexpr unsigned kDeepest = 100;
Json parse_json(std::string_view text);

// Parses a file. Throws FormatError, which names the file, also for files above kLargestFile bytes:
// the tree takes about ten times the memory.
constexpr std::size_t kLargestFile = std::size_t{1} << 30;
Json parse_file(const std::filesystem::path& file);

// Parses a file and returns what `read` makes of it. FormatErrors, also those of `read`, begin with
// the file's name.
template <typename Read> auto read_json_file(const std::filesystem::path& file, Read read) {
  const Json json = parse_file(file);
  try {
    return read(json);
  } catch (const FormatError& error) {
    throw FormatError(file.string() + ": error: " + error.what());
  }
}

// ---- The keys of an object and the members of a structure that they stand for: one list for both
// directions, in the structure's namespace ----
//
//   constexpr auto fields_of(const Guard*) {
//     return std::tuple{field("line", &Guard::line), field("text", &Guard::text)};
//   }
//
// Then Json(guard) is {"line": 3, "text": "a[i]"}, and required<Guard>(json, "guard") reads it. The
// same goes for lists of such structures, and for members that are such structures.

enum class Presence {
  Always,    // an object without the key is refused
  Written,   // always written; without it, the member keeps its default
  IfNotPlain // only written where the member does not have its default
};

template <Presence presence, typename T, typename Member> struct JsonField {
  const char* key;
  Member T::* member;

  // An optional value that is not there is null.
  void write(Json& json, const T& structure) const {
    const Member& value = structure.*member;
    if constexpr (presence == Presence::IfNotPlain)
      if (value == T().*member)
        return;
    if constexpr (requires { value.has_value(); })
      json[key] = or_null(value);
    else
      json[key] = written(value);
  }
  void read(const Json& json, T& structure) const {
    if constexpr (requires(Member value) { value.has_value(); }) {
      structure.*member = optional<typename Member::value_type>(json, key);
    } else if constexpr (presence == Presence::Always) {
      if constexpr (requires(Member list) { list.emplace_back(); })
        required_array(json, key);
      structure.*member = required<Member>(json, key);
    } else if (auto value = optional<Member>(json, key)) {
      structure.*member = std::move(*value);
    }
  }
};
template <Presence presence = Presence::Always, typename T, typename Member>
constexpr JsonField<presence, T, Member> field(const char* key, Member T::* member) {
  return {key, member};
}

template <typename T, typename... Fields>
void write_fields(Json& json, const T& structure, const std::tuple<Fields...>& fields) {
  std::apply([&](const auto&... field) { (field.write(json, structure), ...); }, fields);
}
template <typename T, typename... Fields>
void read_fields(const Json& json, T& structure, const std::tuple<Fields...>& fields) {
  std::apply([&](const auto&... field) { (field.read(json, structure), ...); }, fields);
}

// What nlohmann-json calls for such a structure.
template <typename T>
concept WithFields = requires(const T* structure) { fields_of(structure); };
template <WithFields T> void to_json(Json& json, const T& structure) {
  write_fields(json, structure, fields_of(&structure));
}
template <WithFields T> void from_json(const Json& json, T& structure) {
  read_fields(json, structure, fields_of(&structure));
}

} // namespace gputest::model
