// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The languages of kernels. A file's ending tells its language.
//
// Two rows may have one language: HIP is read and run as CUDA, with headers and words of its own.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace gputest::model {

enum class Language { OpenCL, Cuda };

struct LanguageRow {
  Language language;
  std::string_view name;    // for people
  std::string_view word;    // the name in JSON: "cuda"
  std::string_view endings; // endings of files, each followed by a space; empty: all others
  std::string_view ending;  // ending of variants: coverage.cl
  std::string_view group;   // the word for a work-group
  std::string_view header;  // with which sources begin that are CUDA; empty: none
  std::string_view macro;   // what is defined for them; empty: nothing
  bool variants_are_flat;   // variants hold all that they include, and no macros
  bool has_orders;          // the variant with mutants takes ids from its state
  bool items_move;          // schedules may change the order of a group's work-items
};

std::span<const LanguageRow> language_rows();
const LanguageRow& row_of(Language language); // the first
const LanguageRow& row_of(const std::filesystem::path& source);
Language language_of(const std::filesystem::path& source);

// Returns the name of a variant of the source. `name` is its name in OpenCL C: "coverage.cl"
// becomes "coverage.cu" in CUDA.
std::string file_of_variant(std::string_view name, const std::filesystem::path& source);

} // namespace gputest::model
