// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/subcommands.h"

#include "driver/command_error.h"
#include "driver/generation/input_arguments.h"
#include "driver/lock_step_option.h"
#include "driver/source_arguments.h"
#include "ir/error.h"
#include "model/files.h"
#include "model/shell.h"
#include "testgen/fuzz.h"
#include "testgen/judge.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <random>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using testgen::Failure;
using testgen::Fuzzed;
using testgen::FuzzSettings;
using testgen::Target;

cxxopts::Options fuzz_options() {
  cxxopts::Options options("gputest fuzz",
                           "Looks for inputs with which a kernel fails, for some time");
  options.positional_help("SOURCE");
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("k,kernel", "The kernel; default: all of the file",
                        text()->default_value(""))(
      "o,output", "The folder for cases that fail, and for the corpus; default: fuzz",
      text())("seconds", "Seconds for each kernel, including those to compile it",
              cxxopts::value<std::string>()->default_value("10"))(
      "seed", "The same seed makes the same inputs; default: another one each time",
      cxxopts::value<std::string>())("replay", "Only run the cases of this file",
                                     cxxopts::value<std::vector<std::string>>())(
      "judge", "A host program, which knows the REFERENCE, the PROPERTY and the device",
      text())("judge-device", "The device that the host program uses",
              text())("json", "The file for the result", text())(
      "content", "What the result belongs to; host programs give this",
      text())("left-out", "Seconds that a time limit has taken away; host programs give this",
              text())("quiet", "Print only failures");
  add_input_options(options);
  add_source_options(options);
  return options;
}

FuzzSettings fuzz_settings(const cxxopts::ParseResult& arguments,
                           const frontend::SourceOptions& source) {
  FuzzSettings settings;
  read_input_options(arguments, source, settings);
  settings.seed =
      arguments.count("seed") ? whole_option(arguments, "seed") : std::random_device()();
  settings.seconds = seconds_option(arguments, "seconds");
  settings.output = fs::absolute(text_option(arguments, "output", "fuzz"));
  settings.replay = replayed_files(arguments);
  if (arguments.count("judge-device") && !arguments.count("judge"))
    throw CommandError("error: --judge-device needs --judge: give it");
  if (arguments.count("judge")) {
    settings.judge = {arguments["judge"].as<std::string>(), "--judge"};
    if (arguments.count("judge-device"))
      settings.judge.insert(settings.judge.end(),
                            {"--device", arguments["judge-device"].as<std::string>()});
  }
  return settings;
}

// Returns the command that runs a case as it ran here.
std::string replay_command(int argc, char** argv, const Target& target,
                           const cxxopts::ParseResult& arguments, const fs::path& file) {
  if (arguments.count("judge")) {
    std::string text = model::quoted_for_shell(arguments["judge"].as<std::string>());
    if (arguments.count("judge-device"))
      text += " --device " + model::quoted_for_shell(arguments["judge-device"].as<std::string>());
    return text + " --fuzz --replay " + model::quoted_for_shell(file.string());
  }
  std::vector<const char*> words(argv, argv + argc);
  words.front() = "fuzz";
  return command_without(words, {"-o", "--output", "--seconds", "--seed", "--replay", "--json",
                                 "-k", "--kernel"}) +
         " --kernel " + model::quoted_for_shell(target.kernel()) + " --replay " +
         model::quoted_for_shell(file.string());
}

std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

void print(const Failure& failure, const std::string& replay) {
  fmt::print("{}: {}\n  {}: {}\n  replay: {}\n", failure.kind, failure.message,
             failure.known ? "case, as in an earlier run" : "case", failure.file.string(), replay);
  std::fflush(stdout);
}

// `left_out`: seconds; 0: none.
void print(const Target& target, const Fuzzed& fuzzed, bool replayed, double left_out) {
  for (const fs::path& file : fuzzed.passed)
    fmt::print("{}: passes{}\n", file.string(),
               replayed ? "" : " now: make it one of the TEST_CASES, so that it stays so");
  for (const std::string& note : fuzzed.notes)
    fmt::print("  {}\n", note);
  if (replayed)
    return;
  fmt::print("{}: {} in {} with {:.1f} s ({:.0f} a second){}; {} of {} outcomes reached; corpus: "
             "{} and {} new; {:.1f} s before for compiling\n",
             target.kernel(), counted(fuzzed.failures.size(), "failure"),
             counted(fuzzed.inputs, "input"), fuzzed.seconds,
             static_cast<double>(fuzzed.inputs) / std::max(fuzzed.seconds, 1e-3),
             left_out > 0 ? fmt::format("; {:g} s not run: the time limit was over", left_out) : "",
             fuzzed.reached, fuzzed.goals, fuzzed.corpus, fuzzed.added, fuzzed.before);
  if (!fuzzed.device.empty())
    fmt::print("  compared with {}\n", fuzzed.device);
}

void write_json(const fs::path& file, const Target& target, const FuzzSettings& settings,
                const Fuzzed& fuzzed, const std::string& content, double left_out) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const Failure& failure : fuzzed.failures)
    findings.push_back({{"kind", failure.kind},
                        {"message", failure.message},
                        {"case", failure.file.string()},
                        {"known", failure.known}});
  nlohmann::ordered_json json{
      {"format", "gputest-fuzz-1"}, {"kernel", target.kernel()},
      {"source", target.file},      {"device", fuzzed.device},
      {"seed", settings.seed},      {"seconds", fuzzed.seconds},
      {"inputs", fuzzed.inputs},    {"outcomes", fuzzed.goals},
      {"reached", fuzzed.reached},  {"corpus", fuzzed.corpus + fuzzed.added},
      {"findings", findings}};
  if (left_out > 0)
    json["seconds_not_run"] = left_out;
  if (!content.empty())
    json["content"] = content;
  model::write_atomically(file, model::pretty(json));
}

} // namespace

int fuzz(int argc, char** argv) {
  cxxopts::Options options = fuzz_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  source.kernel = instance_of(arguments, source);
  define_lock_step(arguments, source.definitions);
  const FuzzSettings settings = fuzz_settings(arguments, source);
  const bool quiet = arguments.count("quiet") != 0;
  const double left_out = arguments.count("left-out") ? seconds_option(arguments, "left-out") : 0;
  if (arguments.count("json") && settings.replay.empty())
    fs::remove(arguments["json"].as<std::string>()); // left by an earlier run
  int result = Held;
  const auto leave = [&](const std::string& reason) { // other kernels may be usable
    fmt::print(stderr, "{}\n", reason);
    if (result == Held)
      result = WrongInput;
  };
  for (const Target& target : testgen::targets_of(source, arguments["kernel"].as<std::string>())) {
    if (const std::string reason = testgen::why_not(target); !reason.empty()) {
      leave(fmt::format("error: kernel '{}': {}", target.kernel(), reason));
      continue;
    }
    if (!quiet && settings.replay.empty())
      fmt::print("{}: {} s with seed {}\n", target.kernel(), settings.seconds, settings.seed);
    std::fflush(stdout);
    StatusLine line(!quiet);
    try {
      const Fuzzed fuzzed = testgen::fuzz(
          target, settings,
          [&](const testgen::Progress& progress) { line.show(target.kernel(), progress); },
          [&](const Failure& failure) {
            line.clear();
            print(failure, replay_command(argc, argv, target, arguments, failure.file));
          });
      line.clear();
      if (!quiet)
        print(target, fuzzed, !settings.replay.empty(), left_out);
      if (arguments.count("json") && settings.replay.empty())
        write_json(arguments["json"].as<std::string>(), target, settings, fuzzed,
                   text_option(arguments, "content"), left_out);
      if (!fuzzed.failures.empty())
        result = Failed;
    } catch (const testgen::NoInput& error) {
      leave(error.what());
    } catch (const ir::SourceError& error) {
      leave(error.what());
    } catch (const testgen::JudgeEnded& error) { // it has printed why
      return error.exit_code() == 0 ? static_cast<int>(Internal) : error.exit_code();
    }
  }
  return result;
}

} // namespace gputest::driver
