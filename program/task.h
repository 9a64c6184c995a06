// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program under test, and how its user wants it to run: the same for every kind of program.
#pragma once

#include "program/oracle.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::program {

// Files that belong to this command.
struct CommandFiles {
  std::filesystem::path own;       // the command itself
  std::filesystem::path simulator; // gputest-simulator, which need not exist
  // Return the layer, and the simulator, which must exist: otherwise they throw an error for users.
  std::function<std::filesystem::path()> layer{}, needed_simulator{};
};

struct ProgramTask {
  std::string name;
  std::filesystem::path output{};      // absolute: the folder of results
  ChildSettings child{};               // the command, with its time limit
  std::filesystem::path executable{};  // the file of the command's program
  std::filesystem::path script{};      // the script that it interprets; empty: none
  std::filesystem::path source_root{}; // names of files below it are relative to it
  model::Oracle oracle{};
  bool quiet = false; // no notes for people
  CommandFiles files{};
};

// Runs the program of the task once, and judges it. `run` gets its child. What it prints is printed
// when it has ended, if the oracle looks at it.
JudgedRun run_judged(const ProgramTask& task,
                     const std::function<ChildResult(const ChildSettings&)>& run);

// The options of a kind that are given, with their values.
class GivenOptions {
public:
  void add(std::string_view name, std::vector<std::string> values) {
    values_[std::string(name)] = std::move(values);
  }
  bool has(std::string_view name) const { return values_.contains(name); }
  // Empty where it is not given.
  std::vector<std::string> all(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>() : found->second;
  }
  std::string text(std::string_view name, std::string_view fallback = {}) const {
    return has(name) ? all(name).back() : std::string(fallback);
  }

private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

} // namespace gputest::program
