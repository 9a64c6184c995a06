// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/subcommands.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "ir/kernels/kernel_module.h"
#include "model/files.h"
#include "passes/mutation/mutants.h"
#include "testgen/mutants/equivalence.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::driver {
int prove(int argc, char** argv) {
  cxxopts::Options options("gputest prove",
                           "Proves that no input can tell a mutant from the original");
  add_variant_options(options, Languages::All);
  options.add_options()("mutants", "A file with the ids of mutants, one a line; default: all",
                        cxxopts::value<std::string>(),
                        "FILE")("time-limit",
                                "Seconds; the mutants that are left then are not proved. Default: "
                                "Z3 has the steps of about a "
                                "minute, so that the answers are the same on a busy machine",
                                cxxopts::value<std::string>(), "SECONDS")(
      "output",
      "A file for the answers as JSON, by id: the proof, or an empty text if there is none. "
      "Mutants that were not answered in time are left out. Without it, proofs are printed",
      cxxopts::value<std::string>(), "FILE");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  testgen::ProvingLimits limits;
  if (arguments.count("time-limit"))
    limits = {.until = testgen::Deadline::after(seconds_option(arguments, "time-limit")),
              .steps = std::numeric_limits<double>::infinity()};
  frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  add_wrapper(arguments, source);
  std::optional<std::set<std::string>> wanted;
  if (arguments.count("mutants")) {
    const auto names = lines_of(arguments["mutants"].as<std::string>());
    wanted.emplace(names.begin(), names.end());
  }
  const frontend::FlatSource flat = flat_source(source);
  model::MutantTable table;
  passes::mutation::Differences differences;
  std::string unknown; // no exception passes through Clang
  parse_kernels(flat, source, [&](const frontend::Tree& tree) {
    table = passes::mutation::mutate(tree, source_name(source)).table;
    if (wanted) {
      for (const std::string& id : *wanted)
        if (!table.find(id))
          unknown = id;
      std::erase_if(table.mutants,
                    [&](const model::Mutant& one) { return !wanted->contains(one.id); });
    }
    std::set<unsigned> numbers;
    for (const model::Mutant& mutant : table.mutants)
      if (mutant.kind == model::MutantKind::Switched)
        numbers.insert(mutant.number);
    differences = passes::mutation::differences(
        tree, source_name(source), [&](unsigned number) { return numbers.contains(number); });
  });
  if (!unknown.empty())
    throw CommandError(
        fmt::format("error: there is no mutant '{}'; `gputest mutants` lists all", unknown));
  const std::map<std::string, std::string> proofs =
      testgen::prove_equivalent(ir::source_by_itself(source, flat.text), table, differences, limits,
                                [](const std::string& why) { fmt::print(stderr, "{}\n", why); });
  if (arguments.count("output")) {
    model::write_atomically(arguments["output"].as<std::string>(),
                            nlohmann::ordered_json(proofs).dump(2) + "\n");
    return Held;
  }
  for (const auto& [id, proof] : proofs) {
    if (proof.empty())
      continue;
    const model::Mutant& mutant = *table.find(id);
    fmt::print("{}:{}:{}: {}: '{}' -> '{}': {}\n", mutant.file, mutant.line, mutant.column, id,
               mutant.text, mutant.replacement, proof);
  }
  return Held;
}

} // namespace gputest::driver
