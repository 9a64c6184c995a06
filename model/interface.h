// What the host must know of a kernel to launch it. Made by the describe pass, kept as
// interface.json, edited by the user, read by hostgen and the runtime.
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

// A file that is not what it should be. what() names the file and, where one is known, the key.
class FormatError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class AddressSpace { Private, Global, Constant, Local };
enum class Access {
  Read,
  Write,
  ReadWrite
}; // of images: their qualifier; of pointers: what the kernel does
enum class Input { Unset, Random, Zero, Iota, Value, File };

struct Argument {
  // Derived from the source; `gputest describe` brings them up to date.
  std::string name; // "argument<position>" when the source gives none
  unsigned position = 0;
  Type type; // of the element where the argument is a pointer
  AddressSpace address_space = AddressSpace::Private;
  Access access = Access::Read;
  bool pointer = false;

  // The user's to edit; never overwritten.
  std::optional<std::size_t> size; // number of elements; __local arguments too
  Input input = Input::Unset;
  std::string value; // Input::Value: JSON text. Random: "low,high" or empty for the type's default
  std::string file;  // Input::File: a .npy file, relative to the interface file
  bool output =
      false; // compared with the oracle; default: a global pointer or image the kernel writes

  bool operator==(const Argument&) const = default;
};

struct KernelInterface {
  std::string name;
  std::string file; // where the author wrote it
  unsigned line = 0;
  std::optional<std::array<std::size_t, 3>> required_work_group_size;
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

// JSON as described in docs/formats.md. from_json throws FormatError.
nlohmann::ordered_json to_json(const Type& type);
nlohmann::ordered_json to_json(const KernelInterface& kernel);
nlohmann::ordered_json to_json(const Interface& interface);
Type type_from_json(const nlohmann::ordered_json& json);
KernelInterface kernel_from_json(const nlohmann::ordered_json& json);
Interface interface_from_json(const nlohmann::ordered_json& json);

Interface read_interface(const std::filesystem::path& file);
void write_interface(const Interface& interface, const std::filesystem::path& file);

// `fresh` with the user's fields of `edited` for every argument of the same kernel and name.
Interface merge_edits(Interface fresh, const Interface& edited);

} // namespace gputest::model
