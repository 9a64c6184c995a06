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

} // namespace

const Argument* KernelInterface::find(std::string_view argument) const {
  const auto found = std::ranges::find(arguments, argument, &Argument::name);
  return found == arguments.end() ? nullptr : &*found;
}

const KernelInterface* Interface::find(std::string_view kernel) const {
  const auto found = std::ranges::find(kernels, kernel, &KernelInterface::name);
  return found == kernels.end() ? nullptr : &*found;
}

static constexpr auto fields_of(const Field*) {
  return std::tuple{field("name", &Field::name), field("offset", &Field::offset),
                    field("type", &Field::type),
                    field<Presence::Written>("dimensions", &Field::dimensions)};
}

void to_json(Json& json, const Type& type) {
  json = {{"name", type.name}, {"kind", name_of(type.kind)}};
  if (type.kind == Type::Kind::Scalar || type.kind == Type::Kind::Vector)
    json["scalar"] = name_of(type.scalar);
  if (type.kind == Type::Kind::Vector)
    json["width"] = type.width;
  json["size"] = type.size;
  json["alignment"] = type.alignment;
  if (type.kind == Type::Kind::Struct || type.kind == Type::Kind::Union)
    json["fields"] = type.fields;
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
    type.fields = required_array(json, "fields").get<std::vector<Field>>();
}

static constexpr auto fields_of_argument() {
  using T = Argument;
  return std::tuple{field("name", &T::name),     field("position", &T::position),
                    field("type", &T::type),     field("address_space", &T::address_space),
                    field("access", &T::access), field("pointer", &T::pointer),
                    field("size", &T::size)};
}
static void to_json(Json& json, const Argument& argument) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json(value); };
  write_fields(json, argument, fields_of_argument());
  json["input"] = argument.input == Input::Unset ? Json() : Json(name_of(argument.input));
  json["value"] = text(argument.value);
  json["file"] = text(argument.file);
  json["output"] = argument.output;
}
static void from_json(const Json& json, Argument& argument) {
  read_fields(json, argument, fields_of_argument());
  argument.input = optional<Input>(json, "input").value_or(Input::Unset);
  // A number or an array counts as its text.
  if (const auto value = json.find("value"); value != json.end() && !value->is_null())
    argument.value = value->is_string() ? value->get<std::string>() : value->dump();
  argument.file = optional<std::string>(json, "file").value_or("");
  argument.output = optional<bool>(json, "output").value_or(false);
}

static constexpr auto fields_of_kernel() {
  using T = KernelInterface;
  return std::tuple{
      field("name", &T::name),
      field<Presence::Written>("file", &T::file),
      field<Presence::Written>("line", &T::line),
      field<Presence::IfNotPlain>("reqd_work_group_size", &T::required_work_group_size),
      field<Presence::IfNotPlain>("launch_bounds", &T::most_work_items),
      field("arguments", &T::arguments)};
}
void to_json(Json& json, const KernelInterface& kernel) {
  write_fields(json, kernel, fields_of_kernel());
}
void from_json(const Json& json, KernelInterface& kernel) {
  read_fields(json, kernel, fields_of_kernel());
  check_numbers(kernel);
}

static constexpr auto fields_of_interface() {
  return std::tuple{field("source", &Interface::source), field("kernels", &Interface::kernels)};
}
Json to_json(const Interface& interface) {
  Json json{{"format", kInterfaceFormat}};
  write_fields(json, interface, fields_of_interface());
  return json;
}
Interface interface_from_json(const Json& json) {
  expect_format(json, kInterfaceFormat);
  Interface interface;
  read_fields(json, interface, fields_of_interface());
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
