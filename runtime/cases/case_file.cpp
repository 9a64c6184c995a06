// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/case_file.h"

#include "gputest/error.h"
#include "model/json.h"
#include "model/names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <ranges>
#include <string_view>
#include <tuple>

namespace gputest::runtime {
namespace {

// What is said of a value that is not as it must be.
UsageError wrong(const Json& json, const std::string& what, std::string_view expected) {
  return UsageError(fmt::format("{}: {} is not {}", what, json.dump(), expected));
}

// Each of these reads a value that a user has written. `what` begins messages.
void read_value(const Json& json, const std::string& what, std::string& value) {
  if (!json.is_string())
    throw wrong(json, what, "a text");
  value = json.get<std::string>();
}
void read_value(const Json& json, const std::string& what, bool& value) {
  if (!json.is_boolean())
    throw wrong(json, what, "true or false");
  value = json.get<bool>();
}
void read_value(const Json& json, const std::string& what, std::size_t& value) {
  if (!json.is_number_unsigned())
    throw wrong(json, what, "a whole number of 0 or more");
  value = json.get<std::size_t>();
}
void read_value(const Json& json, const std::string& what, double& value) {
  if (!json.is_number())
    throw wrong(json, what, "a number");
  value = json.get<double>();
  if (!(value >= 0))
    throw UsageError(fmt::format("{} must not be negative", what));
}
void read_value(const Json& json, const std::string& what, std::vector<std::size_t>& sizes) {
  if (json.is_number_unsigned()) {
    sizes = {json.get<std::size_t>()};
    return;
  }
  if (!json.is_array() || json.empty() || json.size() > 3)
    throw wrong(json, what, "an array of 1 to 3 sizes");
  for (const Json& size : json)
    read_value(size, what, sizes.emplace_back());
}
void read_value(const Json& json, const std::string& what, Fill& fill) {
  fill = parse_fill(json, what);
}
void read_value(const Json& json, const std::string& what, std::filesystem::path& file) {
  std::string name;
  read_value(json, what, name);
  file = name;
}
void read_value(const Json& json, const std::string&, Json& value) {
  value = json;
}
void read_value(const Json& json, const std::string& what, Tolerance& tolerance);
template <typename T>
void read_value(const Json& json, const std::string& what, std::optional<T>& value) {
  read_value(json, what, value.emplace());
}

// Reads an object that has these fields, each of which may be left out, and `others`.
template <typename T, typename... Fields>
void read_keys(const Json& object, const std::string& what, T& structure,
               const std::tuple<Fields...>& fields, std::vector<std::string_view> others = {}) {
  if (!object.is_object())
    throw wrong(object, what, "an object");
  std::vector<std::string_view> known = std::apply(
      [](const auto&... field) { return std::vector<std::string_view>{field.key...}; }, fields);
  known.insert(known.end(), others.begin(), others.end());
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end())
      throw UsageError(
          fmt::format("{}: key '{}' is unknown; there are: {}", what, key, fmt::join(known, ", ")));
  const auto read = [&](const auto& field) {
    if (object.contains(field.key))
      read_value(object[field.key], what + ", " + field.key, structure.*field.member);
  };
  std::apply([&](const auto&... field) { (read(field), ...); }, fields);
}

constexpr auto kToleranceFields = std::tuple{model::field("absolute", &Tolerance::absolute),
                                             model::field("relative", &Tolerance::relative),
                                             model::field("ulp", &Tolerance::ulp)};

void read_value(const Json& json, const std::string& what, Tolerance& tolerance) {
  read_keys(json, what, tolerance, kToleranceFields);
}

constexpr auto kArgumentFields =
    std::tuple{model::field("size", &ArgumentValue::size),
               model::field("fill", &ArgumentValue::fill),
               model::field("values", &ArgumentValue::values),
               model::field("file", &ArgumentValue::file),
               model::field("seed", &ArgumentValue::seed),
               model::field("shape", &ArgumentValue::shape),
               model::field("channel_order", &ArgumentValue::channel_order),
               model::field("channel_type", &ArgumentValue::channel_type),
               model::field("addressing_mode", &ArgumentValue::addressing_mode),
               model::field("filter_mode", &ArgumentValue::filter_mode),
               model::field("normalized_coordinates", &ArgumentValue::normalized_coordinates),
               model::field("local", &ArgumentValue::local),
               model::field("output", &ArgumentValue::output)};

bool is_argument_key(std::string_view key) {
  return std::apply([&](const auto&... field) { return ((field.key == key) || ...); },
                    kArgumentFields);
}

bool is_members(const Json& object, const model::Argument& argument) {
  using Kind = model::Type::Kind;
  const model::Type& type = argument.type;
  if (argument.pointer ||
      (type.kind != Kind::Struct && type.kind != Kind::Union && type.kind != Kind::Vector))
    return false;
  return std::ranges::any_of(object.items(), [&](const auto& item) {
    return std::ranges::find(type.fields, item.key(), &model::Field::name) != type.fields.end() ||
           !is_argument_key(item.key());
  });
}

std::filesystem::path data_file(const std::string& name, const std::filesystem::path& folder) {
  return (folder / name).lexically_normal(); // an absolute name replaces the folder
}

ArgumentValue from_object(const Json& json, const std::filesystem::path& folder,
                          const std::string& what) {
  ArgumentValue value;
  read_keys(json, what, value, kArgumentFields);
  if (value.file)
    value.file = data_file(*value.file, folder);
  if (value.values.has_value() + value.fill.has_value() + value.file.has_value() > 1)
    throw UsageError(fmt::format("{}: only one of values, fill and file can be given", what));
  return value;
}

std::map<std::string, ArgumentValue> get_arguments(const Json& json, const TestCase& test_case,
                                                   const std::string& what) {
  if (!json.is_object())
    throw UsageError(fmt::format("{}: not an object with the arguments' names", what));
  std::map<std::string, ArgumentValue> arguments;
  for (const auto& [name, value] : json.items())
    arguments[name] = argument_value(value, test_case.file.parent_path());
  return arguments;
}

// The key `generated`; the others are for people.
struct Generated {
  std::string kernel{};
  Json reaches{}, kills{}, expected{}, weak{}, fails{}, assumes_fixed{};
};

constexpr auto kGeneratedFields =
    std::tuple{model::field("kernel", &Generated::kernel),
               model::field("reaches", &Generated::reaches),
               model::field("kills", &Generated::kills),
               model::field("expected", &Generated::expected),
               model::field("weak", &Generated::weak),
               model::field("fails", &Generated::fails),
               model::field("assumes_fixed", &Generated::assumes_fixed)};

constexpr auto kCaseFields = std::tuple{model::field("name", &TestCase::name),
                                        model::field("global_size", &TestCase::global_size),
                                        model::field("local_size", &TestCase::local_size),
                                        model::field("global_offset", &TestCase::global_offset),
                                        model::field("shared_memory", &TestCase::shared_memory),
                                        model::field("lock_step", &TestCase::lock_step),
                                        model::field("tolerance", &TestCase::tolerance)};

TestCase get_test_case(const Json& json, const std::filesystem::path& file, std::size_t index,
                       bool only) {
  TestCase test_case;
  test_case.file = file;
  test_case.name = file.stem().string() + (only ? "" : fmt::format(" {}", index + 1));
  std::string what = fmt::format("{}: error", file.string());
  if (json.is_object() && json.contains("name"))
    read_value(json["name"], what + ": name", test_case.name);
  what += fmt::format(": case '{}'", test_case.name);
  read_keys(json, what, test_case, kCaseFields, {"arguments", "expected", "generated"});
  if (!json.contains("arguments"))
    throw UsageError(what + ": key 'arguments' is missing");
  test_case.arguments = get_arguments(json["arguments"], test_case, what);
  if (json.contains("expected"))
    test_case.expected = get_arguments(json["expected"], test_case, what + ", expected");
  if (json.contains("generated")) {
    Generated generated;
    read_keys(json["generated"], what + ", generated", generated, kGeneratedFields);
    test_case.recorded = generated.expected == kRecorded;
    test_case.kernel = generated.kernel;
  }
  return test_case;
}

// Returns the text as JSON if it is JSON, else as a string: fill=iota needs no quotes.
Json word(std::string_view text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(std::string(text)) : value;
}

// Returns whether the text is for generated inputs: "range(0,1)", "values(1,2)", "nullable".
bool is_domain(std::string_view text) {
  return text == "nullable" ||
         ((text.starts_with("range(") || text.starts_with("values(")) && text.ends_with(')'));
}

// Returns whether the text is a size of generated inputs that depends on others: "n*m", "rows + 1".
// "64" and "many!" are not.
bool is_size_expression(std::string_view text) {
  bool has_name = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool letter = std::isalpha(c) != 0 || c == '_';
    if (letter && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))
      has_name = true;
    if (!letter && std::isdigit(c) == 0 &&
        std::string_view(" +-*/%()[]").find(text[i]) == std::string_view::npos)
      return false;
  }
  return has_name;
}

} // namespace

ArgumentValue argument_value(const Json& json, const std::filesystem::path& folder) {
  ArgumentValue value;
  if (json.is_object()) {
    value.object = json;
    value.folder = folder;
  } else if (json.is_string() && json.get<std::string>().ends_with(".npy")) {
    value.file = data_file(json.get<std::string>(), folder);
  } else if (json.is_null()) {
    value.is_null = true;
  } else {
    value.values = json;
  }
  return value;
}

ArgumentValue read_object(ArgumentValue value, const model::Argument& argument,
                          const std::string& what) {
  if (!value.object)
    return value;
  if (!is_members(*value.object, argument))
    return from_object(*value.object, value.folder, what);
  value.values = std::move(value.object);
  value.object.reset();
  return value;
}

ArgumentSpec parse_argument_spec(const std::string& spec, const std::filesystem::path& folder) {
  const std::size_t separator = spec.find_first_of("=:");
  const std::string readable = // a text that is not UTF-8 cannot be in JSON or in a message
      Json(spec).dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string what = fmt::format("ARGUMENTS {}", spec);
  if (Json::parse(readable).get<std::string>() != spec)
    throw UsageError(fmt::format("ARGUMENTS {}: is not UTF-8", readable));
  if (separator == std::string::npos || separator == 0)
    throw UsageError(fmt::format(
        "{}: neither name=value nor name:size=…,fill=…; write for example n=64 or data:size=64",
        what));
  const std::string name = spec.substr(0, separator);
  const std::string_view rest = std::string_view(spec).substr(separator + 1);
  if (rest.empty())
    throw UsageError(fmt::format("{}: nothing follows '{}'", what, spec[separator]));
  if (spec[separator] == '=' && is_domain(rest))
    return {name, {}};
  if (spec[separator] == '=')
    return {name, argument_value(word(rest), folder)};

  Json object = Json::object();
  for (const std::string& part : model::split_outside_brackets(rest)) {
    const std::size_t equals = part.find('=');
    if (is_domain(part) ||
        (part.starts_with("size=") && is_size_expression(part.substr(equals + 1))))
      continue;
    const std::string key = part.substr(0, equals);
    if (object.contains(key))
      throw UsageError(fmt::format("{}: '{}' is given twice", what, key));
    object[key] = equals == std::string_view::npos
                      ? Json(true)
                      : word(std::string_view(part).substr(equals + 1));
  }
  return {name, from_object(object, folder, what)};
}

namespace {

// People and compilers write "scale<int, 4>" with and without spaces.
bool are_same(std::string_view a, std::string_view b) {
  const auto is_no_space = [](char c) { return c != ' '; };
  return std::ranges::equal(a | std::views::filter(is_no_space),
                            b | std::views::filter(is_no_space));
}

} // namespace

std::string where_of(const TestCase& test_case) {
  return test_case.file.empty()
             ? fmt::format("case '{}'", test_case.name)
             : fmt::format("{}: error: case '{}'", test_case.file.string(), test_case.name);
}

std::vector<TestCase> read_test_cases(const std::filesystem::path& file, std::string_view kernel) {
  Json json;
  try {
    json = model::parse_file(file);
  } catch (const model::FormatError& error) {
    throw UsageError(error.what());
  }
  if (json.is_array() && json.empty())
    throw UsageError(fmt::format("{}: error: the array holds no test case", file.string()));
  if (json.is_object() && !json.contains("arguments"))
    for (const auto& [key, value] : json.items())
      if (value.is_array() && std::ranges::any_of(value, &Json::is_object))
        throw UsageError(fmt::format(
            "{}: error: several test cases are an array, [{{…}}, {{…}}]: leave out the object "
            "around it, with the key '{}'",
            file.string(), key));
  if (!json.is_array())
    json = Json::array({std::move(json)});
  std::vector<TestCase> cases;
  for (std::size_t i = 0; i < json.size(); ++i)
    cases.push_back(get_test_case(json[i], file, i, json.size() == 1));
  std::erase_if(cases, [&](const TestCase& test_case) {
    return !test_case.kernel.empty() && !are_same(test_case.kernel, kernel);
  });
  return cases;
}

} // namespace gputest::runtime
