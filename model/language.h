// The languages of kernels. A file's ending tells which it is in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gputest::model {

enum class Language { OpenCL, Cuda };

struct LanguageRow {
  Language language;
  std::string_view name;    // for people
  std::string_view word;    // in JSON: "cuda"
  std::string_view endings; // of files, each with a space behind it; empty: all others
  std::string_view ending;  // of files that are made: coverage.cl
  std::string_view group;   // what work-groups are called, one of them
  bool variants_are_flat;   // they hold all that they include, and no macros
  bool has_orders;          // the variant with mutants takes ids from its state
  bool items_move;          // schedules may change the order of a group's work-items
};

const LanguageRow& row_of(Language language);
Language language_of(const std::filesystem::path& source);

// What a file that is made of a source is called: `name` has the ending of OpenCL C.
std::string file_of_variant(std::string_view name, Language language);

} // namespace gputest::model
