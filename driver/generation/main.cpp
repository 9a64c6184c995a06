// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-generate: makes inputs of kernels, and writes them as test cases, alone or with a
// project. gputest starts it.
#include "driver/command_error.h"
#include "driver/generation/guards.h"
#include "driver/generation/input_arguments.h"
#include "driver/generation/result.h"
#include "driver/generation/source_keywords.h"
#include "driver/generation/subcommands.h"
#include "driver/lock_step_option.h"
#include "driver/source_arguments.h"
#include "gputest/error.h"
#include "ir/error.h"
#include "model/files.h"
#include "model/interface.h"
#include "model/name_below.h"
#include "report/common/kernel_links.h"
#include "report/generation/html.h"
#include "testgen/generation/generate.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;
using driver::CommandError;
using driver::Held;
using driver::run_command;
using driver::source_options;
using driver::WrongInput;
using testgen::Generated;
using testgen::Goal;
using testgen::Settings;
using testgen::Target;

cxxopts::Options all_options() {
  cxxopts::Options options("gputest generate",
                           "Writes test cases that reach every outcome of a kernel's decisions");
  options.positional_help("SOURCE");
  options.add_options()("k,kernel", "The kernel; default: all of the file",
                        cxxopts::value<std::string>()->default_value(""))(
      "o,output", "The folder for cases; existing cases in it run first, and do not change",
      cxxopts::value<std::string>())("seed",
                                     "Seed of random choices: another seed may give other cases",
                                     cxxopts::value<std::string>()->default_value("1"))(
      "budget", "Seconds of processor time for each kernel, including those to compile it",
      cxxopts::value<std::string>()->default_value("10"))(
      "max-cases", "Write at most so many cases for each kernel",
      cxxopts::value<std::string>()->default_value("100"))("branch", "Reach outcomes of branches")(
      "condition", "Reach outcomes of conditions")("loop", "Reach cases of loops")(
      "mutants", "Kill mutants of the kernel")(
      "absolute", "Absolute tolerance of cases that give none", cxxopts::value<std::string>())(
      "relative", "Relative tolerance of cases that give none", cxxopts::value<std::string>())(
      "ulp", "Tolerance in units in the last place of cases that give none",
      cxxopts::value<std::string>())("no-outputs",
                                     "Record no outputs, because there is a reference")(
      "assume-fixed", "Look behind races and accesses out of bounds, too: cases that need it are "
                      "marked, and record "
                      "no outputs")(
      "html", "A page that says for each outcome which case reaches it, or why none can",
      cxxopts::value<std::string>(),
      "FILE")("back", "The page of --html links back to this page", cxxopts::value<std::string>(),
              "PAGE")("json", "The same as JSON", cxxopts::value<std::string>(),
                      "FILE")("cmake-base", "Folder that printed paths are relative to",
                              cxxopts::value<std::string>())("quiet", "Print only errors");
  driver::add_input_options(options);
  driver::add_source_options(options);
  return options;
}

Settings settings_of(const cxxopts::ParseResult& arguments, const frontend::SourceOptions& source) {
  Settings settings;
  driver::read_input_options(arguments, source, settings);
  using model::Criterion;
  const std::array named{std::pair{"branch", Criterion::Branch},
                         std::pair{"condition", Criterion::Condition},
                         std::pair{"loop", Criterion::Loop}};
  for (const auto& [name, criterion] : named)
    if (arguments.count(name))
      settings.criteria.insert(criterion);
  if (settings.criteria.empty())
    settings.criteria = {Criterion::Branch, Criterion::Condition, Criterion::Loop,
                         Criterion::Barrier};
  settings.seed = driver::whole_option(arguments, "seed");
  settings.seconds = driver::seconds_option(arguments, "budget");
  settings.most_cases = driver::whole_option(arguments, "max-cases", {1, 1'000'000});
  if (!arguments.count("output"))
    throw CommandError("error: --output is missing: say where cases are written to");
  settings.output = arguments["output"].as<std::string>();
  settings.tolerance = driver::tolerance_option(arguments);
  settings.record = !arguments.count("no-outputs");
  settings.assume_fixed = arguments.count("assume-fixed") != 0;
  return settings;
}

std::string reached_text(const Target& target, const std::vector<Goal>& goals) {
  std::vector<std::string> texts;
  for (const Goal& goal : goals)
    texts.push_back(text_of(goal, target.sites));
  const std::size_t shown = std::min<std::size_t>(texts.size(), 4);
  std::string text = fmt::format(
      "{}", fmt::join(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < texts.size())
    text += fmt::format(" and {} more", texts.size() - shown);
  return text;
}

std::string gain_text(const Target& target, const testgen::Written& written) {
  std::string text = reached_text(target, written.goals);
  if (!written.kills.empty())
    text += fmt::format("{}kills {} mutant{}", text.empty() ? "" : "; ", written.kills.size(),
                        written.kills.size() == 1 ? "" : "s");
  return text;
}

void print_mutants(const testgen::MutantsTried& mutants) {
  fmt::print("  {} of {} mutants killed, {} of them by the cases that were there; {}{} left\n",
             mutants.killed, mutants.goals, mutants.killed_before,
             mutants.equivalent.empty()
                 ? ""
                 : fmt::format("{} proved equivalent, ", mutants.equivalent.size()),
             mutants.left.size());
  for (const testgen::OpenGoal& one : mutants.equivalent)
    fmt::print("  equivalent: {}: {}\n", testgen::text_of(*one.goal.mutant), one.why);
  for (const testgen::OpenGoal& left : mutants.left)
    fmt::print("  left: {}: {}\n", testgen::text_of(*left.goal.mutant), left.why);
  if (mutants.left_to_checks != 0)
    fmt::print("  {} more are no goals: programs of their own, or for checks of the simulator to "
               "find\n",
               mutants.left_to_checks);
}

// Prints outcomes that one fault blocks together.
void print_blocked(const Target& target, const std::vector<testgen::OpenGoal>& blocked) {
  std::vector<std::string> told;
  for (const testgen::OpenGoal& one : blocked) {
    if (std::ranges::find(told, one.why) != told.end())
      continue;
    told.push_back(one.why);
    fmt::print("  blocked by a fault: {}\n", one.why);
    for (const testgen::OpenGoal& other : blocked)
      if (other.why == one.why)
        fmt::print("    {}\n", message_of(other.goal, target.sites));
  }
}

void print(const Target& target, const Settings& settings, const Generated& generated,
           const testgen::CMakeCall& call) {
  fmt::print(
      "{}: {} of {} outcomes reached, {} proved impossible, {}{} open; {} launches in {:.1f} s\n",
      target.kernel(), generated.reached, generated.goals.size(), generated.impossible.size(),
      generated.blocked.empty() ? ""
                                : fmt::format("{} blocked by a fault, ", generated.blocked.size()),
      generated.open.size(), generated.launches, generated.seconds);
  if (generated.reached_before != 0)
    fmt::print("  {} of them by the cases that were there\n", generated.reached_before);
  if (generated.behind_faults != 0)
    fmt::print("  {} of them behind faults that are assumed to be fixed\n",
               generated.behind_faults);
  if (generated.by_search + generated.by_z3 != 0)
    fmt::print("  {} of them by solving conditions: {} by search, {} by Z3\n",
               generated.by_search + generated.by_z3, generated.by_search, generated.by_z3);
  if (generated.mutants)
    print_mutants(*generated.mutants);
  for (const testgen::Written& written : generated.written) {
    fmt::print("  {}: {}\n", written.file.string(), gain_text(target, written));
    if (written.recorded)
      fmt::print("    its expected outputs are recorded, not verified: compare them with what the "
                 "kernel should compute\n");
    if (!written.not_recorded.empty())
      fmt::print("    {}\n", written.not_recorded);
    if (!written.weak.empty())
      fmt::print("    weak: {}\n", written.weak);
    driver::print_same_values(written.risks);
    for (const std::string& fault : written.assumes_fixed)
      fmt::print("    assumes that this is fixed: {}\n", fault);
  }
  for (const testgen::OpenGoal& goal : generated.impossible)
    fmt::print("  impossible: {}: {}\n", message_of(goal.goal, target.sites), goal.why);
  print_blocked(target, generated.blocked);
  for (const testgen::OpenGoal& goal : generated.open)
    fmt::print("  open: {}: {}\n", message_of(goal.goal, target.sites), goal.why);
  driver::print_guards(generated);
  if (generated.endless != 0)
    fmt::print("  {} launches did not end in {} million steps{}\n", generated.endless,
               testgen::kGenerationLimit.steps / 1'000'000,
               generated.endless_in_all < generated.endless
                   ? fmt::format(", or in fewer after the first {}", generated.endless_in_all)
                   : "");
  for (const std::string& note : generated.notes)
    fmt::print("  {}\n", note);
  if (!generated.written.empty())
    fmt::print("\n{}\n", cmake_text(target, settings, generated, call));
}

// The share of the time for mutants that the compiler proves equivalent, and the seconds that a
// kernel has at least where its file has used up more.
constexpr double kShareOfEquivalence = 0.2, kFewestSeconds = 0.5;

int run(int argc, char** argv) {
  testgen::Busy busy;
  cxxopts::Options options = all_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return driver::print_help(options);
  frontend::SourceOptions source =
      source_options(arguments, driver::Named::File, driver::Languages::All);
  source.kernel = driver::instance_of(arguments, source);
  driver::define_lock_step(arguments, source.definitions);
  Settings settings = settings_of(arguments, source);
  const fs::path base = arguments.count("cmake-base")
                            ? fs::path(arguments["cmake-base"].as<std::string>())
                            : fs::current_path();
  const bool quiet = arguments.count("quiet") != 0;
  std::size_t refused = 0; // kernels that cases cannot be made for
  std::vector<report::GenerationResult> results;
  const std::vector<Target> targets =
      testgen::targets_of(source, arguments["kernel"].as<std::string>(),
                          arguments.count("mutants") != 0, kShareOfEquivalence * settings.seconds);
  // The time for the whole file is shared by its kernels.
  busy.was("reading");
  const double reading = busy.stages().front().second / static_cast<double>(targets.size());
  settings.seconds = std::max(settings.seconds - reading, kFewestSeconds);
  for (const Target& target : targets) {
    if (const std::string reason = testgen::why_not(target); !reason.empty()) {
      fmt::print(stderr, "{}: no cases: {}\n", target.kernel(), reason);
      ++refused;
      continue;
    }
    try {
      driver::StatusLine line(!quiet);
      const Generated generated =
          testgen::generate(target, settings, [&](const testgen::Progress& progress) {
            line.show(target.kernel(), progress);
          });
      line.clear();
      results.push_back(driver::generation_result(target, generated));
      results.back().busy.insert(results.back().busy.begin(), {"reading", reading});
      if (!quiet)
        print(target, settings, generated,
              {.name = testgen::file_part(target.kernel()),
               .base = base,
               .more = driver::source_keywords(source, arguments, base)});
    } catch (const ir::SourceError& error) { // other kernels may be usable
      fmt::print(stderr, "{}: no cases: {}\n", target.kernel(), error.what());
      ++refused;
    }
  }
  const auto write = [&](const char* option, const auto& make) {
    if (arguments.count(option) == 0)
      return;
    const fs::path file = fs::absolute(arguments[option].as<std::string>());
    fs::create_directories(file.parent_path());
    model::write_atomically(file, make(results));
  };
  write("json", report::generation_json);
  for (report::GenerationResult& result : results) { // pages are for people
    const auto name = [&](const std::string& file) {
      return model::name_below(fs::absolute(file), base).value_or(file);
    };
    result.source = name(result.source);
    for (report::GenerationCase& one : result.cases)
      one.file = name(one.file);
  }
  write("html", [&](const std::vector<report::GenerationResult>& all) {
    std::string page = report::generation_html(all);
    if (arguments.count("back"))
      page = report::with_link_back(std::move(page), arguments["back"].as<std::string>());
    return page;
  });
  return refused == targets.size() ? WrongInput : Held;
}

} // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc < 2 ? "" : argv[1];
  if (name != "generate" && name != "fuzz" && name != "init" && name != "prove" &&
      name != "compare-kernels")
    return driver::refuse_by_hand("gputest-generate");
  return run_command(argv[1], [&] {
    try {
      if (name == "fuzz")
        return driver::fuzz(argc - 1, argv + 1);
      if (name == "compare-kernels")
        return driver::compare_kernels(argc - 1, argv + 1);
      if (name == "prove")
        return driver::prove(argc - 1, argv + 1);
      return name == "init" ? driver::init(argc - 1, argv + 1) : run(argc - 1, argv + 1);
    } catch (const testgen::ExpressionError& error) {
      throw CommandError(fmt::format("gputest {}: error: {}", name, error.what()));
    } catch (const UsageError& error) {
      throw CommandError(error.what());
    } catch (const ir::SourceError& error) {
      throw CommandError(error.what());
    }
  });
}
