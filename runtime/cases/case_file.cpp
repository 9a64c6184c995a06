// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/case_file.h"

#include "gputest/error.h"
#include "model/json.h"
#include "model/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <ranges>
#include <span>
#include <string_view>

namespace gputest::runtime {
namespace {

template <typename T> T get(const Json& json, const std::string& what, std::string_view expected) {
  try {
    return json.get<T>();
  } catch (const nlohmann::json::exception&) {
    throw UsageError(fmt::format("{}: {} is not {}", what, json.dump(), expected));
  }
}

std::size_t get_size(const Json& json, const std::string& what) {
  if (!json.is_number_unsigned())
    throw UsageError(fmt::format("{}: {} is not a whole number of 0 or more", what, json.dump()));
  return json.get<std::size_t>();
}

std::vector<std::size_t> get_sizes(const Json& json, const std::string& what) {
  if (json.is_number_unsigned())
    return {json.get<std::size_t>()};
  if (!json.is_array() || json.empty() || json.size() > 3)
    throw UsageError(fmt::format("{}: {} is not an array of 1 to 3 sizes", what, json.dump()));
  std::vector<std::size_t> sizes;
  for (const Json& size : json)
    sizes.push_back(get_size(size, what));
  return sizes;
}

void expect_keys(const Json& object, std::span<const std::string_view> keys,
                 const std::string& what) {
  if (!object.is_object())
    throw UsageError(fmt::format("{}: {} is not an object", what, object.dump()));
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(keys, key) == keys.end())
      throw UsageError(
          fmt::format("{}: key '{}' is unknown; there are: {}", what, key, fmt::join(keys, ", ")));
}

constexpr std::array<std::string_view, 13> kArgumentKeys{"size",
                                                         "fill",
                                                         "values",
                                                         "file",
                                                         "seed",
                                                         "shape",
                                                         "channel_order",
                                                         "channel_type",
                                                         "addressing_mode",
                                                         "filter_mode",
                                                         "normalized_coordinates",
                                                         "local",
                                                         "output"};

bool is_members(const Json& object, const model::Argument& argument) {
  using Kind = model::Type::Kind;
  const model::Type& type = argument.type;
  if (argument.pointer ||
      (type.kind != Kind::Struct && type.kind != Kind::Union && type.kind != Kind::Vector))
    return false;
  return std::ranges::any_of(object.items(), [&](const auto& item) {
    return std::ranges::find(type.fields, item.key(), &model::Field::name) != type.fields.end() ||
           std::ranges::find(kArgumentKeys, item.key()) == kArgumentKeys.end();
  });
}

std::filesystem::path data_file(const std::string& name, const std::filesystem::path& folder) {
  return (folder / name).lexically_normal(); // an absolute name replaces the folder
}

ArgumentValue from_object(const Json& json, const std::filesystem::path& folder,
                          const std::string& what) {
  expect_keys(json, kArgumentKeys, what);
  ArgumentValue value;
  const auto text = [&](const char* key) {
    return json.contains(key) ? get<std::string>(json[key], what + ", " + key, "a text") : "";
  };
  const auto flag = [&](const char* key) {
    return json.contains(key) && get<bool>(json[key], what + ", " + key, "true or false");
  };
  if (json.contains("size"))
    value.size = get_size(json["size"], what + ", size");
  if (json.contains("values"))
    value.values = json["values"];
  if (json.contains("fill"))
    value.fill = parse_fill(json["fill"], what);
  if (json.contains("file"))
    value.file = data_file(text("file"), folder);
  if (value.values.has_value() + value.fill.has_value() + value.file.has_value() > 1)
    throw UsageError(fmt::format("{}: only one of values, fill and file can be given", what));
  if (json.contains("seed"))
    value.seed = get_size(json["seed"], what + ", seed");
  if (json.contains("shape"))
    value.shape = get_sizes(json["shape"], what + ", shape");
  value.channel_order = text("channel_order");
  value.channel_type = text("channel_type");
  value.addressing_mode = text("addressing_mode");
  value.filter_mode = text("filter_mode");
  if (json.contains("normalized_coordinates"))
    value.normalized_coordinates = flag("normalized_coordinates");
  value.local = flag("local");
  value.output = flag("output");
  return value;
}

std::map<std::string, ArgumentValue> get_arguments(const Json& json, const TestCase& test_case,
                                                   const std::string& what) {
  if (!json.is_object())
    throw UsageError(fmt::format("{}: not an object with the arguments' names", what));
  std::map<std::string, ArgumentValue> arguments;
  for (const auto& [name, value] : json.items())
    arguments[name] = argument_value(value, test_case.file.parent_path(),
                                     fmt::format("{}, argument '{}'", what, name));
  return arguments;
}

Tolerance get_tolerance(const Json& json, const std::string& what) {
  constexpr std::array<std::string_view, 3> kKeys{"absolute", "relative", "ulp"};
  expect_keys(json, kKeys, what);
  Tolerance tolerance;
  const auto number = [&](const char* key) {
    const double value = get<double>(json[key], what + ", " + key, "a number");
    if (!(value >= 0))
      throw UsageError(fmt::format("{}: {} must not be negative", what, key));
    return value;
  };
  if (json.contains("absolute"))
    tolerance.absolute = number("absolute");
  if (json.contains("relative"))
    tolerance.relative = number("relative");
  if (json.contains("ulp"))
    tolerance.ulp = get_size(json["ulp"], what + ", ulp");
  return tolerance;
}

TestCase get_test_case(const Json& json, const std::filesystem::path& file, std::size_t index,
                       bool only) {
  TestCase test_case;
  test_case.file = file;
  test_case.name = file.stem().string() + (only ? "" : fmt::format(" {}", index + 1));
  std::string what = fmt::format("{}: error", file.string());
  if (json.is_object() && json.contains("name"))
    test_case.name = get<std::string>(json["name"], what + ": name", "a text");
  what += fmt::format(": case '{}'", test_case.name);
  constexpr std::array<std::string_view, 9> kKeys{"name",       "generated",     "global_size",
                                                  "local_size", "global_offset", "shared_memory",
                                                  "arguments",  "expected",      "tolerance"};
  expect_keys(json, kKeys, what);
  if (!json.contains("arguments"))
    throw UsageError(what + ": key 'arguments' is missing");
  if (json.contains("global_size"))
    test_case.global_size = get_sizes(json["global_size"], what + ", global_size");
  if (json.contains("local_size"))
    test_case.local_size = get_sizes(json["local_size"], what + ", local_size");
  if (json.contains("global_offset"))
    test_case.global_offset = get_sizes(json["global_offset"], what + ", global_offset");
  test_case.arguments = get_arguments(json["arguments"], test_case, what);
  if (json.contains("expected"))
    test_case.expected = get_arguments(json["expected"], test_case, what + ", expected");
  if (json.contains("generated")) {
    constexpr std::array<std::string_view, 7> kGenerated{
        "kernel", "reaches", "kills", "expected", "weak", "fails", "assumes_fixed"};
    const Json& generated = json["generated"];
    expect_keys(generated, kGenerated, what + ", generated");
    test_case.recorded = generated.value("expected", Json()) == kRecorded;
    if (generated.contains("kernel"))
      test_case.kernel =
          get<std::string>(generated["kernel"], what + ", generated, kernel", "a text");
  }
  if (json.contains("shared_memory"))
    test_case.shared_memory = get_size(json["shared_memory"], what + ", shared_memory");
  if (json.contains("tolerance"))
    test_case.tolerance = get_tolerance(json["tolerance"], what + ", tolerance");
  return test_case;
}

// Returns the text as JSON if it is JSON, else as a string: fill=iota needs no quotes.
Json word(std::string_view text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(std::string(text)) : value;
}

// Returns whether the text is for generated inputs: "range(0,1)", "values(1,2)".
bool is_domain(std::string_view text) {
  return (text.starts_with("range(") || text.starts_with("values(")) && text.ends_with(')');
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

ArgumentValue argument_value(const Json& json, const std::filesystem::path& folder,
                             const std::string& what) {
  ArgumentValue value;
  if (json.is_object()) {
    value.object = json;
    value.folder = folder;
  } else if (json.is_string() && json.get<std::string>().ends_with(".npy")) {
    value.file = data_file(json.get<std::string>(), folder);
  } else if (json.is_null()) {
    throw UsageError(fmt::format("{}: null is no value", what));
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
    return {name, argument_value(word(rest), folder, what)};

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
