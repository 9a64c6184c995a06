// What an analysis is told (model/analyses.h): values by name, which have the type and the range
// that the table says, or the default.
#pragma once

#include "model/analyses.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gputest::model {

// A setting that there is not, or a value that it cannot have. what() is a message for users.
class SettingError : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

class Settings {
public:
  // `analysis` must outlive this.
  explicit Settings(const Analysis& analysis) : analysis_(&analysis) {}

  const Analysis& analysis() const { return *analysis_; }

  // Throws SettingError: "mutation has no setting 'x'", "TIMEOUT_FACTOR (--timeout-factor): '0' is
  // not a number, at least 1". A Flag has the value "".
  void set(std::string_view name, const std::string& value);
  // The value of --<name>: a number, or a list of flags, which are then the only ones. Throws
  // SettingError.
  void set_value(const std::string& value);
  // What `others`, of the same analysis, say replaces what is said here.
  void add(const Settings& others);
  // Files are relative to this folder.
  void resolve(const std::filesystem::path& folder);

  // What follows throws std::logic_error where the analysis has no such setting.
  bool given(std::string_view name) const;
  std::string text(std::string_view name) const; // the default, or "" without one
  std::uint64_t whole(std::string_view name) const;
  double real(std::string_view name) const;
  std::vector<std::string> names(std::string_view name) const;
  std::optional<unsigned> given_whole(std::string_view name) const;
  std::optional<double> given_real(std::string_view name) const;
  // Names of the Flags and Limits that are given; of none those that hold then.
  std::vector<std::string> flags() const;

  // "mutation.timeout-factor" and its value, of all that are given, in the order of the table.
  std::vector<std::pair<std::string, std::string>> pairs() const;

private:
  const Setting& known(std::string_view name) const;

  const Analysis* analysis_;
  std::map<std::string, std::string, std::less<>> values_;
};

// "mutation", "timeout-factor" and "20" of "mutation.timeout-factor=20". Throws SettingError.
struct NamedSetting {
  const Analysis& analysis;
  const Setting& setting;
  std::string value;
};
// `places`: where it is given; other settings are none.
NamedSetting parse_setting(std::span<const Analysis> all, unsigned places, const std::string& text);

// Sets what each of `texts`, such as "mutation.timeout-factor=20" after --setting, says. Throws
// SettingError, also for a setting of another analysis.
void set_each(Settings& settings, std::span<const Analysis> all, unsigned places,
              const std::vector<std::string>& texts);

// Those of `pairs` that are the analysis's. Throws SettingError.
Settings settings_of(const Analysis& analysis, const std::map<std::string, std::string>& pairs);

} // namespace gputest::model
