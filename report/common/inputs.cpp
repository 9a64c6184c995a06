// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

// Reads JSON until a key at the top says what it is: mutation.json has "schemaVersion", of a format
// that others defined, everything else of ours "format": "gputest-<analysis>-<version>".
class FormatReader : public nlohmann::json_sax<nlohmann::json> {
public:
  const std::string& format() const { return format_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& text) override {
    if (is_format_)
      format_ = text;
    return !is_format_;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1 && name == "schemaVersion")
      format_ = "gputest-mutation-";
    is_format_ = depth_ == 1 && name == "format";
    return format_.empty();
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
  std::string format_;
};

using Analyses = std::vector<const model::Analysis*>;

Analyses reported(std::span<const model::Analysis> all) {
  Analyses analyses;
  for (const model::Analysis& analysis : all)
    if (!analysis.reports.empty())
      analyses.push_back(&analysis);
  return analyses;
}

// "coverage.json, mutation.json or schedules.json", with `prefix` before each of them.
std::string listed(const Analyses& analyses, std::string_view model::Analysis::* name,
                   std::string_view prefix, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < analyses.size(); ++i)
    text += fmt::format("{}{}{}",
                        i == 0                     ? ""
                        : i + 1 == analyses.size() ? last
                                                   : std::string_view(", "),
                        prefix, analyses[i]->*name);
  return text;
}

std::string results(const Analyses& analyses) {
  return listed(analyses, &model::Analysis::result, "", " or ");
}

const model::Analysis* analysis_of(const Analyses& analyses, const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  FormatReader reader;
  if (stream)
    nlohmann::json::sax_parse(stream, &reader);
  for (const model::Analysis* const analysis : analyses)
    if (reader.format().starts_with(fmt::format("gputest-{}-", analysis->name)))
      return analysis;
  return analyses.front();
}

std::vector<fs::path> files_below(const Analyses& analyses, const std::string& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto is_result = [&](const model::Analysis* analysis) {
      return name == analysis->result || name.ends_with('.' + std::string(analysis->result));
    };
    if (std::ranges::any_of(analyses, is_result) && entry->is_regular_file())
      found.push_back(entry->path());
  }
  if (error)
    throw model::FormatError(fmt::format("{}: error: {}", directory, error.message()));
  if (found.empty())
    throw model::FormatError(fmt::format(
        "{}: error: no {} in this directory or below; run the tests first ({})", directory,
        results(analyses), listed(analyses, &model::Analysis::name, "ctest -L ", ", ")));
  std::ranges::sort(found);
  return found;
}

} // namespace

std::vector<Inputs> find_inputs(std::span<const model::Analysis> all,
                                const std::vector<std::string>& arguments) {
  const Analyses analyses = reported(all);
  if (arguments.empty())
    throw model::FormatError(
        fmt::format("error: no {} given; name files, or directories to search", results(analyses)));
  std::map<const model::Analysis*, std::vector<fs::path>> files;
  std::set<fs::path> seen;
  for (const std::string& argument : arguments) {
    if (!fs::exists(argument))
      throw model::FormatError(
          fmt::format("{}: error: no such file or directory; a test that ran writes "
                      "<build>/gputest/<name>/{}",
                      argument, results(analyses)));
    const auto found = fs::is_directory(argument) ? files_below(analyses, argument)
                                                  : std::vector<fs::path>{argument};
    for (const fs::path& file : found)
      if (seen.insert(fs::canonical(file)).second)
        files[analysis_of(analyses, file)].push_back(file);
  }
  std::vector<Inputs> inputs;
  for (const model::Analysis* const analysis : analyses)
    if (const auto found = files.find(analysis); found != files.end())
      inputs.push_back({analysis, std::move(found->second)});
  return inputs;
}

} // namespace gputest::report
