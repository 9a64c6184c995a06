// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/interface.h"

#include "model/files.h"
#include "model/json.h"
#include "model/names.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>

namespace gputest::model {
namespace {

constexpr const char* kInterfaceFormat = "gputest-interface-1";

Json argument_to_json(const Argument& argument) {
  Json json;
  json["name"] = argument.name;
  json["position"] = argument.position;
  json["type"] = argument.type;
  json["address_space"] = name_of(argument.address_space);
  json["access"] = name_of(argument.access);
  json["pointer"] = argument.pointer;
  json["size"] = or_null(argument.size);
  json["input"] = argument.input == Input::Unset ? Json(nullptr) : Json(name_of(argument.input));
  json["value"] = argument.value.empty() ? Json(nullptr) : Json(argument.value);
  json["file"] = argument.file.empty() ? Json(nullptr) : Json(argument.file);
  json["output"] = argument.output;
  return json;
}

// Nothing that is read of an interface, which people edit, may be out of proportion. The most bytes
// of a type, and of a buffer whose number of elements is told; the most scalars of a type; the most
// work-items that a kernel can require of its groups.
constexpr std::size_t kMostTypeBytes = std::size_t{1} << 26,
                      kMostBufferBytes = std::size_t{1} << 30, kMostLeaves = std::size_t{1} << 20,
                      kMostRequiredItems = std::size_t{1} << 20;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// The product; kAll if it is larger.
std::size_t times(std::size_t a, std::size_t b) {
  return a != 0 && b > kAll / a ? kAll : a * b;
}

std::size_t product(const std::vector<std::size_t>& numbers) {
  std::size_t all = 1;
  for (const std::size_t number : numbers)
    all = times(all, number);
  return all;
}

[[noreturn]] void refuse(const Type& type, const std::string& what) {
  throw FormatError(fmt::format("type '{}': {}", type.name, what));
}

void expect_size(const Type& type, std::size_t size) {
  if (type.size != size)
    refuse(type, fmt::format("key 'size' is {}, and it has {} bytes", type.size, size));
}

// Returns the number of its scalars.
std::size_t check_type(const Type& type) {
  if (type.size > kMostTypeBytes)
    refuse(type,
           fmt::format("key 'size' is {}, and {} bytes are the most", type.size, kMostTypeBytes));
  if (type.alignment > kMostTypeBytes ||
      (type.alignment != 0 && !std::has_single_bit(type.alignment)))
    refuse(type, fmt::format("key 'alignment' is {}, which is no power of two up to {}",
                             type.alignment, kMostTypeBytes));
  switch (type.kind) {
  case Type::Kind::Scalar:
    expect_size(type, size_of(type.scalar));
    return 1;
  case Type::Kind::Vector:
    if (type.width < 2 || type.width > 16 || (type.width != 3 && !std::has_single_bit(type.width)))
      refuse(type, fmt::format("key 'width' is {}, and vectors have 2, 3, 4, 8 or 16 components",
                               type.width));
    expect_size(type, vector_type(type.scalar, type.width).size);
    return type.width;
  case Type::Kind::Struct:
  case Type::Kind::Union:
    break;
  case Type::Kind::Image:
  case Type::Kind::Sampler:
  case Type::Kind::Pointer:
  case Type::Kind::Opaque:
    return 1;
  }
  std::size_t leaves = 0;
  for (const Field& field : type.fields) {
    const std::size_t count = product(field.dimensions);
    const std::size_t bytes = times(count, field.type.size);
    if (field.offset > type.size || bytes > type.size - field.offset)
      refuse(type, fmt::format("the member '{}' of {} bytes at {} is outside of its {} bytes",
                               field.name, bytes, field.offset, type.size));
    leaves += std::min(kMostLeaves + 1, times(count, check_type(field.type)));
    if (leaves > kMostLeaves)
      refuse(type, fmt::format("it has more than {} scalars, which are the most", kMostLeaves));
  }
  return leaves;
}

// Throws FormatError where a position is not that of the argument in the list, where sizes of types
// do not fit each other, or where a number is beyond the limits.
void check_numbers(const KernelInterface& kernel) {
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument& argument = kernel.arguments[i];
    const auto refuse_argument = [&](const std::string& what) {
      throw FormatError(
          fmt::format("kernel '{}', argument '{}': {}", kernel.name, argument.name, what));
    };
    if (argument.position != i)
      refuse_argument(
          fmt::format("key 'position' is {}, and its place is {}", argument.position, i));
    check_type(argument.type);
    const std::size_t element = std::max<std::size_t>(argument.type.size, 1);
    if (argument.size && times(*argument.size, element) > kMostBufferBytes)
      refuse_argument(fmt::format("key 'size' is {}: elements of {} bytes, and {} bytes are the "
                                  "most of one buffer",
                                  *argument.size, element, kMostBufferBytes));
  }
  if (kernel.required_work_group_size) {
    const auto& sizes = *kernel.required_work_group_size;
    const std::size_t items = product({sizes.begin(), sizes.end()});
    if (items == 0 || items > kMostRequiredItems)
      throw FormatError(fmt::format("kernel '{}': key 'reqd_work_group_size' is {} x {} x {}, and "
                                    "a group has 1 to {} work-items",
                                    kernel.name, sizes[0], sizes[1], sizes[2], kMostRequiredItems));
  }
}

Argument argument_from_json(const Json& json) {
  Argument argument;
  argument.name = required<std::string>(json, "name");
  argument.position = required<unsigned>(json, "position");
  argument.type = required<Type>(json, "type");
  argument.address_space = required<AddressSpace>(json, "address_space");
  argument.access = required<Access>(json, "access");
  argument.pointer = required<bool>(json, "pointer");
  argument.size = optional<std::size_t>(json, "size");
  argument.input = optional<Input>(json, "input").value_or(Input::Unset);
  // A number or an array counts as its text.
  if (const auto value = json.find("value"); value != json.end() && !value->is_null())
    argument.value = value->is_string() ? value->get<std::string>() : value->dump();
  argument.file = optional<std::string>(json, "file").value_or("");
  argument.output = optional<bool>(json, "output").value_or(false);
  return argument;
}

} // namespace

const Argument* KernelInterface::find(std::string_view argument) const {
  const auto found = std::ranges::find(arguments, argument, &Argument::name);
  return found == arguments.end() ? nullptr : &*found;
}

const KernelInterface* Interface::find(std::string_view kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &KernelInterface::name);
  return found == kernels.end() ? nullptr : &*found;
}

void to_json(Json& json, const Type& type) {
  json = Json::object();
  json["name"] = type.name;
  json["kind"] = name_of(type.kind);
  if (type.kind == Type::Kind::Scalar || type.kind == Type::Kind::Vector)
    json["scalar"] = name_of(type.scalar);
  if (type.kind == Type::Kind::Vector)
    json["width"] = type.width;
  json["size"] = type.size;
  json["alignment"] = type.alignment;
  if (type.kind == Type::Kind::Struct || type.kind == Type::Kind::Union) {
    Json& fields = json["fields"] = Json::array();
    for (const Field& field : type.fields) {
      Json entry;
      entry["name"] = field.name;
      entry["offset"] = field.offset;
      entry["type"] = field.type;
      entry["dimensions"] = field.dimensions;
      fields.push_back(std::move(entry));
    }
  }
}

void from_json(const Json& json, Type& type) {
  type = Type();
  type.name = required<std::string>(json, "name");
  type.kind = required<Type::Kind>(json, "kind");
  if (const auto name = optional<std::string>(json, "scalar")) {
    const auto scalar = scalar_named(*name);
    if (!scalar)
      throw FormatError("key 'scalar' has the unknown value '" + *name + "'");
    type.scalar = *scalar;
  }
  type.width = optional<unsigned>(json, "width").value_or(1);
  type.size = required<std::size_t>(json, "size");
  type.alignment = required<std::size_t>(json, "alignment");
  if (json.contains("fields"))
    for (const Json& entry : required_array(json, "fields"))
      type.fields.push_back({.name = required<std::string>(entry, "name"),
                             .offset = required<std::size_t>(entry, "offset"),
                             .type = required<Type>(entry, "type"),
                             .dimensions = optional<std::vector<std::size_t>>(entry, "dimensions")
                                               .value_or(std::vector<std::size_t>{})});
}

void to_json(Json& json, const KernelInterface& kernel) {
  json["name"] = kernel.name;
  json["file"] = kernel.file;
  json["line"] = kernel.line;
  if (kernel.required_work_group_size)
    json["reqd_work_group_size"] = *kernel.required_work_group_size;
  if (kernel.most_work_items)
    json["launch_bounds"] = *kernel.most_work_items;
  Json& arguments = json["arguments"] = Json::array();
  for (const Argument& argument : kernel.arguments)
    arguments.push_back(argument_to_json(argument));
}

void from_json(const Json& json, KernelInterface& kernel) {
  kernel.name = required<std::string>(json, "name");
  kernel.file = optional<std::string>(json, "file").value_or("");
  kernel.line = optional<unsigned>(json, "line").value_or(0);
  kernel.required_work_group_size =
      optional<std::array<std::size_t, 3>>(json, "reqd_work_group_size");
  kernel.most_work_items = optional<std::size_t>(json, "launch_bounds");
  kernel.arguments = required_list(json, "arguments", argument_from_json);
  check_numbers(kernel);
}

Json to_json(const Interface& interface) {
  Json json;
  json["format"] = kInterfaceFormat;
  json["source"] = interface.source;
  json["kernels"] = interface.kernels;
  return json;
}

Interface interface_from_json(const Json& json) {
  expect_format(json, kInterfaceFormat);
  Interface interface;
  interface.source = required<std::string>(json, "source");
  interface.kernels = required_list(
      json, "kernels", [](const Json& kernel) { return kernel.get<KernelInterface>(); });
  return interface;
}

Interface read_interface(const std::filesystem::path& file) {
  return read_json_file(file, interface_from_json);
}

void write_interface(const Interface& interface, const std::filesystem::path& file) {
  write_atomically(file, to_json(interface).dump(2) + '\n');
}

Interface merge_edits(Interface fresh, const Interface& edited) {
  for (KernelInterface& kernel : fresh.kernels) {
    const KernelInterface* before = edited.find(kernel.name);
    if (!before)
      continue;
    for (Argument& argument : kernel.arguments) {
      const Argument* edit = before->find(argument.name);
      if (!edit)
        continue;
      argument.size = edit->size;
      argument.input = edit->input;
      argument.value = edit->value;
      argument.file = edit->file;
      argument.output = edit->output;
    }
  }
  return fresh;
}

} // namespace gputest::model
