// cmake/functions/analyses.cmake, as it follows from a table of analyses.
#pragma once

#include "model/analyses.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

namespace gputest::tests {

inline std::string kind_of(const model::Setting& setting) {
  constexpr std::array names{"FLAG",    "LIMIT",  "COUNT",    "REAL",  "SIZE",
                             "PERCENT", "FACTOR", "CHOICE",   "NAMES", "WORDS",
                             "NAMES",   "COMMIT", "DURATION", "FILE",  "TEXT"};
  return names[static_cast<std::size_t>(setting.kind)];
}

// The command that sets a global property, in lines of at most 100 columns.
inline std::string set_property(const std::string& name, const std::string& values) {
  constexpr std::size_t columns = 100;
  const std::string head = "  set_property(GLOBAL PROPERTY gputest_" + name;
  if (head.size() + values.size() + 2 <= columns)
    return head + ' ' + values + ")\n";
  std::string text = head + '\n', line = "   ", word;
  std::istringstream words(values);
  while (words >> word) {
    if (line.size() + word.size() + 2 > columns) {
      text += line + '\n';
      line = "   ";
    }
    line += ' ' + word;
  }
  return text + line + ")\n";
}

inline std::string cmake_table(std::span<const model::Analysis> analyses) {
  std::string names, keywords, text;
  const auto set = [&](const model::Analysis& analysis, const std::string& what,
                       const std::string& value) {
    if (!value.empty())
      text += set_property(std::string(analysis.name) + '_' + what, value);
  };
  const auto spaced = [](std::string list, char separator) {
    std::ranges::replace(list, separator, ' ');
    return list;
  };
  for (const model::Analysis& analysis : analyses) {
    const std::string name(analysis.name);
    names += (names.empty() ? "" : " ") + name;
    if (!analysis.help.empty())
      keywords += (keywords.empty() ? "" : " ") + model::keyword_of(name);
    text += '\n';
    set(analysis, "always", analysis.always ? "TRUE" : "");
    constexpr std::array uses{"", "compare", "cases"};
    set(analysis, "device", uses[static_cast<std::size_t>(analysis.device)]);
    set(analysis, "long", analysis.is_long ? "TRUE" : "");
    const auto in_program = [](const model::Setting& setting) {
      return (setting.places & (model::kInProgram | model::kInRun)) != 0;
    };
    const bool of_kernels =
        !analysis.settings.empty() && std::ranges::none_of(analysis.settings, in_program);
    set(analysis, "of_kernels", of_kernels ? "TRUE" : "");
    set(analysis, "result", std::string(analysis.result));
    set(analysis, "reports", spaced(std::string(analysis.reports), ';'));
    set(analysis, "cuda", std::string(analysis.cuda));
    set(analysis, "store", model::find_setting(analysis, "store") ? "TRUE" : "");
    const model::Variant& variant = analysis.variant;
    if (!variant.subcommand.empty())
      set(analysis, "variant",
          std::string(variant.subcommand) + " \"" + std::string(variant.comment) + "\" " +
              std::string(variant.table) + ' ' + std::string(variant.text) + ' ' +
              spaced(std::string(variant.others), ';'));
    for (const model::Setting& setting : analysis.settings)
      if (setting.is_time)
        set(analysis, "time", std::string(setting.name) + ' ' + std::string(setting.fallback));
    constexpr unsigned in_cmake = model::kInKernel | model::kInProgram | model::kInCuda;
    std::string settings, kernel_only, program_only, cuda_only;
    for (const model::Setting& setting : analysis.settings)
      if ((setting.places & in_cmake) != 0 && setting.name != analysis.value) {
        settings += ' ' + model::keyword_of(setting.name);
        if ((setting.places & in_cmake) == model::kInKernel)
          kernel_only += ' ' + model::keyword_of(setting.name);
        if ((setting.places & in_cmake) == model::kInProgram)
          program_only += ' ' + model::keyword_of(setting.name);
        if ((setting.places & in_cmake) == model::kInCuda)
          cuda_only += ' ' + model::keyword_of(setting.name);
      }
    set(analysis, "keywords", settings.empty() ? "" : settings.substr(1));
    set(analysis, "kernel_only", kernel_only.empty() ? "" : kernel_only.substr(1));
    set(analysis, "program_only", program_only.empty() ? "" : program_only.substr(1));
    set(analysis, "cuda_only", cuda_only.empty() ? "" : cuda_only.substr(1));
    if (analysis.value != "*")
      set(analysis, "first", model::keyword_of(analysis.value));
    for (const model::Setting& setting : analysis.settings)
      if ((setting.places & in_cmake) != 0) {
        set(analysis, "kind_" + model::keyword_of(setting.name), kind_of(setting));
        if (setting.kind == model::ValueKind::Choice)
          set(analysis, "words_" + model::keyword_of(setting.name),
              spaced(std::string(setting.value), '|'));
      }
  }
  return "# Written from model/analyses.cpp by the test unit.model; do not edit: change the table, "
         "and "
         "run\n# GPUTEST_UPDATE_GOLDEN=1 ctest -R unit.model\n\n"
         "# gputest_private_analyses()\n#\n"
         "# What the CMake functions know of analyses, as global properties, which the first call "
         "sets.\n"
         "function(gputest_private_analyses)\n"
         "  get_property(is_known GLOBAL PROPERTY gputest_analyses SET)\n"
         "  if(is_known)\n"
         "    return()\n"
         "  endif()\n" +
         set_property("analyses", names) + set_property("keywords", keywords) + text +
         "endfunction()\n";
}

} // namespace gputest::tests
