// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings that an analysis is given (model/analyses.h): values by name, of the type and range
// in the table, or the default.
#pragma once

#include "model/analyses.h"
#include "model/whole_number.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gputest::model {

// A setting that does not exist, or a value that it cannot have. what() is a message for users.
class SettingError : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

// About 30 years. Clocks count nanoseconds in 64 bits.
inline constexpr double kMostSeconds = 1e9;

// Read the number that the option --<name> gives. Throw SettingError, which names the option and
// says what it takes.
double seconds_of(const std::string& name, const std::string& text); // above 0, to kMostSeconds
double real_of(const std::string& name, const std::string& text,
               double most = std::numeric_limits<double>::infinity()); // from 0

// Returns the whole number that `what` gives: "--seed". Throws SettingError, which names the range.
std::uint64_t whole_of(const std::string& what, const std::string& text, WholeRange range = {});

class Settings {
public:
  // `analysis` must outlive this.
  explicit Settings(const Analysis& analysis) : analysis_(&analysis) {}

  const Analysis& analysis() const { return *analysis_; }

  // Sets a value; that of a Flag is "". Throws SettingError: "mutation has no setting 'x'",
  // "TIMEOUT_FACTOR (--timeout-factor): '0' is not a number, at least 1".
  void set(std::string_view name, const std::string& value);
  // Sets the value of --<name>: a number, or a list of flags, which are then the only ones. Throws
  // SettingError.
  void set_value(const std::string& value);
  // Adds the values of `others`, of the same analysis. They replace values that are here.
  void add(const Settings& others);
  // Takes the values of variables of the environment, such as GPUTEST_SINCE, for the settings that
  // have one (Setting::in_environment). A variable without a value counts as unset. A time limit is
  // at most this test's share of that of all (time/share.h). Call it once. Throws SettingError.
  void take_environment();
  // Resolves the values that are files: they are relative to this folder.
  void resolve(const std::filesystem::path& folder);

  // The functions below throw std::logic_error where the analysis has no such setting.
  bool given(std::string_view name) const;
  // If not given, the default, or "" without one. The commit "none" is "".
  std::string text(std::string_view name) const;
  std::uint64_t whole(std::string_view name) const;
  double real(std::string_view name) const;
  std::vector<std::string> names(std::string_view name) const;
  std::optional<unsigned> given_whole(std::string_view name) const;
  std::optional<double> given_real(std::string_view name) const;
  std::optional<double> given_seconds(std::string_view name) const; // of a Duration
  // Returns the names of the Flags and Limits that are given; if none is, of those that hold by
  // default.
  std::vector<std::string> flags() const;

  // Returns "mutation.timeout-factor" and its value, for each that is given, in the order of the
  // table.
  std::vector<std::pair<std::string, std::string>> pairs() const;

private:
  const Setting& known(std::string_view name) const;

  const Analysis* analysis_;
  std::map<std::string, std::string, std::less<>> values_;
};

// A setting with its analysis and value: "mutation", "timeout-factor" and "20".
struct NamedSetting {
  const Analysis& analysis;
  const Setting& setting;
  std::string value;
};
// Reads "mutation.timeout-factor=20". `places`: settings of other places do not exist here. Throws
// SettingError.
NamedSetting parse_setting(std::span<const Analysis> all, unsigned places, const std::string& text);

// Sets what each of `texts` says, such as "mutation.timeout-factor=20" after --setting. Throws
// SettingError, also for a setting of another analysis.
void set_each(Settings& settings, std::span<const Analysis> all, unsigned places,
              const std::vector<std::string>& texts);

// Returns those of `pairs` that are the analysis's. Throws SettingError.
Settings settings_of(const Analysis& analysis, const std::map<std::string, std::string>& pairs);

} // namespace gputest::model
