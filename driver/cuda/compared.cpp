// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/cuda/bitcode.h"
#include "driver/source_arguments.h"
#include "model/files.h"
#include "passes/equivalence/equivalence.h"

#include <chrono>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

} // namespace

int cuda_compare_command(int argc, char** argv) {
  cxxopts::Options options("gputest-passes cuda-compare",
                           "Compares mutants of a CUDA source, and writes mutants.json of them");
  options.add_options()("folder", "The source's folder, which has mutants.json and bitcode",
                        cxxopts::value<std::string>())(
      "mutants", "A file with their ids, one in a line", cxxopts::value<std::string>())(
      "time-limit", "Seconds; what is not compared then stays as it is. Default: counted work",
      cxxopts::value<std::string>())("output", "The file for mutants.json",
                                     cxxopts::value<std::string>())("help", "Shows this");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  for (const char* needed : {"folder", "mutants", "output"})
    if (!arguments.count(needed))
      throw CommandError(fmt::format("--{} is missing", needed));
  using passes::WorkLimit;
  WorkLimit limit = WorkLimit::of_seconds(60);
  if (arguments.count("time-limit"))
    limit = {.until = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(seconds_option(arguments, "time-limit")))};
  const fs::path folder = arguments["folder"].as<std::string>();
  const auto names = lines_of(arguments["mutants"].as<std::string>());
  const std::set<std::string> wanted(names.begin(), names.end());
  model::MutantTable table = model::read_mutant_table(folder / "mutants.json");
  std::erase_if(table.mutants,
                [&](const model::Mutant& mutant) { return !wanted.contains(mutant.id); });
  table.not_mutated.clear();
  std::vector<std::string> code;
  for (unsigned i = 0; auto one = model::read_text(folder / bitcode_file(i)); ++i)
    code.push_back(std::move(*one));
  if (code.empty())
    throw CommandError(
        fmt::format("{}: error: cannot be read", (folder / bitcode_file(0)).string()));
  passes::mark_equivalent(table, code, limit);
  model::write_mutant_table(table, arguments["output"].as<std::string>());
  return Held;
}

} // namespace gputest::driver
