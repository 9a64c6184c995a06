// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/source_arguments.h"
#include "frontend/file_names.h"
#include "frontend/languages/languages.h"
#include "model/files.h"
#include "model/operators.h"
#include "passes/equivalence/equivalence.h"
#include "passes/mutation/cuda.h"
#include "passes/mutation/ignore_comments.h"
#include "passes/mutation/mutants.h"
#include "passes/mutation/patch.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using passes::mutation::MutantVariant;

struct Mutated {
  frontend::FlatSource flat;
  MutantVariant variant;
};

Kernels kernels_of(const frontend::SourceOptions& options) {
  return model::row_of(fs::path(options.file)).has_host_code ? Kernels::Any : Kernels::Needed;
}

Mutated mutate(const frontend::SourceOptions& options) {
  expect_source(options, "mutation");
  Mutated result{flat_source(options), {}};
  parse_kernels(
      result.flat, options,
      [&](const frontend::Tree& tree) {
        result.variant = passes::mutation::mutate(tree, source_name(options));
      },
      kernels_of(options));
  model::MutantTable& table = result.variant.table;
  table.device_macros = result.flat.device_macros;
  if (llvm::Error error = passes::mutation::ignore_by_comments(
          result.flat.dependencies, frontend::FileNames(options.source_root), table.mutants))
    throw CommandError(llvm::toString(std::move(error)));
  return result;
}

// Adds the mutants of a CUDA program's own launches. Kernels that a host program launches do not
// have these.
void add_launches_of_host(Mutated& mutated, const frontend::SourceOptions& options) {
  parse_kernels(
      mutated.flat, options,
      [&](const frontend::Tree& tree) {
        passes::mutation::CudaMutants program = // NOLINT(misc-const-correctness): it is moved
            passes::mutation::mutate_cuda(tree, source_name(options), "program");
        mutated.variant.table = std::move(program.table);
        mutated.variant.changes = std::move(program.changes);
      },
      kernels_of(options));
}

const model::Mutant& find(const Mutated& mutated, const std::string& id) {
  if (const model::Mutant* mutant = mutated.variant.table.find(id))
    return *mutant;
  throw CommandError(
      fmt::format("error: there is no mutant '{}'; `gputest mutants` lists all", id));
}

const std::vector<passes::mutation::TextChange>& changes_of(const Mutated& mutated,
                                                            const std::string& id) {
  if (find(mutated, id).kind == model::MutantKind::Launch)
    throw CommandError(fmt::format("error: '{}' changes the launch, not the text", id));
  return mutated.variant.changes.at(id);
}

// Returns the text of a mutant by itself.
std::string alone(const Mutated& mutated, const frontend::SourceOptions& options,
                  const std::string& id) {
  const frontend::FlatSource flat =
      passes::mutation::changed(mutated.flat, changes_of(mutated, id));
  std::string text;
  if (llvm::Error error =
          frontend::parse_file(flat, options, [&](const frontend::Tree& tree) -> llvm::Error {
            text = passes::mutation::guarded(tree, mutated.variant.table,
                                             find(mutated, id).kind == model::MutantKind::Program);
            return llvm::Error::success();
          }))
    throw CommandError(
        fmt::format("mutant '{}' does not compile, which is an error of its operator:\n{}", id,
                    llvm::toString(std::move(error))),
        Internal);
  return text;
}

// Reads "3-17".
model::SiteRange site_range(std::string_view text) {
  model::SiteRange range;
  const char* const end = text.data() + text.size();
  const auto [dash, wrong] = std::from_chars(text.data(), end, range.first);
  if (wrong == std::errc() && dash != end && *dash == '-')
    if (const auto [rest, error] = std::from_chars(dash + 1, end, range.last);
        error == std::errc() && rest == end && range.first <= range.last)
      return range;
  throw CommandError(fmt::format("error: --sites: '{}' is no range of sites such as 0-41", text));
}

std::string with_sites(const frontend::SourceOptions& options,
                       const std::function<bool(unsigned)>& is_wanted) {
  std::string text;
  parse_kernels(flat_source(options), options, [&](const frontend::Tree& tree) {
    text = passes::mutation::mutate_sites(tree, source_name(options), is_wanted);
  });
  return text;
}

// `ranges`: "3-17,40-40".
std::string with_ranges(const frontend::SourceOptions& options, std::string_view ranges) {
  std::vector<model::SiteRange> sites;
  if (ranges.empty()) // split() finds nothing in it
    sites.push_back(site_range(ranges));
  for (const auto range : std::views::split(ranges, ','))
    sites.push_back(site_range(std::string_view(range.begin(), range.end())));
  return with_sites(options, [&](unsigned site) {
    return std::ranges::any_of(sites, [&](const auto& range) { return range.contains(site); });
  });
}

void write_or_print(const std::string& text, const cxxopts::ParseResult& arguments) {
  if (arguments.count("output"))
    model::write_atomically(arguments["output"].as<std::string>(), text);
  else
    fmt::print("{}", text);
}

bool is_selected(const model::Mutant& mutant, const std::vector<std::string>& operators) {
  return std::ranges::any_of(mutant.operators, [&](const std::string& one) {
    return std::ranges::find(operators, one) != operators.end();
  });
}

std::string remark(const model::Mutant& mutant) {
  if (mutant.ignored)
    return fmt::format(" (ignored: {})", mutant.ignore_reason);
  if (mutant.equivalent)
    return " (equivalent)";
  return mutant.duplicate_of.empty() ? "" : fmt::format(" (duplicate of {})", mutant.duplicate_of);
}

void list(const Mutated& mutated, const std::vector<std::string>& operators) {
  for (const model::Mutant& mutant : mutated.variant.table.mutants)
    if (is_selected(mutant, operators))
      fmt::print("{}:{}:{}: {}: {}: '{}' -> '{}'{}\n", mutant.file, mutant.line, mutant.column,
                 mutant.id, fmt::join(mutant.operators, ", "), mutant.text, mutant.replacement,
                 remark(mutant));
  for (const model::NotInstrumented& entry : mutated.variant.table.not_mutated)
    fmt::print("{}:{}:{}: note: {}: {}\n", entry.file, entry.line, entry.column, entry.construct,
               entry.reason);
  if (const unsigned left_out = mutated.variant.table.left_out; left_out > 0)
    fmt::print("{}: note: {} that no kernel reaches {} no mutants\n", mutated.variant.table.source,
               left_out == 1 ? "1 function" : fmt::format("{} functions", left_out),
               left_out == 1 ? "has" : "have");
}

// Returns texts by id.
std::map<std::string, std::string> program_texts(const Mutated& mutated,
                                                 const frontend::SourceOptions& source) {
  std::map<std::string, std::string> texts;
  for (const model::Mutant& mutant : mutated.variant.table.mutants)
    if (mutant.kind == model::MutantKind::Program)
      texts[mutant.id] = alone(mutated, source, mutant.id);
  return texts;
}

void compare(Mutated& mutated, const std::map<std::string, std::string>& programs,
             const frontend::SourceOptions& source, const cxxopts::ParseResult& arguments) {
  model::MutantTable& table = mutated.variant.table;
  table.compared = arguments.count("equivalence") > 0 ||
                   passes::mutants_to_compare(table) <= passes::kComparedUnasked;
  if (table.compared)
    passes::mark_equivalent(mutated.variant, programs, source);
}

// Returns mutants.json of the mutants that a file names, one in a line. Those that are equivalent
// to the original or duplicates of each other are marked.
std::string compared(const frontend::SourceOptions& source, const cxxopts::ParseResult& arguments) {
  using passes::WorkLimit;
  WorkLimit limit = WorkLimit::of_seconds(60);
  if (arguments.count("time-limit"))
    limit = {.until = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(seconds_option(arguments, "time-limit")))};
  const auto names = lines_of(arguments["equivalence-of"].as<std::string>());
  Mutated mutated = mutate(source);
  std::set<std::string> wanted;
  for (const std::string& id : names)
    wanted.insert(find(mutated, id).id);
  std::erase_if(mutated.variant.table.mutants,
                [&](const model::Mutant& mutant) { return !wanted.contains(mutant.id); });
  std::set<unsigned> sites;
  for (const model::Mutant& mutant : mutated.variant.table.mutants)
    if (mutant.kind == model::MutantKind::Switched)
      sites.insert(mutant.site);
  mutated.variant.text = with_sites(source, [&](unsigned site) { return sites.contains(site); });
  passes::mark_equivalent(mutated.variant, program_texts(mutated, source), source, limit);
  return to_json(mutated.variant.table).dump(2) + "\n";
}

void write_all(Mutated& mutated, const frontend::SourceOptions& source, const fs::path& folder,
               const cxxopts::ParseResult& arguments) {
  // Everything is at hand before the first file is touched.
  std::vector<std::pair<std::string, std::string>> files{
      {model::file_of_variant("mutants.cl", source.file), mutated.variant.text},
      {model::file_of_variant("original.cl", source.file), mutated.variant.original}};
  const std::map<std::string, std::string> programs = program_texts(mutated, source);
  for (const model::Mutant& mutant : mutated.variant.table.mutants)
    if (mutant.kind == model::MutantKind::Program)
      files.emplace_back(mutant.program, programs.at(mutant.id));
  if (!arguments.count("no-equivalence"))
    compare(mutated, programs, source, arguments);
  fs::create_directories(folder);
  for (const auto& [name, text] : files)
    model::write_atomically(folder / name, text);
  // Written last, so that all that the table names exists.
  model::write_mutant_table(mutated.variant.table, folder / "mutants.json");
  if (arguments.count("depfile"))
    write_depfile(arguments["depfile"].as<std::string>(), {(folder / "mutants.json").string()},
                  mutated.flat.dependencies);
}

} // namespace

int mutants_command(int argc, char** argv) {
  cxxopts::Options options("gputest mutants",
                           "Lists the mutants of an OpenCL C or CUDA file, or writes them");
  add_variant_options(options, Languages::All);
  options.add_options()("operators",
                        "Make only mutants of these operators: names, conventional, gpu, all",
                        cxxopts::value<std::string>()->default_value("all"),
                        "NAME,...")("list-operators", "List the mutation operators")(
      "output-dir", "Write mutants.cl, mutants.json and the mutants with programs of their own",
      cxxopts::value<std::string>(), "FOLDER")("alone", "Write this mutant as a program of its own",
                                               cxxopts::value<std::string>(), "ID")(
      "sites",
      "Write mutants.cl with the mutants of these sites alone, numbered as in the "
      "whole, such as 0-3,7-7; for devices whose compiler rejects the whole, and for survivors",
      cxxopts::value<std::string>(), "FIRST-LAST")(
      "equivalence-of",
      "Compare the mutants whose ids this file has, one a line, and write their mutants.json; for "
      "survivors of files with very many mutants",
      cxxopts::value<std::string>(), "FILE")(
      "time-limit",
      "Seconds for --equivalence-of; mutants that are left then are not compared. Default: counted "
      "work of about a minute, so that the same mutants are compared on a busy machine",
      cxxopts::value<std::string>(), "SECONDS")(
      "output", "The file for --alone, --sites and --equivalence-of; without it, standard output",
      cxxopts::value<std::string>(), "FILE")(
      "equivalence",
      "Find mutants that optimised code proves equivalent, or duplicates of others; "
      "--output-dir does so for up to 1000 mutants")("no-equivalence", "Do not look for them");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  if (arguments.count("list-operators")) {
    for (const model::MutationOperator& one : model::mutation_operators())
      fmt::print("{:<34}{:<14}{}\n", one.name,
                 one.group == model::OperatorGroup::Gpu ? "gpu" : "conventional", one.summary);
    return Held;
  }
  std::vector<std::string> names;
  for (std::string rest = arguments["operators"].as<std::string>(); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    names.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  std::vector<std::string> operators;
  try {
    operators = model::select_operators(names);
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: --operators: {}", error.what()));
  }
  if (arguments.count("equivalence") && arguments.count("no-equivalence"))
    throw CommandError("error: --equivalence and --no-equivalence exclude each other");
  frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  add_wrapper(arguments, source);
  if (arguments.count("sites")) {
    write_or_print(with_ranges(source, arguments["sites"].as<std::string>()), arguments);
    return Held;
  }
  if (arguments.count("equivalence-of")) {
    write_or_print(compared(source, arguments), arguments);
    return Held;
  }
  Mutated mutated = mutate(source);
  if (arguments.count("alone")) {
    write_or_print(alone(mutated, source, arguments["alone"].as<std::string>()), arguments);
  } else if (arguments.count("output-dir")) {
    write_all(mutated, source, arguments["output-dir"].as<std::string>(), arguments);
  } else {
    if (arguments.count("equivalence"))
      compare(mutated, program_texts(mutated, source), source, arguments);
    list(mutated, operators);
  }
  return Held;
}

int show_command(int argc, char** argv) {
  cxxopts::Options options("gputest show", "Prints a mutant as a patch of the original file");
  add_source_options(options);
  add_build_options(options, Languages::All);
  options.add_options()("id", "The mutant's id", cxxopts::value<std::string>());
  options.parse_positional({"id", "source"});
  options.positional_help("ID SOURCE");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  if (!arguments.count("id"))
    throw CommandError("error: which mutant? Give its id; `gputest mutants SOURCE` lists all");
  const frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  const std::string id = arguments["id"].as<std::string>();
  Mutated mutated = mutate(source);
  if (!mutated.variant.table.find(id) && model::row_of(fs::path(source.file)).has_host_code)
    add_launches_of_host(mutated, source);
  const auto& changes = changes_of(mutated, id);
  llvm::Expected<std::string> text =
      passes::mutation::patch(mutated.flat, frontend::FileNames(source.source_root), changes);
  if (!text)
    throw CommandError(llvm::toString(text.takeError()));
  fmt::print("{}", *text);
  return Held;
}

} // namespace gputest::driver
