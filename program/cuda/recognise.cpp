// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/recognise.h"

#include "model/files.h"
#include "model/names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

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
  // These are names of CUDA and HIP. libnvrtc.so and libhiprtc.so of GpuTestCheck link to its own.
  constexpr std::array<std::string_view, 12> kLibraries{
      "libcudart.so",   "libcuda.so",     "libnvrtc.so",    "libgputest_nvrtc.so",
      "libcublas.so",   "libcublasLt.so", "libcufft.so",    "libcurand.so",
      "libcusolver.so", "libcusparse.so", "libamdhip64.so", "libhiprtc.so"};
  return std::ranges::any_of(kLibraries,
                             [&](std::string_view library) { return name.starts_with(library); });
}

// The section of cuda/runtime/state.cpp is in every program that links the runtime.
bool is_section_of_cuda(std::string_view name) {
  return name == ".nv_fatbin" || name == ".nvFatBinSegment" || name == "gputest_cuda_runtime";
}

// What a file says about itself.
struct Parts {
  bool has_cuda = false;                  // or needs a library of CUDA's
  std::vector<std::string> needed, paths; // other libraries; where the loader looks for them
};

void read_dynamic(std::string_view entries, std::string_view texts, Parts& parts) {
  for (std::size_t k = 0; k + sizeof(Elf64_Dyn) <= entries.size(); k += sizeof(Elf64_Dyn)) {
    const auto entry = at<Elf64_Dyn>(entries, k);
    const std::string_view text = text_at(texts, entry->d_un.d_val);
    if (entry->d_tag == DT_NEEDED) {
      parts.has_cuda = parts.has_cuda || is_library_of_cuda(text);
      parts.needed.emplace_back(text);
    } else if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH)
      for (std::string& path : model::split(text, ':'))
        parts.paths.push_back(std::move(path));
  }
}

Parts parts_of(const std::filesystem::path& path) {
  Parts parts;
  const std::string file = model::read_text(path).value_or("");
  if (!file.starts_with(ELFMAG))
    return parts;
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return parts;
  const auto section = [&](std::uint64_t index) {
    return at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  for (unsigned i = 0; names && i < header->e_shnum; ++i) {
    const auto one = section(i);
    if (!one)
      break;
    parts.has_cuda =
        parts.has_cuda || is_section_of_cuda(text_at(part(file, *names), one->sh_name));
    if (const auto texts = one->sh_type == SHT_DYNAMIC ? section(one->sh_link) : std::nullopt)
      read_dynamic(part(file, *one), part(file, *texts), parts);
  }
  return parts;
}

// Where the loader finds a library that the file at `user` needs. Empty: in a folder of the system,
// where no project has its libraries.
std::filesystem::path found(const std::string& name, const std::filesystem::path& user,
                            const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (name.find('/') != std::string::npos)
    return name;
  for (std::string folder : paths) {
    for (const std::string_view origin : {"${ORIGIN}", "$ORIGIN"})
      if (folder.starts_with(origin))
        folder.replace(0, origin.size(), fs::absolute(user, error).parent_path().string());
    if (const fs::path file = fs::path(folder) / name; fs::exists(file, error))
      return file;
  }
  return {};
}

} // namespace

bool is_cuda_program(const std::filesystem::path& executable) {
  const char* const everywhere = std::getenv("LD_LIBRARY_PATH");
  std::vector<std::filesystem::path> files{executable};
  std::set<std::string> known;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Parts parts = parts_of(files[i]);
    if (parts.has_cuda)
      return true;
    for (std::string& path : model::split(everywhere ? everywhere : "", ':'))
      parts.paths.push_back(std::move(path));
    for (const std::string& name : parts.needed)
      if (known.insert(name).second)
        if (std::filesystem::path file = found(name, files[i], parts.paths); !file.empty())
          files.push_back(std::move(file));
  }
  return false;
}

} // namespace gputest::program
