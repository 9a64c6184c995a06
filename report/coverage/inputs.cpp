#include "report/coverage/inputs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

// Reads JSON until a key at the top says what it is: mutation.json has "schemaVersion", everything
// else of ours "format", with a value.
class KindReader : public nlohmann::json_sax<nlohmann::json> {
public:
  ResultKind kind() const { return kind_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& text) override {
    if (is_format_ && text.starts_with("gputest-schedules-"))
      kind_ = ResultKind::Schedules;
    return !is_format_;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1 && name == "schemaVersion")
      kind_ = ResultKind::Mutation;
    is_format_ = depth_ == 1 && name == "format";
    return kind_ == ResultKind::Coverage;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

private:
  int depth_ = 0;
  bool is_format_ = false;
  ResultKind kind_ = ResultKind::Coverage;
};

std::string_view name_of(ResultKind kind) {
  constexpr std::array<std::string_view, 3> names{"coverage", "mutation", "schedules"};
  return names[static_cast<std::size_t>(kind)];
}

ResultKind kind_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  KindReader reader;
  if (stream)
    nlohmann::json::sax_parse(stream, &reader);
  return reader.kind();
}

std::vector<fs::path> files_below(const std::string& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if ((name == "coverage.json" || name == "mutation.json" || name == "schedules.json") &&
        entry->is_regular_file())
      found.push_back(entry->path());
  }
  if (error)
    throw InputError(fmt::format("{}: error: {}", directory, error.message()));
  if (found.empty())
    throw InputError(fmt::format(
        "{}: error: no coverage.json, mutation.json or schedules.json in this directory "
        "or below; run the tests first (ctest -L coverage, ctest -L mutation, ctest -L "
        "schedules)",
        directory));
  std::ranges::sort(found);
  return found;
}

} // namespace

Inputs find_inputs(const std::vector<std::string>& arguments) {
  if (arguments.empty())
    throw InputError("error: no coverage.json, mutation.json or schedules.json given; name files, "
                     "or directories to search");
  Inputs inputs;
  std::set<fs::path> seen;
  for (const std::string& argument : arguments) {
    if (!fs::exists(argument))
      throw InputError(fmt::format("{}: error: no such file or directory; a test that ran writes "
                                   "<build>/gputest/<name>/coverage.json, mutation.json or "
                                   "schedules.json",
                                   argument));
    const auto found =
        fs::is_directory(argument) ? files_below(argument) : std::vector<fs::path>{argument};
    for (const fs::path& file : found)
      if (seen.insert(fs::canonical(file)).second)
        inputs.files.push_back(file);
  }
  inputs.kind = kind_of(inputs.files.front());
  for (const fs::path& file : inputs.files)
    if (const ResultKind kind = kind_of(file); kind != inputs.kind)
      throw InputError(fmt::format(
          "{}: error: holds results of {} testing, but {} of {}; report on them one after the "
          "other: name the files, such as <build>/gputest/*/mutation.json",
          file.string(), name_of(kind), inputs.files.front().string(), name_of(inputs.kind)));
  return inputs;
}

} // namespace gputest::report
