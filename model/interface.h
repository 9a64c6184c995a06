// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's interface: all that the host must know to launch it. The describe pass makes it,
// interface.json keeps it, the user edits it, and hostgen and the runtime read it.
#pragma once

#include "model/type.h"

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::model {

// A file that does not have its format. what() names the file and, if one is known, the key.
class FormatError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class AddressSpace { Private, Global, Constant, Local };
constexpr auto names_of(AddressSpace) {
  return std::to_array<std::string_view>({"private", "global", "constant", "local"});
}
// For images, their qualifier; for pointers, what the kernel does.
enum class Access { Read, Write, ReadWrite };
constexpr auto names_of(Access) {
  return std::to_array<std::string_view>({"read", "write", "read_write"});
}
enum class Input { Unset, Random, Zero, Iota, Value, File };
constexpr auto names_of(Input) {
  return std::to_array<std::string_view>({"unset", "random", "zero", "iota", "value", "file"});
}

struct Argument {
  // Derived from the source. `gputest describe` brings them up to date.
  std::string name; // "argument<position>" when the source gives none
  unsigned position = 0;
  Type type; // for a pointer: the type of its element
  AddressSpace address_space = AddressSpace::Private;
  Access access = Access::Read;
  bool pointer = false;

  // The user edits these. They are never overwritten.
  std::optional<std::size_t> size; // number of elements; __local arguments too
  Input input = Input::Unset;
  std::string value; // Input::Value: JSON text. Random: "low,high" or empty for the type's default
  std::string file;  // Input::File: a .npy file, relative to the interface file
  // Compared with the oracle; default: a global pointer or image that the kernel writes.
  bool output = false;

  bool operator==(const Argument&) const = default;
};

struct KernelInterface {
  std::string name;
  std::string file; // the file in which the author wrote it
  unsigned line = 0;
  std::optional<std::array<std::size_t, 3>> required_work_group_size;
  std::optional<std::size_t> most_work_items; // of a group: CUDA's __launch_bounds__
  std::vector<Argument> arguments;

  const Argument* find(std::string_view argument) const;
  bool operator==(const KernelInterface&) const = default;
};

struct Interface {
  std::string source;
  std::vector<KernelInterface> kernels; // in order of definition

  const KernelInterface* find(std::string_view kernel) const;
  bool operator==(const Interface&) const = default;
};

// Convert to and from JSON as in docs/reference/formats.md. from_json and reading throw
// FormatError, and writing throws WriteError.
void to_json(nlohmann::ordered_json& json, const Type& type);
void to_json(nlohmann::ordered_json& json, const KernelInterface& kernel);
nlohmann::ordered_json to_json(const Interface& interface);
void from_json(const nlohmann::ordered_json& json, Type& type);
void from_json(const nlohmann::ordered_json& json, KernelInterface& kernel);
Interface interface_from_json(const nlohmann::ordered_json& json);

Interface read_interface(const std::filesystem::path& file);
void write_interface(const Interface& interface, const std::filesystem::path& file);

// Returns `fresh` with the user's fields of `edited`, for every argument of the same kernel and
// name.
Interface merge_edits(Interface fresh, const Interface& edited);

} // namespace gputest::model
