// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/settings.h"

#include "model/names.h"
#include "model/operators.h"
#include "model/time/duration.h"
#include "model/time/share.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace gputest::model {
namespace {

template <typename Number> std::optional<Number> number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

bool is_real(const std::string& text, double least, double most) {
  const auto value = number<double>(text);
  return value && std::isfinite(*value) && *value >= least && *value <= most;
}

// Returns what the value should be; empty: it is a whole number of this range.
std::string whole_number(const std::string& text, unsigned least) {
  const auto value = number<unsigned>(text);
  if (value && *value >= least)
    return "";
  const bool is_large =
      !text.empty() && text.find_first_not_of("0123456789") == text.npos && !value;
  return fmt::format("a whole number, at least {}{}", least,
                     is_large ? fmt::format(" and at most {}", ~0u) : "");
}

// Returns what the value should be; empty: it is valid.
std::string wanted(const Setting& setting, const std::string& value) {
  switch (setting.kind) {
  case ValueKind::Flag:
    return value.empty() ? "" : "a value that it takes: it stands alone";
  case ValueKind::Limit:
    return value.empty() ? "" : whole_number(value, 1);
  case ValueKind::Count:
    return whole_number(value, 0);
  case ValueKind::Size:
    return whole_number(value, 1);
  case ValueKind::Real:
    return is_real(value, 0, HUGE_VAL) ? "" : "a number, at least 0"; // which a double can hold
  case ValueKind::Percent:
    return is_real(value, 0, 100) ? "" : "a percentage, 0 to 100";
  case ValueKind::Factor:
    return is_real(value, 1, kMostSeconds) ? ""
           : is_real(value, 1, HUGE_VAL)   ? "a number, at least 1 and at most 1000000000"
                                           : "a number, at least 1";
  case ValueKind::Choice: {
    const std::vector<std::string> words = split(setting.value, '|');
    return std::ranges::count(words, value) > 0 ? ""
                                                : fmt::format("one of {}", fmt::join(words, ", "));
  }
  case ValueKind::Names:
  case ValueKind::Words:
  case ValueKind::Operators:
  case ValueKind::File:
  case ValueKind::Text:
    return value.empty() ? "given" : "";
  case ValueKind::Duration:
    return seconds_in(value) ? "" : "a time above 0, such as 10min, 90s or 1.5h";
  case ValueKind::Commit:
    return value.empty() || value.starts_with('-') ||
                   value.find_first_of(" \t") != std::string::npos
               ? "a branch, a tag or a commit of Git"
               : "";
  }
  return "";
}

std::string unknown(const Analysis& analysis, std::string_view name, unsigned places) {
  std::vector<std::string_view> names;
  for (const Setting& other : analysis.settings)
    if ((other.places & places) != 0)
      names.push_back(other.name);
  return fmt::format("{} has no setting '{}'; it has: {}", analysis.name, name,
                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

bool is_flag(const Setting& setting) {
  return setting.kind == ValueKind::Flag || setting.kind == ValueKind::Limit;
}

} // namespace

double seconds_of(const std::string& name, const std::string& text) {
  const auto value = number<double>(text);
  if (value && *value > 0 && *value <= kMostSeconds)
    return *value;
  throw SettingError(fmt::format("--{}: '{}' is not a number of seconds above 0 and at most {}",
                                 name, text, kMostSeconds));
}

double real_of(const std::string& name, const std::string& text, double most) {
  const auto value = number<double>(text);
  if (value && std::isfinite(*value) && *value >= 0 && *value <= most)
    return *value;
  throw SettingError(fmt::format("--{}: '{}' is not a number from 0{}", name, text,
                                 std::isfinite(most) ? fmt::format(" to {}", most) : ""));
}

std::uint64_t whole_of(const std::string& what, const std::string& text, WholeRange range) {
  if (const auto value = whole_number(text, range))
    return *value;
  throw SettingError(no_whole_number(what, text, range));
}

const Setting& Settings::known(std::string_view name) const {
  if (const Setting* const setting = find_setting(*analysis_, name))
    return *setting;
  throw std::logic_error(fmt::format("{} has no setting '{}'", analysis_->name, name));
}

void Settings::set(std::string_view name, const std::string& value) {
  const Setting* const setting = find_setting(*analysis_, name);
  if (!setting)
    throw SettingError(unknown(*analysis_, name, ~0u));
  if (const std::string what = wanted(*setting, value); !what.empty())
    throw SettingError(
        fmt::format("{} (--{}): '{}' is not {}", keyword_of(name), name, value, what));
  if (setting->kind == ValueKind::Operators)
    try {
      select_operators(split(value, ','));
    } catch (const std::invalid_argument& error) {
      throw SettingError(fmt::format("{} (--{}): {}", keyword_of(name), name, error.what()));
    }
  values_[std::string(name)] = value;
}

void Settings::set_value(const std::string& value) {
  if (analysis_->value != "*") {
    if (const std::string what = wanted(known(analysis_->value), value); !what.empty())
      throw SettingError(fmt::format("--{}: '{}' is not {}", analysis_->name, value, what));
    values_[std::string(analysis_->value)] = value;
    return;
  }
  std::map<std::string, std::string, std::less<>> before;
  before.swap(values_);
  for (const auto& [name, old] : before)
    if (!is_flag(known(name)))
      values_[name] = old;
  for (const std::string& name : split(value, ',')) {
    const Setting* const setting = find_setting(*analysis_, name);
    if (!setting || !is_flag(*setting)) {
      std::vector<std::string_view> names;
      for (const Setting& other : analysis_->settings)
        if (is_flag(other))
          names.push_back(other.name);
      throw SettingError(fmt::format("--{0}: '{1}' is no {0}; there are: {2}", analysis_->name,
                                     name, fmt::join(names, ", ")));
    }
    values_[name] = before.contains(name) ? before[name] : "";
  }
}

void Settings::add(const Settings& others) {
  for (const auto& [name, value] : others.values_)
    values_[name] = value;
}

void Settings::take_environment() {
  for (const Setting& setting : analysis_->settings) {
    if (!setting.in_environment)
      continue;
    const std::string variable = "GPUTEST_" + keyword_of(setting.name);
    const char* const value = std::getenv(variable.c_str());
    if (!value || !*value)
      continue;
    if (const std::string what = wanted(setting, value); !what.empty())
      throw SettingError(fmt::format("{}: '{}' is not {}", variable, value, what));
    values_[std::string(setting.name)] = value;
  }
  if (!find_setting(*analysis_, "time-limit"))
    return;
  if (const auto share = shared_seconds())
    values_["time-limit"] =
        fmt::format("{}", std::min(*share, given_seconds("time-limit").value_or(*share)));
}

void Settings::resolve(const std::filesystem::path& folder) {
  for (auto& [name, value] : values_)
    if (known(name).kind == ValueKind::File)
      value = (folder / value).lexically_normal().string();
}

bool Settings::given(std::string_view name) const {
  known(name);
  return values_.contains(name);
}

std::string Settings::text(std::string_view name) const {
  const auto value = values_.find(name);
  if (value != values_.end() && known(name).kind == ValueKind::Commit && value->second == "none")
    return "";
  return value == values_.end() || (value->second.empty() && !known(name).fallback.empty())
             ? std::string(known(name).fallback)
             : value->second;
}

std::uint64_t Settings::whole(std::string_view name) const {
  return number<std::uint64_t>(text(name)).value_or(0);
}

double Settings::real(std::string_view name) const {
  return number<double>(text(name)).value_or(0);
}

std::vector<std::string> Settings::names(std::string_view name) const {
  return split(text(name), ',');
}

std::optional<unsigned> Settings::given_whole(std::string_view name) const {
  return given(name) ? std::optional(static_cast<unsigned>(whole(name))) : std::nullopt;
}

std::optional<double> Settings::given_real(std::string_view name) const {
  return given(name) ? std::optional(real(name)) : std::nullopt;
}

std::optional<double> Settings::given_seconds(std::string_view name) const {
  return given(name) ? seconds_in(text(name)) : std::nullopt;
}

std::vector<std::string> Settings::flags() const {
  std::vector<std::string> names;
  for (const Setting& setting : analysis_->settings)
    if (is_flag(setting) && values_.contains(setting.name))
      names.emplace_back(setting.name);
  if (names.empty())
    for (const Setting& setting : analysis_->settings)
      if (setting.kind == ValueKind::Flag && setting.fallback == "on")
        names.emplace_back(setting.name);
  return names;
}

std::vector<std::pair<std::string, std::string>> Settings::pairs() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Setting& setting : analysis_->settings)
    if (const auto value = values_.find(setting.name); value != values_.end())
      all.emplace_back(fmt::format("{}.{}", analysis_->name, setting.name), value->second);
  return all;
}

NamedSetting parse_setting(std::span<const Analysis> all, unsigned places,
                           const std::string& text) {
  const std::size_t dot = text.find('.'), equals = std::min(text.find('='), text.size());
  const Analysis* const analysis = find_analysis(all, text.substr(0, std::min(dot, equals)));
  if (!analysis || dot > equals)
    throw SettingError(
        fmt::format("'{}' is no setting of an analysis, such as mutation.repeat=3", text));
  const std::string name = text.substr(dot + 1, equals - dot - 1);
  const std::string value = equals == text.size() ? "" : text.substr(equals + 1);
  const Setting* const setting = find_setting(*analysis, name);
  if (!setting || (setting->places & places) == 0)
    throw SettingError(unknown(*analysis, name, places));
  Settings(*analysis).set(name, value);
  return {*analysis, *setting, value};
}

void set_each(Settings& settings, std::span<const Analysis> all, unsigned places,
              const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const NamedSetting named = parse_setting(all, places, text);
    if (&named.analysis != &settings.analysis())
      throw SettingError(fmt::format("--setting: '{}' is for --{}", text, named.analysis.name));
    settings.set(named.setting.name, named.value);
  }
}

Settings settings_of(const Analysis& analysis, const std::map<std::string, std::string>& pairs) {
  Settings settings(analysis);
  const std::string prefix = std::string(analysis.name) + '.';
  for (const auto& [name, value] : pairs)
    if (name.starts_with(prefix))
      settings.set(name.substr(prefix.size()), value);
  return settings;
}

} // namespace gputest::model
