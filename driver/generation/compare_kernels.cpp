// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/subcommands.h"

#include "driver/command_error.h"
#include "driver/generation/compare_cycles.h"
#include "driver/generation/input_arguments.h"
#include "driver/lock_step_option.h"
#include "driver/source_arguments.h"
#include "memory/search.h"
#include "model/files.h"
#include "model/language.h"
#include "model/names.h"
#include "model/shell.h"
#include "report/comparison/result.h"
#include "testgen/comparison/compare.h"
#include "testgen/fuzz.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using report::ComparisonResult;
using testgen::ComparisonSettings;
using testgen::KernelComparison;
using testgen::OutputError;
using testgen::Target;

constexpr double kEquivalenceSeconds = 0.1; // to leave out equivalent mutants

cxxopts::Options comparison_options() {
  cxxopts::Options options(
      "gputest compare-kernels",
      "Looks for an input with which two kernels differ: FIRST, such as a fast one, and SECOND, a "
      "simple one that says what is right. Exits with 0 if none is found, and with 1 if there is "
      "one.");
  options.positional_help("FIRST SECOND");
  const auto text = [] { return cxxopts::value<std::string>(); };
  const auto list = [] { return cxxopts::value<std::vector<std::string>>(); };
  options.add_options()("k,kernel", "The kernel of FIRST; default: its only one",
                        text()->default_value(""))(
      "second-kernel", "The kernel of SECOND; default: its only one, or the one named as FIRST's",
      text()->default_value(""))(
      "same",
      "Arguments that correspond and have other names: first=second; or a "
      "number for one that only FIRST has: eps=0.005",
      list())(
      "first-global-size",
      "The global size of FIRST, if it is not that of SECOND: expressions over SECOND's arguments "
      "and sizes, such as n/4 or 'global_size(0)*2'; several with commas",
      text())("first-local-size", "Its local size, likewise", text())(
      "o,output", "The folder for the input that differs; default: compare",
      text())("budget", "Seconds of processor time at most, without those to compile",
              text()->default_value("60"))("seed", "Another seed makes other inputs",
                                           text()->default_value("1"))(
      "absolute", "Absolute tolerance of outputs", text())(
      "relative",
      "Relative tolerance of outputs. Without tolerances, floating-point numbers may differ by "
      "1e-4 (half: 1e-2, double: 1e-9) of their size, and by what rounding explains",
      text())("ulp", "Tolerance in units in the last place",
              text())("replay", "Only run the cases of this file", list())(
      "gpu",
      fmt::format("The model of a GPU for the cycles of both kernels: {}, a file, "
                  "or none",
                  fmt::join(memory::preset_names(), ", ")),
      text()->default_value("h200"))("html", "The file for a page", text(),
                                     "FILE")("json", "The file for the result", text(), "FILE")(
      "quiet", "Print the verdict only")("second", "The file of SECOND", text());
  add_input_options(options);
  add_source_options(options);
  options.parse_positional({"source", "second"});
  return options;
}

std::vector<std::string> expressions_in(const cxxopts::ParseResult& arguments, const char* name) {
  if (!arguments.count(name))
    return {};
  return model::split_outside_brackets(arguments[name].as<std::string>());
}

ComparisonSettings comparison_settings(const cxxopts::ParseResult& arguments,
                                       const frontend::SourceOptions& second) {
  ComparisonSettings settings;
  read_input_options(arguments, second, settings);
  settings.seed = whole_option(arguments, "seed");
  settings.seconds = seconds_option(arguments, "budget");
  settings.output = fs::absolute(text_option(arguments, "output", "compare"));
  settings.pairing = {.arguments = list_of(arguments, "same"),
                      .global_size = expressions_in(arguments, "first-global-size"),
                      .local_size = expressions_in(arguments, "first-local-size")};
  settings.tolerance = tolerance_option(arguments);
  settings.replay = replayed_files(arguments);
  return settings;
}

// Returns the one kernel of a file, without mutants: many verdicts need none. `other`: the name to
// prefer if there are several.
Target kernel_in(const frontend::SourceOptions& source, const std::string& kernel,
                 const std::string& other, const char* option) {
  std::vector<Target> all = testgen::targets_of(source, kernel);
  if (all.size() > 1) {
    const auto same = std::ranges::find(all, other, [](const Target& one) { return one.kernel(); });
    if (other.empty() || same == all.end()) {
      std::vector<std::string> names;
      for (const Target& one : all)
        names.push_back(one.kernel());
      throw CommandError(fmt::format("{}: error: there are several kernels; say with {} which one: "
                                     "{}",
                                     source.file, option, fmt::join(names, ", ")));
    }
    std::swap(all.front(), *same);
  }
  if (const std::string reason = testgen::why_not(all.front()); !reason.empty())
    throw CommandError(
        fmt::format("{}: error: kernel '{}': {}", source.file, all.front().kernel(), reason));
  // Signed integers wrap in all that runs: what optimisation makes of an overflow would depend on
  // how long the code has run.
  Target& target = all.front();
  for (ir::Source* const one : {&target.original, &target.instrumented})
    one->options.emplace_back("-fwrapv");
  return std::move(target);
}

ComparisonSettings::Mutants mutants_of(const frontend::SourceOptions& source,
                                       const Target& target) {
  if (!model::row_of(fs::path(source.file)).has_source)
    return {};
  return [source, flat = target.flat] {
    return std::make_shared<const testgen::MutantProgram>(
        testgen::mutants_in(source, *flat, kEquivalenceSeconds));
  };
}

// Returns the command that compares both kernels with the input of the file alone.
std::string replay_command_of(int argc, char** argv, const fs::path& file) {
  std::vector<const char*> words(argv, argv + argc);
  words.front() = "compare-kernels";
  return command_without(words,
                         {"-o", "--output", "--replay", "--json", "--html", "--budget", "--gpu"}) +
         " --replay " + model::quoted_for_shell(file.string());
}

std::optional<report::ComparedNumber> number_of(const std::optional<OutputError>& error) {
  if (!error)
    return std::nullopt;
  return report::ComparedNumber{.place = error->place,
                                .first = error->first,
                                .second = error->second,
                                .ulp = error->ulp,
                                .relative = error->relative};
}

report::ComparedKernel kernel_of(const Target& target) {
  return {.kernel = target.kernel(), .source = target.file};
}

ComparisonResult result_of(const Target& first, const Target& second,
                           const KernelComparison& compared, bool replayed) {
  ComparisonResult result{.first = kernel_of(first),
                          .second = kernel_of(second),
                          .replayed = replayed,
                          .proved = compared.proved,
                          .not_proved = compared.not_proved,
                          .inputs = compared.inputs,
                          .enough = compared.enough,
                          .left_out = {compared.left_out.begin(), compared.left_out.end()},
                          .goals = compared.goals,
                          .reached = compared.reached,
                          .mutants = compared.mutants,
                          .killed = compared.killed,
                          .asked = compared.asked,
                          .excluded = compared.excluded,
                          .largest_ulp = number_of(compared.largest_ulp),
                          .largest_relative = number_of(compared.largest_relative),
                          .notes = compared.notes,
                          .seconds = compared.seconds,
                          .out_of_time = compared.out_of_time};
  std::ranges::stable_sort(result.left_out, std::greater<>(),
                           [](const auto& one) { return one.second; });
  if (const auto& difference = compared.difference)
    result.difference = {.kind = std::string(name_of(difference->kind)),
                         .message = difference->message,
                         .hint = difference->is_outside
                                     ? "memory is as large as the second kernel needs it; if it is "
                                       "larger, say so: --argument <buffer>:size=<elements>"
                                     : "",
                         .file = difference->file.string()};
  return result;
}

void print_numbers(const ComparisonResult& result) {
  const auto &ulp = result.largest_ulp, &relative = result.largest_relative;
  if (!ulp && !relative) {
    fmt::print("  all outputs that were compared are the same to the last bit\n");
    return;
  }
  if (ulp)
    fmt::print("  largest error: {}\n", number_text(*ulp));
  if (relative && (!ulp || relative->place != ulp->place || relative->ulp != ulp->ulp))
    fmt::print("  largest relative error: {}\n", number_text(*relative));
}

void print_details(const ComparisonResult& result) {
  constexpr std::size_t kShown = 4;
  if (!result.difference)
    print_numbers(result);
  for (const report::ComparedCycles& cycles : result.cycles)
    fmt::print("  {}, on {}, with {}\n", cycles_text(cycles), result.gpu, cycles.input);
  if (!result.left_out.empty()) {
    std::uint64_t all = 0;
    for (const auto& [reason, count] : result.left_out)
      all += count;
    fmt::print("  {} more inputs do not count:\n", all);
    for (std::size_t i = 0; i < std::min(kShown, result.left_out.size()); ++i)
      fmt::print("    {}: {}\n", result.left_out[i].second, result.left_out[i].first);
    if (result.left_out.size() > kShown)
      fmt::print("    and {} other reasons\n", result.left_out.size() - kShown);
  }
  for (const std::string& note : result.notes)
    fmt::print("  {}\n", note);
}

std::string verdict_text(const ComparisonResult& result) {
  if (result.difference)
    return "differs";
  if (result.proved)
    return "equal, proved for all inputs";
  if (!result.enough)
    return "not enough compared";
  return fmt::format("no difference found in {} {}{}", result.inputs,
                     result.replayed ? "replayed input" : "input", result.inputs == 1 ? "" : "s");
}

void print_comparison(const ComparisonResult& result, bool quiet) {
  fmt::print("{} ({}) and {} ({}): {}\n", result.first.kernel, result.first.source,
             result.second.kernel, result.second.source, verdict_text(result));
  if (const auto& difference = result.difference) {
    fmt::print("  {}\n", difference->message);
    if (!difference->hint.empty())
      fmt::print("  {}\n", difference->hint);
    fmt::print("  case: {}\n", difference->file);
    if (!result.replayed)
      fmt::print("  replay: {}\n", difference->replay);
  }
  if (quiet)
    return;
  if (!result.difference && !result.proved && !result.enough)
    fmt::print("  no input made the second kernel write an output: give inputs with --cases, or "
               "say what values arguments have with --argument\n");
  if (!result.difference && !result.not_proved.empty())
    fmt::print("  not proved for all inputs: {}\n", result.not_proved);
  if (!result.replayed)
    fmt::print("  {}{} of {} outcomes of both kernels reached,{} in {:.1f} s{}\n",
               result.proved ? fmt::format("{} inputs were compared as well, ", result.inputs) : "",
               result.reached, result.goals,
               result.mutants == 0 ? ""
                                   : fmt::format(" {} of {} mutants of both told apart,",
                                                 result.killed, result.mutants),
               result.seconds,
               result.out_of_time ? "; there was no time for more: see --budget" : "");
  if (!result.replayed && result.asked != 0)
    fmt::print(
        "  the solver looked for other decisions or outputs {} times, and {} times it proved "
        "that there are none\n",
        result.asked, result.excluded);
  print_details(result);
}

std::vector<std::string> lines_in(const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream text(model::read_text(file).value_or(""));
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  return lines;
}

void write_page(const fs::path& file, ComparisonResult result) {
  for (report::ComparedKernel* kernel : {&result.first, &result.second})
    kernel->lines = lines_in(kernel->source);
  if (result.difference)
    result.difference->text = model::read_text(result.difference->file).value_or("");
  model::write_atomically(file, comparison_html(result));
}

// Returns the file that an option names, in a folder that exists then.
fs::path output_of(const cxxopts::ParseResult& arguments, const char* option) {
  fs::path file = fs::absolute(arguments[option].as<std::string>());
  fs::create_directories(file.parent_path());
  return file;
}

// What the options ask for besides the verdict.
void finish(const cxxopts::ParseResult& arguments, const ComparisonResult& result) {
  if (arguments.count("json"))
    model::write_atomically(output_of(arguments, "json"), comparison_json(result));
  if (arguments.count("html"))
    write_page(output_of(arguments, "html"), result);
}

} // namespace

int compare_kernels(int argc, char** argv) {
  cxxopts::Options options = comparison_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  frontend::SourceOptions first_source = source_options(arguments, Named::File, Languages::All);
  define_lock_step(arguments, first_source.definitions);
  if (!arguments.count("second"))
    throw CommandError(
        "error: give two files: the kernel under test, and the one that says what is "
        "right");
  frontend::SourceOptions second_source = first_source;
  second_source.file = arguments["second"].as<std::string>();
  if (!fs::is_regular_file(second_source.file))
    throw CommandError(fmt::format("{}: error: no such file", second_source.file));
  const model::LanguageRow& language = model::row_of(fs::path(second_source.file));
  if (first_source.cl_std.empty() ||
      language.standards.find(first_source.cl_std + ' ') == std::string_view::npos)
    second_source.cl_std = language.standard; // the other is a version of another language
  ComparisonSettings settings = comparison_settings(arguments, second_source);
  const bool quiet = arguments.count("quiet") != 0, replayed = !settings.replay.empty();
  const auto named = [&](frontend::SourceOptions& source, const char* option) {
    auto kernel = arguments[option].as<std::string>();
    if (model::language_of(source.file) == model::Language::Cuda)
      source.kernel = kernel; // Clang may have to instantiate a template
    return kernel;
  };
  const std::string first_name = named(first_source, "kernel"),
                    second_name = named(second_source, "second-kernel");
  const Target first = kernel_in(first_source, first_name, "", "--kernel");
  const Target second = kernel_in(second_source, second_name, first.kernel(), "--second-kernel");
  settings.first_mutants = mutants_of(first_source, first);
  settings.second_mutants = mutants_of(second_source, second);
  const auto gpu = arguments["gpu"].as<std::string>();
  if (gpu != "none")
    memory::gpu_named(gpu); // before the work
  StatusLine line(!quiet);
  try {
    const KernelComparison compared =
        testgen::compare_kernels(first, second, settings, [&](const testgen::Progress& progress) {
          line.show(first.kernel(), progress);
        });
    line.clear();
    ComparisonResult result = result_of(first, second, compared, replayed);
    if (result.difference)
      result.difference->replay = replay_command_of(argc, argv, compared.difference->file);
    if (gpu != "none" && !result.difference)
      add_cycles(first, second, compared.examples, gpu, result);
    print_comparison(result, quiet);
    finish(arguments, result);
    if (compared.difference)
      return Failed;
    return compared.proved || compared.enough ? Held : WrongInput;
  } catch (const testgen::NoInput& error) {
    throw CommandError(error.what());
  }
}

} // namespace gputest::driver
