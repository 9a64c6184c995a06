// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/recognise.h"

#include "model/files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::program {
namespace {

// Returns the structure at an offset of the file; nullopt: the file ends before.
template <typename Value> std::optional<Value> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || sizeof(Value) > file.size() - offset)
    return std::nullopt;
  Value value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::string_view part(std::string_view file, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > file.size())
    return {};
  return file.substr(section.sh_offset, section.sh_size);
}

std::string_view text_at(std::string_view texts, std::uint64_t offset) {
  if (offset >= texts.size())
    return {};
  const std::string_view rest = texts.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

bool is_library_of_cuda(std::string_view name) {
  constexpr std::array<std::string_view, 3> kLibraries{"libcudart.so", "libcuda.so", "libnvrtc.so"};
  return std::ranges::any_of(kLibraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

} // namespace

bool is_cuda_program(const std::filesystem::path& executable) {
  const std::string file = model::read_text(executable).value_or("");
  if (!file.starts_with(ELFMAG))
    return false;
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return false;
  const auto section = [&](std::uint64_t index) {
    return at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  for (unsigned i = 0; names && i < header->e_shnum; ++i) {
    const auto one = section(i);
    if (!one)
      return false;
    const std::string_view name = text_at(part(file, *names), one->sh_name);
    if (name == ".nv_fatbin" || name == ".nvFatBinSegment")
      return true;
    const auto texts = one->sh_type == SHT_DYNAMIC ? section(one->sh_link) : std::nullopt;
    if (!texts)
      continue;
    const std::string_view entries = part(file, *one);
    for (std::size_t k = 0; k + sizeof(Elf64_Dyn) <= entries.size(); k += sizeof(Elf64_Dyn))
      if (const auto entry = at<Elf64_Dyn>(entries, k);
          entry->d_tag == DT_NEEDED &&
          is_library_of_cuda(text_at(part(file, *texts), entry->d_un.d_val)))
        return true;
  }
  return false;
}

} // namespace gputest::program
