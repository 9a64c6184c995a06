// Which tests of a build folder depend on files that have changed.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::driver {

// A test of CTest that runs kernels.
struct WatchedTest {
  std::string name;
  std::vector<std::filesystem::path> files; // of its command
  bool described = false; // its program is the host program of a kernel: harness.cpp is beside it
};

// From `ctest --show-only=json-v1`. Throws model::FormatError.
std::vector<WatchedTest> watched_tests(const std::filesystem::path& json);

// The times of what the build makes for them: programs, and what lies beside host programs.
using FileTimes = std::map<std::filesystem::path, std::filesystem::file_time_type>;
FileTimes times_of(const std::vector<WatchedTest>& tests);

// The names of tests for which the build has made something anew, `before` being the times before
// it; of those that read a changed file when they run: a test case, or an array that is one's
// beside it; and where another program's tests may read it, a kernel or Python.
std::set<std::string> dependents(const std::vector<WatchedTest>& tests, const FileTimes& before,
                                 const std::set<std::filesystem::path>& changed);

} // namespace gputest::driver
