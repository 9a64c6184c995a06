// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "store/store.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <fmt/format.h>

namespace gputest::driver {
namespace {

cxxopts::Options merge_options() {
  cxxopts::Options options(
      "gputest merge",
      "Joins stores of results, such as those of the shards of one mutation run, in any order and "
      "as often as you like. If several have an outcome, the newest one stays.\n");
  options.positional_help("STORE…").show_positional_help();
  options.add_options()("o,output", "The store to add to; made if there is none",
                        cxxopts::value<std::string>(), "FILE")("h,help", "Print this")(
      "stores", "Stores to add; they stay as they are", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"stores"});
  return options;
}

// Prints conflicts. If one mutant has two verdicts in one case, the mutant, the machines or their
// clocks differ.
void print(const std::vector<store::Conflict>& conflicts, const std::string& added,
           const std::string& output) {
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(conflicts.size(), most); ++i) {
    const store::Conflict& conflict = conflicts[i];
    fmt::print("{}: warning: mutant {} on case {} of program {}{}: {} here and {} in {}; {} is "
               "newer and stays\n",
               added, conflict.mutant, conflict.test_case, conflict.program,
               conflict.order.empty() ? "" : ", order " + conflict.order,
               model::name_of(conflict.replaced ? conflict.kept : conflict.dropped),
               model::name_of(conflict.replaced ? conflict.dropped : conflict.kept), output,
               model::name_of(conflict.kept));
  }
  if (conflicts.size() > most)
    fmt::print("{}: warning: {} more such conflicts\n", added, conflicts.size() - most);
}

} // namespace

int merge_command(int argc, char** argv) {
  cxxopts::Options options = merge_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  if (arguments.count("output") == 0)
    throw CommandError("error: --output is missing; see gputest merge --help");
  const auto output = arguments["output"].as<std::string>();
  if (arguments.count("stores") == 0)
    throw CommandError("error: no store given to add; see gputest merge --help");
  const auto stores = arguments["stores"].as<std::vector<std::string>>();
  try {
    for (const std::string& file : stores) // checked before anything is written
      store::require_store(file);
    store::Store all(output);
    for (const std::string& file : stores) {
      const store::Merged merged = all.merge(file);
      fmt::print("{}: {} outcomes added or replaced\n", file, merged.changed);
      print(merged.conflicts, file, output);
    }
  } catch (const store::StoreError& error) {
    throw CommandError(error.what(), error.exit_code() == WrongInput ? WrongInput : Internal);
  }
  return Held;
}

} // namespace gputest::driver
