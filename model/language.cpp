// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/language.h"

#include <array>

namespace gputest::model {
namespace {

constexpr std::array kLanguages{LanguageRow{.language = Language::OpenCL,
                                            .name = "OpenCL C",
                                            .word = "opencl",
                                            .endings = "",
                                            .ending = ".cl",
                                            .group = "work-group",
                                            .header = "",
                                            .macro = "",
                                            .variants_are_flat = true,
                                            .has_orders = true,
                                            .items_move = true},
                                LanguageRow{.language = Language::Cuda,
                                            .name = "CUDA C++",
                                            .word = "cuda",
                                            .endings = ".cu ",
                                            .ending = ".cu",
                                            .group = "block",
                                            .header = "cuda_runtime.h",
                                            .macro = "__NVCC__", // programs ask for it
                                            .variants_are_flat = false,
                                            .has_orders = false,
                                            .items_move = false},
                                LanguageRow{.language = Language::Cuda,
                                            .name = "HIP C++",
                                            .word = "hip",
                                            .endings = ".hip ",
                                            .ending = ".hip",
                                            .group = "block",
                                            .header = "hip/hip_runtime.h",
                                            .macro = "GPUTEST_HIP",
                                            .variants_are_flat = false,
                                            .has_orders = false,
                                            .items_move = false}};

} // namespace

std::span<const LanguageRow> language_rows() {
  return kLanguages;
}

const LanguageRow& row_of(Language language) {
  for (const LanguageRow& row : kLanguages)
    if (row.language == language)
      return row;
  return kLanguages.front();
}

const LanguageRow& row_of(const std::filesystem::path& source) {
  const std::string ending = source.extension().string() + ' ';
  for (const LanguageRow& row : kLanguages)
    if (ending.size() > 1 && row.endings.find(ending) != std::string_view::npos)
      return row;
  return kLanguages.front();
}

Language language_of(const std::filesystem::path& source) {
  return row_of(source).language;
}

std::string file_of_variant(std::string_view name, const std::filesystem::path& source) {
  return std::filesystem::path(name).replace_extension(row_of(source).ending).string();
}

} // namespace gputest::model
