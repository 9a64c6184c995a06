// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/watch/dependents.h"

#include "model/files.h"
#include "model/json.h"
#include "model/language.h"

#include <algorithm>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDescription = "harness.cpp";

// Returns all texts in quotes, such as "../cases/a.json" in `.test_cases = {"../cases/a.json"}`.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find('"'); begin != std::string::npos;) {
    const std::size_t end = text.find('"', begin + 1);
    if (end == std::string::npos)
      break;
    words.push_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('"', end + 1);
  }
  return words;
}

// Returns the path without links and dots. A file that is gone keeps its name.
fs::path real_path(const fs::path& file) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(file, failed);
  return failed ? file.lexically_normal() : real;
}

// Returns whether a host program in `folder` reads one of the files, which are real paths, when it
// runs.
bool reads(const fs::path& folder, const std::set<fs::path>& files) {
  for (const std::string& word : quoted(model::read_text(folder / kDescription).value_or(""))) {
    const fs::path named = real_path(folder / word);
    if (files.contains(named))
      return true;
    if (named.extension() != ".json")
      continue;
    // Names of arrays are relative to the test case, and may be links as well.
    for (const std::string& array : quoted(model::read_text(named).value_or("")))
      if (array.ends_with(".npy") &&
          (files.contains(real_path((folder / word).parent_path() / array)) ||
           files.contains(real_path(named.parent_path() / array))))
        return true;
  }
  return false;
}

// Returns whether a program that is no host program of ours may read the file.
bool may_be_read(const fs::path& file) {
  const std::string ending = file.extension().string();
  const auto is_kernel = [&](const model::LanguageRow& row) { return ending == row.ending; };
  return std::ranges::any_of(model::language_rows(), is_kernel) || ending == ".h" ||
         ending == ".cuh" || ending == ".py";
}

} // namespace

std::vector<WatchedTest> watched_tests(const fs::path& json) {
  return model::read_json_file(json, [](const model::Json& all) {
    std::vector<WatchedTest> tests;
    for (const model::Json& one : model::required_array(all, "tests")) {
      const auto labels = [&]() -> model::Json {
        for (const model::Json& property : one.value("properties", model::Json::array()))
          if (property.value("name", "") == "LABELS")
            return property.value("value", model::Json::array());
        return model::Json::array();
      }();
      if (std::ranges::find(labels, "gputest") == labels.end())
        continue;
      WatchedTest test{.name = model::required<std::string>(one, "name"), .files = {}};
      for (const model::Json& word : one.value("command", model::Json::array()))
        if (const fs::path file = word.get<std::string>();
            file.is_absolute() && fs::is_regular_file(file))
          test.files.push_back(file);
      test.described =
          !test.files.empty() && fs::exists(test.files.front().parent_path() / kDescription);
      tests.push_back(std::move(test));
    }
    return tests;
  });
}

FileTimes times_of(const std::vector<WatchedTest>& tests) {
  FileTimes times;
  std::error_code ignored; // a file that is gone has no time
  for (const WatchedTest& test : tests) {
    for (const fs::path& file : test.files)
      times[file] = fs::last_write_time(file, ignored);
    if (test.described)
      for (const auto& entry : fs::directory_iterator(test.files.front().parent_path(), ignored))
        if (entry.is_regular_file(ignored))
          times[entry.path()] = entry.last_write_time(ignored);
  }
  return times;
}

std::set<std::string> dependents(const std::vector<WatchedTest>& tests, const FileTimes& before,
                                 const std::set<fs::path>& changed) {
  const FileTimes now = times_of(tests);
  const auto is_new = [&](const fs::path& file) {
    const auto known = before.find(file);
    return known == before.end() || known->second != now.at(file);
  };
  std::set<fs::path> real;
  for (const fs::path& file : changed)
    real.insert(real_path(file));
  std::set<std::string> names;
  for (const WatchedTest& test : tests) {
    bool depends = std::ranges::any_of(test.files, is_new);
    if (test.described) {
      const fs::path folder = test.files.front().parent_path();
      for (auto at = now.lower_bound(folder / ""); !depends && at != now.end(); ++at) {
        if (at->first.parent_path() != folder)
          break;
        depends = is_new(at->first);
      }
      depends = depends || reads(folder, real);
    } else {
      depends = depends || std::ranges::any_of(changed, may_be_read);
    }
    if (depends)
      names.insert(test.name);
  }
  return names;
}

} // namespace gputest::driver
