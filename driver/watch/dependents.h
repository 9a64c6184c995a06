// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the tests of a build folder that depend on changed files.
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
  std::vector<std::filesystem::path> files; // files of its command
  bool described = false; // its program is the host program of a kernel: harness.cpp is beside it
};

// Reads the output of `ctest --show-only=json-v1`. Throws model::FormatError.
std::vector<WatchedTest> watched_tests(const std::filesystem::path& json);

// The times of the files that the build makes for tests: programs, and what lies beside host
// programs.
using FileTimes = std::map<std::filesystem::path, std::filesystem::file_time_type>;
FileTimes times_of(const std::vector<WatchedTest>& tests);

// Returns the names of tests
// - for which the build has made something anew; `before` has the times from before it,
// - that read a changed file when they run: a test case, or an array beside one,
// - that may read a changed kernel or Python file, because their program is not a host program.
std::set<std::string> dependents(const std::vector<WatchedTest>& tests, const FileTimes& before,
                                 const std::set<std::filesystem::path>& changed);

} // namespace gputest::driver
