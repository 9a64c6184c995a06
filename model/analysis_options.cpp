// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/analysis_options.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace gputest::model {
namespace {

using Texts = std::vector<std::string>;

// Returns whether a setting has an option of its own there.
bool has_option(const Setting& setting, unsigned place) {
  return (setting.places & place) != 0;
}

bool is_list(const Setting& setting) {
  return setting.kind == ValueKind::Names || setting.kind == ValueKind::Words ||
         setting.kind == ValueKind::Operators;
}

// Returns the analyses that have such an option. Several have "seed".
std::vector<const Analysis*> owners(std::span<const Analysis> all, std::string_view name,
                                    unsigned place) {
  std::vector<const Analysis*> found;
  for (const Analysis& analysis : all)
    if (const Setting* const setting = find_setting(analysis, name);
        setting && has_option(*setting, place))
      found.push_back(&analysis);
  return found;
}

std::string help_of(const std::vector<const Analysis*>& analyses, std::string_view name) {
  std::string help;
  for (const Analysis* const analysis : analyses) {
    const Setting& setting = *find_setting(*analysis, name);
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", analysis->name, setting.help);
    if (setting.kind == ValueKind::Choice)
      help += fmt::format(": {}", setting.value);
    if (!setting.fallback.empty())
      help += fmt::format(" (default: {})", setting.fallback);
  }
  return help;
}

std::string list_of(const Analysis& analysis, unsigned place) {
  std::string names;
  for (const Setting& setting : analysis.settings)
    if ((setting.places & (place == kInHarness ? kInKernel : kInProgram)) != 0)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", setting.name);
  return names;
}

void add_analysis(cxxopts::OptionAdder& add, const Analysis& analysis, unsigned place) {
  const std::string name(analysis.name), help(analysis.help);
  if (analysis.value.empty()) {
    add(name, help);
    return;
  }
  const auto optional = cxxopts::value<std::string>()->implicit_value("");
  if (analysis.value == "*")
    add(name, fmt::format("{}; some of {}", help, list_of(analysis, place)), optional, "LIST");
  else
    add(name,
        fmt::format("{} (default: {})", help, find_setting(analysis, analysis.value)->fallback),
        optional, "N");
}

void add_setting(cxxopts::OptionAdder& add, const std::string& name, const std::string& help,
                 const Setting& setting) {
  const std::string value(setting.kind == ValueKind::Choice ? "NAME" : setting.value);
  if (setting.kind == ValueKind::Flag)
    add(name, help);
  else if (setting.kind == ValueKind::Limit)
    add(name, help, cxxopts::value<std::string>()->implicit_value(""), value);
  else if (is_list(setting))
    add(name, help, cxxopts::value<Texts>(), value);
  else
    add(name, help, cxxopts::value<std::string>(), value);
}

std::string options_text(const std::vector<const Analysis*>& analyses, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < analyses.size(); ++i)
    text += fmt::format("{}--{}",
                        i == 0                     ? ""
                        : i + 1 == analyses.size() ? fmt::format(" {} ", last)
                                                   : ", ",
                        analyses[i]->name);
  return text;
}

std::string value_of(const cxxopts::ParseResult& result, const Setting& setting) {
  const std::string name(setting.name);
  if (setting.kind == ValueKind::Flag)
    return "";
  if (is_list(setting))
    return fmt::format("{}", fmt::join(result[name].as<Texts>(), ","));
  const auto text = result[name].as<std::string>();
  return setting.kind == ValueKind::File ? std::filesystem::absolute(text).string() : text;
}

} // namespace

void add_analysis_options(cxxopts::Options& parser, std::span<const Analysis> all, unsigned place) {
  std::set<std::string_view> added;
  for (const Analysis& analysis : all) {
    if (analysis.help.empty())
      continue;
    std::string group(analysis.name);
    group.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(group.front())));
    cxxopts::OptionAdder add = parser.add_options(group);
    add_analysis(add, analysis, place);
    for (const Setting& setting : analysis.settings)
      if (has_option(setting, place) && added.insert(setting.name).second)
        add_setting(add, std::string(setting.name),
                    help_of(owners(all, setting.name, place), setting.name), setting);
  }
}

std::vector<std::string> with_joined_values(std::span<const Analysis> all, int argc,
                                            const char* const* argv) {
  std::set<std::string> joined;
  for (const Analysis& analysis : all) {
    if (!analysis.value.empty())
      joined.insert(fmt::format("--{}", analysis.name));
    for (const Setting& setting : analysis.settings)
      if (setting.kind == ValueKind::Limit)
        joined.insert(fmt::format("--{}", setting.name));
  }
  std::vector<std::string> words;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (!words.empty() && joined.contains(words.back()) && !word.empty() && word[0] != '-')
      words.back() += "=" + word;
    else
      words.push_back(word);
  }
  return words;
}

std::optional<AskedAnalysis> asked_analysis(const cxxopts::ParseResult& result,
                                            std::span<const Analysis> all, unsigned place) {
  const auto is_given = [&](std::string_view name) { return result.count(std::string(name)) > 0; };
  std::vector<const Analysis*> known, wanted;
  for (const Analysis& analysis : all) {
    if (analysis.help.empty())
      continue;
    known.push_back(&analysis);
    if (is_given(analysis.name) ||
        std::ranges::any_of(analysis.settings, [&](const Setting& setting) {
          return setting.starts && has_option(setting, place) && is_given(setting.name);
        }))
      wanted.push_back(&analysis);
  }
  if (wanted.size() > 1)
    throw SettingError(options_text(known, "and") + " exclude each other");
  const Analysis* const asked = wanted.empty() ? nullptr : wanted.front();
  for (const Analysis* const analysis : known)
    for (const Setting& setting : analysis->settings) {
      if (!has_option(setting, place) || !is_given(setting.name))
        continue;
      const auto of = owners(all, setting.name, place);
      if (std::ranges::count(of, asked) == 0)
        throw SettingError(fmt::format("--{} is for {}", setting.name, options_text(of, "and")));
    }
  if (!asked)
    return std::nullopt;
  AskedAnalysis answer{Settings(*asked), std::nullopt};
  if (!asked->value.empty() && is_given(asked->name))
    if (auto value = result[std::string(asked->name)].as<std::string>(); !value.empty())
      answer.value = std::move(value);
  for (const Setting& setting : asked->settings)
    if (has_option(setting, place) && is_given(setting.name))
      answer.settings.set(setting.name, value_of(result, setting));
  return answer;
}

} // namespace gputest::model
