#include "report/inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

// Reads JSON until a key at the top says what it is: mutation.json has "schemaVersion", everything
// else of ours "format".
class KindReader : public nlohmann::json_sax<nlohmann::json> {
public:
  bool is_mutation() const { return is_mutation_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    is_mutation_ = is_mutation_ || (depth_ == 1 && name == "schemaVersion");
    return !is_mutation_ && !(depth_ == 1 && name == "format");
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
  bool is_mutation_ = false;
};

ResultKind kind_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  KindReader reader;
  if (stream)
    nlohmann::json::sax_parse(stream, &reader);
  return reader.is_mutation() ? ResultKind::Mutation : ResultKind::Coverage;
}

std::vector<fs::path> files_below(const std::string& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if ((name == "coverage.json" || name == "mutation.json") && entry->is_regular_file())
      found.push_back(entry->path());
  }
  if (error)
    throw InputError(fmt::format("{}: error: {}", directory, error.message()));
  if (found.empty())
    throw InputError(
        fmt::format("{}: error: no coverage.json or mutation.json in this directory or below; run "
                    "the tests first (ctest -L coverage, ctest -L mutation)",
                    directory));
  std::ranges::sort(found);
  return found;
}

} // namespace

Inputs find_inputs(const std::vector<std::string>& arguments) {
  if (arguments.empty())
    throw InputError("error: no coverage.json or mutation.json given; name files, or directories "
                     "to search");
  Inputs inputs;
  std::set<fs::path> seen;
  for (const std::string& argument : arguments) {
    if (!fs::exists(argument))
      throw InputError(fmt::format("{}: error: no such file or directory; a test that ran writes "
                                   "<build>/gputest/<name>/coverage.json or mutation.json",
                                   argument));
    const auto found =
        fs::is_directory(argument) ? files_below(argument) : std::vector<fs::path>{argument};
    for (const fs::path& file : found)
      if (seen.insert(fs::canonical(file)).second)
        inputs.files.push_back(file);
  }
  inputs.kind = kind_of(inputs.files.front());
  for (const fs::path& file : inputs.files)
    if (kind_of(file) != inputs.kind) {
      const bool is_mutation = inputs.kind == ResultKind::Coverage;
      throw InputError(fmt::format(
          "{}: error: holds results of {} testing, but {} of {}; report on them one after the "
          "other: name the files, such as <build>/gputest/*/mutation.json",
          file.string(), is_mutation ? "mutation" : "coverage", inputs.files.front().string(),
          is_mutation ? "coverage" : "mutation"));
    }
  return inputs;
}

} // namespace gputest::report
