// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/subcommands.h"

#include "driver/command_error.h"
#include "driver/generation/editor.h"
#include "driver/generation/guards.h"
#include "driver/generation/source_keywords.h"
#include "driver/source_arguments.h"
#include "driver/source_names.h"
#include "gputest/error.h"
#include "hostgen/harness.h"
#include "hostgen/reference_skeleton.h"
#include "ir/error.h"
#include "model/analyses.h"
#include "model/checks/checks.h"
#include "model/files.h"
#include "model/language.h"
#include "model/shell.h"
#include "testgen/generation/generate.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <fmt/format.h>
#include <set>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using testgen::Generated;
using testgen::Settings;
using testgen::Target;

cxxopts::Options all_options() {
  cxxopts::Options options("gputest init",
                           "Begins the tests of kernels: generates first test cases, and writes a "
                           "CMakeLists.txt that tests and measures them in every way. If there is "
                           "a CMakeLists.txt, prints the lines to add. Replaces no file.");
  options.positional_help("SOURCE or FOLDER");
  options.add_options()("k,kernel", "The kernel; default: all of the file",
                        cxxopts::value<std::string>()->default_value(""))(
      "o,output", "The folder of the project; default: the source's",
      cxxopts::value<std::string>())("budget",
                                     "Seconds of processor time to look for cases of each kernel",
                                     cxxopts::value<std::string>()->default_value("5"))(
      "seed", "Another seed gives other cases", cxxopts::value<std::string>()->default_value("1"))(
      "vscode", "Also write .vscode/ and .clangd; without a source, only these, for the project in "
                "--output or this folder");
  add_source_options(options);
  return options;
}

bool holds_kernels(const fs::path& file) {
  return file.extension() == ".cl" || !model::row_of(file).endings.empty();
}

// Names the folders below `folder` whose kernel files nobody looks at.
void print_folders_left_out(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::error_code unreadable;
    if (!entry.is_directory(unreadable) || is_left_over(entry.path().filename().string()) ||
        is_build_folder(entry.path()))
      continue;
    for (const auto& inside : fs::directory_iterator(entry.path(), unreadable))
      if (holds_kernels(inside.path()))
        names.insert(entry.path().string());
  }
  for (const std::string& name : names)
    fmt::print("{}: left out: it is a folder of its own; gputest init {} begins it\n", name,
               model::quoted_for_shell(name));
}

// Returns the words for CHECK where cases write one place from several work-items: all checks that
// it makes by itself but RACES, which would fail with these cases.
std::string checks_without_races() {
  std::string words;
  for (const std::string& check : model::default_checks())
    if (check != "races")
      words += ' ' + model::keyword_of(check);
  return words;
}

// Returns the kernel files that the user named: one, or those of a folder.
std::vector<std::string> files_of(const std::string& named) {
  if (!fs::is_directory(named))
    return {named};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(named))
    if (holds_kernels(entry.path()))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  if (files.empty())
    throw CommandError(
        fmt::format("error: '{}' holds no .cl, .cu or .hip file: name a kernel file", named));
  print_folders_left_out(named);
  return files;
}

std::string identifier_of(const std::string& text) {
  std::string name;
  for (const char letter : text)
    name += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) ? "k" + name : name;
}

class Beginning {
public:
  Beginning(const cxxopts::ParseResult& arguments, fs::path folder)
      : arguments_(arguments), folder_(std::move(folder)) {}

  void add_file(const frontend::SourceOptions& source) {
    for (const Target& target :
         testgen::targets_of(source, arguments_["kernel"].as<std::string>())) {
      std::string name = identifier_of(testgen::file_part(target.kernel()));
      if (!names_.insert(name).second) {
        name = fmt::format("{}_{}", identifier_of(fs::path(source.file).stem().string()), name);
        names_.insert(name);
      }
      add_kernel(target, source, name);
    }
  }

  // Writes the project, or prints what to add to an existing one.
  void finish(const std::string& project) const {
    if (calls_.empty())
      throw CommandError("error: there is no kernel that cases could be generated for");
    const fs::path file = folder_ / "CMakeLists.txt";
    if (fs::exists(file)) {
      fmt::print("\nAdd to {}, behind enable_testing() and find_package(GpuTestCheck REQUIRED):\n\n"
                 "{}",
                 file.string(), calls_);
      return;
    }
    model::write_atomically(file, fmt::format("cmake_minimum_required(VERSION 3.25)\n"
                                              "project({} LANGUAGES CXX)\n"
                                              "enable_testing()\n"
                                              "find_package(GpuTestCheck REQUIRED)\n\n{}",
                                              identifier_of(project), calls_));
    const std::string build = model::quoted_for_shell((folder_ / "build").string());
    fmt::print("\n{}: written. What next:\n\n"
               "  cmake -S {} -B {}\n"
               "  cmake --build {}\n"
               "  ctest --test-dir {}\n"
               "  cmake --build {} --target coverage\n",
               file.string(), model::quoted_for_shell(folder_.empty() ? "." : folder_.string()),
               build, build, build, build);
  }

private:
  void add_kernel(const Target& target, const frontend::SourceOptions& source,
                  const std::string& name) {
    const auto without_cases = [&](const std::string& reason) {
      fmt::print("{}: no cases: {}\n", target.kernel(), reason);
    };
    if (const std::string reason = testgen::why_not(target); !reason.empty())
      return without_cases(reason);
    Settings settings;
    settings.criteria = {model::Criterion::Branch, model::Criterion::Condition,
                         model::Criterion::Loop, model::Criterion::Barrier};
    settings.seed = whole_option(arguments_, "seed");
    settings.seconds = seconds_option(arguments_, "budget");
    settings.output = folder_ / "cases" / name;
    for (const auto& entry : existing_cases(settings.output))
      settings.cases.push_back(entry);
    settings.judge_existing = true;
    Generated generated;
    try {
      generated = testgen::generate(target, settings, [](const testgen::Progress&) {});
    } catch (const ir::SourceError& error) {
      return without_cases(error.what());
    }
    if (generated.written.empty() && settings.cases.empty()) {
      without_cases(generated.launches == 0
                        ? "the time was over before the kernel was launched: give it more seconds "
                          "with --budget"
                    : generated.out_of_time
                        ? "the time was over before an input for a case was found: give it more "
                          "seconds with --budget"
                        : "no input was found with which it does nothing wrong; gputest generate "
                          "says more");
      return print_guards(generated);
    }
    const std::size_t cases = generated.written.size() + settings.cases.size();
    fmt::print("{}: {} {} in {}: {} of {} outcomes reached\n", target.kernel(), cases,
               cases == 1 ? "case" : "cases", settings.output.string(), generated.reached,
               generated.goals.size());
    std::vector<testgen::CaseRisks> risks;
    for (const auto& [existing, one] : generated.existing)
      risks.push_back(one);
    for (const testgen::Written& written : generated.written)
      risks.push_back(written.risks);
    for (const testgen::CaseRisks& one : risks)
      print_same_values(one);
    print_guards(generated);
    const std::string reference = write_reference(target, name);
    testgen::CMakeCall call{.name = name,
                            .base = (fs::current_path() / folder_).lexically_normal()};
    call.more += source_keywords(source, arguments_, call.base);
    if (!reference.empty())
      call.more += fmt::format("  # REFERENCE {} # once somebody has written it\n", reference);
    // Fuzzing is left out, because it fails until somebody says which inputs are valid.
    constexpr std::string_view kFuzz = "fuzz", kCheck = "check", kSchedules = "schedules";
    const bool same_values = std::ranges::any_of(
        risks, [](const testgen::CaseRisks& one) { return !one.same_values.empty(); });
    const bool by_order = std::ranges::any_of(risks, &testgen::CaseRisks::depends_on_order);
    std::string analyses;
    for (const model::Analysis& analysis : model::analyses().subspan(1)) // the first needs no word
      if (analysis.name != kFuzz && !(by_order && analysis.name == kSchedules))
        analyses += ' ' + model::keyword_of(analysis.name) +
                    (same_values && analysis.name == kCheck ? checks_without_races() : "");
    if (same_values) {
      fmt::print("    so the project leaves RACES out of its CHECK\n");
      call.more +=
          "  # CHECK leaves RACES out, because work-items write the same to one place. Add "
          "it once a\n  # comment accepts that: // gputest: ignore[race_same_value] why\n";
    }
    if (by_order) {
      fmt::print(
          "    an output depends on the order of work-items, so the project leaves SCHEDULES "
          "out\n");
      call.more += "  # SCHEDULES is left out, because an output depends on the order of "
                   "work-items.\n";
    }
    call.more += fmt::format(" {}\n", analyses);
    call.more += "  # FUZZ 10 # once ARGUMENTS and REQUIRE say which inputs are valid\n";
    calls_ += (calls_.empty() ? "" : "\n") + cmake_text(target, settings, generated, call);
  }

  static std::vector<fs::path> existing_cases(const fs::path& folder) {
    std::vector<fs::path> cases;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == ".json")
        cases.push_back(entry.path());
    std::ranges::sort(cases);
    return cases;
  }

  // Writes a reference and returns the file's name; empty: the kernel can have none.
  std::string write_reference(const Target& target, const std::string& name) const {
    std::string file = name + "_reference.cpp";
    if (fs::exists(folder_ / file)) {
      fmt::print("  {}: stays as it is\n", (folder_ / file).string());
      return file;
    }
    try {
      model::write_atomically(folder_ / file, hostgen::reference_skeleton(target.interface));
    } catch (const hostgen::HarnessError& error) {
      fmt::print("  no reference: {}\n", error.what());
      return "";
    }
    return file;
  }

  const cxxopts::ParseResult& arguments_;
  fs::path folder_;
  std::set<std::string> names_; // of calls
  std::string calls_;
};

} // namespace

int init(int argc, char** argv) {
  cxxopts::Options options = all_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  const bool only_editor = arguments.count("vscode") > 0 && arguments.count("source") == 0;
  if (only_editor) {
    write_editor_files(text_option(arguments, "output", "."));
    return Held;
  }
  frontend::SourceOptions source = source_options(arguments, Named::FileOrFolder, Languages::All);
  seconds_option(arguments, "budget"); // a wrong one is reported before anything runs
  const fs::path named = fs::path(source.file).lexically_normal();
  const fs::path folder = arguments.count("output")
                              ? fs::path(arguments["output"].as<std::string>())
                          : fs::is_directory(named) ? named
                                                    : named.parent_path();
  if (!folder.empty())
    fs::create_directories(folder);
  Beginning beginning(arguments, folder);
  const std::vector<std::string> files = files_of(source.file);
  for (const std::string& file : files) {
    source.file = file;
    source.kernel = instance_of(arguments, source);
    try {
      beginning.add_file(source);
    } catch (const std::exception& error) { // one broken file does not stop the others
      const bool is_folders = dynamic_cast<const model::WriteError*>(&error) ||
                              dynamic_cast<const fs::filesystem_error*>(&error);
      if (files.size() == 1 || is_folders)
        throw;
      fmt::print("{}: left out: {}\n", file, error.what());
    }
  }
  const fs::path whole = fs::absolute(named).lexically_normal();
  beginning.finish((fs::is_directory(whole) && !whole.has_filename() ? whole.parent_path() : whole)
                       .stem()
                       .string());
  if (arguments.count("vscode"))
    write_editor_files(folder.empty() ? "." : folder);
  return Held;
}

} // namespace gputest::driver
