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
                                            .variants_are_flat = true,
                                            .has_orders = true,
                                            .items_move = true},
                                LanguageRow{.language = Language::Cuda,
                                            .name = "CUDA C++",
                                            .word = "cuda",
                                            .endings = ".cu ",
                                            .ending = ".cu",
                                            .group = "block",
                                            .variants_are_flat = false,
                                            .has_orders = false,
                                            .items_move = false}};

} // namespace

const LanguageRow& row_of(Language language) {
  for (const LanguageRow& row : kLanguages)
    if (row.language == language)
      return row;
  return kLanguages.front();
}

Language language_of(const std::filesystem::path& source) {
  const std::string ending = source.extension().string() + ' ';
  for (const LanguageRow& row : kLanguages)
    if (ending.size() > 1 && row.endings.find(ending) != std::string_view::npos)
      return row.language;
  return kLanguages.front().language;
}

std::string file_of_variant(std::string_view name, Language language) {
  return std::filesystem::path(name).replace_extension(row_of(language).ending).string();
}

} // namespace gputest::model
