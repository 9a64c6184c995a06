// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The container of device code that gputest-cuda embeds in programs, where nvcc embeds a fat
// binary. It has LLVM bitcode and what is needed to run it. All numbers are 8 bytes in the
// machine's order.
//
//     "GPUTCUDA"  bytes of all of it  flags  simulator  headers  device code  variants
//
// `simulator`, `headers` and `device code` are each a length and that many bytes: the path of
// gputest-simulator, the folder of the compiler's own headers, and the bitcode. Places in these
// headers are not shown to users. `variants` is a number and, for each variant, three such parts:
// its name ("coverage"), the folder with its tables, and its bitcode.
//
// The device code may also be PTX: the runtime library makes a container of a text that a program
// loads. Then `headers` is the text's name for messages ("module1.ptx").
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest::ir::cuda {

constexpr std::string_view kContainerMagic = "GPUTCUDA";
constexpr std::uint64_t kRelocatable =
    1; // a flag: other units of the program may define what the code uses
constexpr std::uint64_t kHip = 2; // a flag: the source is HIP, and messages use its names

// An instrumented variant of the device code.
struct ContainedVariant {
  std::string name, folder, code;
};

struct Container {
  std::uint64_t flags = 0;
  std::string simulator, headers, code;
  std::vector<ContainedVariant> variants{};
};

inline void append_number(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

inline std::string bytes_of(const Container& container) {
  std::string rest;
  append_number(rest, container.flags);
  for (const std::string* part : {&container.simulator, &container.headers, &container.code}) {
    append_number(rest, part->size());
    rest += *part;
  }
  append_number(rest, container.variants.size());
  for (const ContainedVariant& variant : container.variants)
    for (const std::string* part : {&variant.name, &variant.folder, &variant.code}) {
      append_number(rest, part->size());
      rest += *part;
    }
  std::string bytes(kContainerMagic);
  append_number(bytes, bytes.size() + sizeof(std::uint64_t) + rest.size());
  return bytes + rest;
}

// Returns the flags of the container at `begin`; 0: there is none.
inline std::uint64_t container_flags(const void* begin) {
  const auto* const bytes = static_cast<const char*>(begin);
  std::uint64_t flags = 0;
  if (std::memcmp(bytes, kContainerMagic.data(), kContainerMagic.size()) == 0)
    std::memcpy(&flags, bytes + kContainerMagic.size() + sizeof flags, sizeof flags);
  return flags;
}

// Returns the size in bytes of the container at `begin`; 0: there is none.
inline std::uint64_t container_size(const void* begin) {
  const auto* const bytes = static_cast<const char*>(begin);
  std::uint64_t size = 0;
  if (std::memcmp(bytes, kContainerMagic.data(), kContainerMagic.size()) == 0)
    std::memcpy(&size, bytes + kContainerMagic.size(), sizeof size);
  return size;
}

// Removes the first container from `bytes` and returns it; nullopt: it is incomplete or invalid.
inline std::optional<Container> take_container(std::string_view& bytes) {
  constexpr std::size_t kHead = kContainerMagic.size() + 8;
  if (bytes.size() < kHead || container_size(bytes.data()) > bytes.size() ||
      container_size(bytes.data()) < kHead)
    return std::nullopt;
  std::string_view rest = bytes.substr(kHead, container_size(bytes.data()) - kHead);
  bytes.remove_prefix(kHead + rest.size());
  const auto number = [&]() -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    if (rest.size() < sizeof value)
      return std::nullopt;
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return value;
  };
  Container container;
  const std::optional<std::uint64_t> flags = number();
  if (!flags)
    return std::nullopt;
  container.flags = *flags;
  const auto take = [&](std::string& part) {
    const std::optional<std::uint64_t> length = number();
    if (!length || *length > rest.size())
      return false;
    part = rest.substr(0, *length);
    rest.remove_prefix(*length);
    return true;
  };
  if (!take(container.simulator) || !take(container.headers) || !take(container.code))
    return std::nullopt;
  const std::optional<std::uint64_t> variants = number();
  for (std::uint64_t left = variants.value_or(0); left > 0; --left) {
    ContainedVariant& variant = container.variants.emplace_back();
    if (!take(variant.name) || !take(variant.folder) || !take(variant.code))
      return std::nullopt;
  }
  return variants ? std::optional(std::move(container)) : std::nullopt;
}

} // namespace gputest::ir::cuda
