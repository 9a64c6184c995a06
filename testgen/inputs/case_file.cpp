// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/case_file.h"

#include "model/files.h"
#include "runtime/cases/npy.h"
#include "runtime/cases/scalar.h"
#include "testgen/concolic/inputs.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unistd.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ir::Parameter;
using runtime::Bytes;

constexpr std::size_t kInline = 1024; // elements that stand in the case itself

Json number(model::Scalar scalar, const std::byte* from) {
  if (scalar == model::Scalar::Float && std::isfinite(runtime::read_scalar(scalar, from)))
    return Json::parse(runtime::scalar_text(scalar, from)); // as short as a float can be told
  return runtime::scalar_json(scalar, from);
}

Json value_of(const model::Type& type, const std::byte* from);

Json array_of(const model::Field& field, const std::byte* from, std::size_t dimension) {
  if (dimension == field.dimensions.size())
    return value_of(field.type, from);
  std::size_t step = field.type.size;
  for (std::size_t i = dimension + 1; i < field.dimensions.size(); ++i)
    step *= field.dimensions[i];
  Json all = Json::array();
  for (std::size_t i = 0; i < field.dimensions[dimension]; ++i)
    all.push_back(array_of(field, from + i * step, dimension + 1));
  return all;
}

// The member of a union that says most: the one with the most bytes of values and, of these, one
// whose text gives back every value, which that of a NaN does not. A member without a name can be
// given only if it is the first.
const model::Field& telling_member(const model::Type& type) {
  const auto rank = [&](const model::Field& field) {
    std::size_t size = 0;
    bool exact = true;
    for (const model::Leaf& leaf : model::leaves_of(field.type)) {
      size += model::size_of(leaf.scalar);
      exact = exact && !model::is_floating(leaf.scalar);
    }
    return std::tuple(!field.name.empty() || &field == type.fields.data(), size * field.count(),
                      exact);
  };
  return *std::ranges::max_element(type.fields, {}, rank);
}

Json value_of(const model::Type& type, const std::byte* from) {
  using Kind = model::Type::Kind;
  if (type.kind == Kind::Vector) {
    Json components = Json::array();
    for (unsigned i = 0; i < type.width; ++i)
      components.push_back(number(type.scalar, from + i * model::size_of(type.scalar)));
    return components;
  }
  if (type.kind == Kind::Union) {
    const model::Field& member = telling_member(type);
    Json value = array_of(member, from + member.offset, 0);
    if (member.name.empty())
      return Json::array({std::move(value)});
    return Json::object({{member.name, std::move(value)}});
  }
  if (type.kind != Kind::Struct)
    return number(type.kind == Kind::Scalar ? type.scalar : model::Scalar::ULong, from);
  Json members = Json::array();
  for (const model::Field& field : type.fields)
    members.push_back(array_of(field, from + field.offset, 0));
  return members;
}

class Files {
public:
  Files(fs::path folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}
  ~Files() { // what belongs to no case
    std::error_code ignored;
    for (const fs::path& file : written_)
      fs::remove(file, ignored);
  }

  Json elements(const model::Type& type, const Bytes& bytes, const std::string& what) {
    const std::size_t count = bytes.size() / std::max<std::size_t>(type.size, 1);
    if (count > kInline) {
      std::string file = fmt::format("{}.{}.npy", name_, what);
      written_.push_back(folder_ / file);
      runtime::write_npy(folder_ / file, type, bytes);
      return file;
    }
    Json values = Json::array();
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(value_of(type, bytes.data() + i * type.size));
    return values;
  }

  void keep() { written_.clear(); }

private:
  fs::path folder_;
  std::string name_;
  std::vector<fs::path> written_;
};

Json sizes(const std::array<std::uint64_t, 3>& all, unsigned dimensions) {
  return std::vector<std::uint64_t>(all.begin(), all.begin() + dimensions);
}

Json argument_json(const Target& target, std::size_t position, const Content& content,
                   Files& files) {
  const KernelArgument& argument = target.arguments[position];
  switch (argument.kind) {
  case Parameter::Kind::Value:
    return value_of(argument.type, content.bytes.data());
  case Parameter::Kind::Local:
    return {{"size", content.local_size / argument.element_size()}};
  case Parameter::Kind::Sampler: {
    const SamplerChoice& words = kSamplers.at(content.sampler);
    return {{"addressing_mode", words.addressing},
            {"filter_mode", words.filter},
            {"normalized_coordinates", words.normalized}};
  }
  case Parameter::Kind::Image: {
    runtime::ImageLayout layout = *argument.image;
    layout.width = content.extent[0];
    layout.height = content.extent[1];
    layout.depth = content.extent[2];
    const runtime::ImageWords words = runtime::words_of(layout);
    Json json{{"shape", words.shape},
              {"channel_order", words.channel_order},
              {"channel_type", words.channel_type}};
    Json pixels = files.elements(argument.type, content.bytes, argument.name);
    const char* const key = pixels.is_string() ? "file" : "values";
    json[key] = std::move(pixels);
    return json;
  }
  case Parameter::Kind::Buffer:
    if (content.is_null)
      return nullptr;
    return files.elements(argument.type, content.bytes, argument.name);
  }
  return {};
}

Json tolerance_json(const Tolerance& tolerance) {
  return {{"absolute", *tolerance.absolute}, {"relative", *tolerance.relative}};
}

Json case_json(const std::string& name, const Target& target, const Input& input,
               const CaseText& text, Files& files) {
  Json json{{"name", name}, {"generated", {{"kernel", target.kernel()}}}};
  if (!text.reaches.empty())
    json["generated"]["reaches"] = text.reaches;
  if (!text.kills.empty())
    json["generated"]["kills"] = text.kills;
  if (!text.assumes_fixed.empty())
    json["generated"]["assumes_fixed"] = text.assumes_fixed;
  if (!text.fails.empty())
    json["generated"]["fails"] = text.fails;
  json["global_size"] = sizes(input.shape.global, input.shape.dimensions);
  json["local_size"] = sizes(input.shape.local, input.shape.dimensions);
  if (text.offset_has_default || input.shape.offset != Shape().offset)
    json["global_offset"] = sizes(input.shape.offset, input.shape.dimensions);
  if (target.lock_step != 0)
    json["lock_step"] = target.lock_step;
  json["arguments"] = Json::object();
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    if (target.arguments[i].shared)
      json["shared_memory"] = input.arguments[i].local_size;
    else
      json["arguments"][target.arguments[i].name] =
          argument_json(target, i, input.arguments[i], files);
  for (std::size_t i = 0; i < text.recorded.size(); ++i)
    if (target.arguments[i].output && !input.arguments[i].is_null &&
        (target.arguments[i].kind == Parameter::Kind::Buffer ||
         target.arguments[i].kind == Parameter::Kind::Image))
      json["expected"][target.arguments[i].name] = files.elements(
          target.arguments[i].type, text.recorded[i], target.arguments[i].name + ".expected");
  if (json.contains("expected")) {
    json["generated"]["expected"] = runtime::kRecorded;
    if (const Tolerance tolerance = tolerance_of(target); tolerance.absolute)
      json["tolerance"] = tolerance_json(tolerance);
  } else if (!text.not_recorded.empty()) {
    json["generated"]["expected"] = text.not_recorded;
  }
  if (!text.weak.empty())
    json["generated"]["weak"] = text.weak;
  return json;
}

} // namespace

fs::path write_case(const fs::path& folder, const Target& target, const Input& input,
                    const CaseText& text) {
  fs::create_directories(folder);
  for (unsigned i = 1;; ++i) {
    const std::string name = i == 1 ? text.name : fmt::format("{}-{}", text.name, i);
    const fs::path file = folder / (name + ".json");
    if (fs::exists(file))
      continue;
    Files files(folder, name);
    const std::string content = model::pretty(case_json(name, target, input, text, files));
    // Another generator may have taken the name by now: a link replaces nothing.
    const fs::path part = folder / fmt::format(".{}.{}", name, ::getpid());
    try {
      model::write_atomically(part, content);
    } catch (const model::WriteError& error) { // names the part
      throw model::WriteError(file, error.reason());
    }
    const int failed = ::link(part.c_str(), file.c_str()) == 0 ? 0 : errno;
    fs::remove(part);
    if (failed == EEXIST)
      continue;
    if (failed != 0)
      throw model::WriteError(file, {failed, std::generic_category()});
    files.keep();
    return file;
  }
}

// They may contract a * b + c, and have built-in functions of their own.
Tolerance tolerance_of(const Target& target) {
  bool floating = false, narrow = false;
  for (const KernelArgument& argument : target.arguments)
    if (argument.output)
      for (const model::Leaf& leaf : argument.leaves) {
        floating = floating || model::is_floating(leaf.scalar);
        narrow =
            narrow || leaf.scalar == model::Scalar::Float || leaf.scalar == model::Scalar::Half;
      }
  if (!floating)
    return {};
  return narrow ? Tolerance{.absolute = 1e-5, .relative = 1e-4}
                : Tolerance{.absolute = 1e-11, .relative = 1e-9};
}

void make_writable(const Target& target, Input& input) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& argument = target.arguments[i];
    Bytes& bytes = input.arguments[i].bytes;
    for (std::size_t at = 0; argument.type.size != 0 && at + argument.type.size <= bytes.size();
         at += argument.type.size)
      for (const model::Leaf& leaf : argument.leaves)
        if (std::byte* const to = bytes.data() + at + leaf.offset;
            model::is_floating(leaf.scalar) && std::isnan(runtime::read_scalar(leaf.scalar, to)))
          runtime::store_number(leaf.scalar, std::nan(""), to);
  }
}

std::optional<Input> input_of(const Target& target, const runtime::BoundCase& test_case) {
  Input input{.shape = runtime::sizes_of(test_case.launch), .arguments = {}};
  if (!runtime::has_local_size(test_case.launch)) {
    // As small as a device may choose it, and more than one where it can.
    input.shape.local = {1, 1, 1};
    for (const unsigned size : {8, 4, 2, 3})
      if (input.shape.global[0] % size == 0 && input.shape.local[0] == 1)
        input.shape.local[0] = size;
  }
  if (input.shape.items() > kMostItems ||
      input.shape.items_of_group() > target.most_items_of_group())
    return std::nullopt;
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i) {
    const runtime::LaunchArgument& given = test_case.arguments[i];
    Content& content = input.arguments.emplace_back();
    content.bytes = given.bytes;
    content.local_size = given.local_size;
    content.is_null = given.is_null;
    if (given.bytes.size() > kMostBytes || given.local_size > kMostBytes)
      return std::nullopt;
    if (given.image) {
      if (!target.arguments[i].image ||
          given.image->format.image_channel_order !=
              target.arguments[i].image->format.image_channel_order ||
          given.image->format.image_channel_data_type !=
              target.arguments[i].image->format.image_channel_data_type)
        return std::nullopt;
      content.extent = {static_cast<std::uint32_t>(given.image->width),
                        static_cast<std::uint32_t>(given.image->height),
                        static_cast<std::uint32_t>(given.image->depth)};
    }
    if (given.kind == runtime::LaunchArgument::Kind::Sampler) {
      const runtime::SamplerWords words = runtime::words_of(given.sampler);
      const auto found = std::ranges::find_if(kSamplers, [&](const SamplerChoice& choice) {
        return words.addressing_mode == choice.addressing && words.filter_mode == choice.filter &&
               static_cast<bool>(given.sampler.normalized_coordinates) == choice.normalized;
      });
      if (found == kSamplers.end())
        return std::nullopt;
      content.sampler = static_cast<std::uint32_t>(found - kSamplers.begin());
    }
  }
  if (!target.arguments.empty() && target.arguments.back().shared) {
    input.arguments.emplace_back().local_size = test_case.launch.shared_memory;
    if (test_case.launch.shared_memory > kMostBytes)
      return std::nullopt;
  }
  if (input.arguments.size() != target.arguments.size())
    return std::nullopt;
  return input;
}

} // namespace gputest::testgen
