// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_arguments.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/program_name.h"
#include "model/files.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <glob.h>
#include <set>
#include <unistd.h>
#include <utility>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr int kSearchDepth = 4;
constexpr std::size_t kSearchFiles = 2000, kSearchFolders = 2000;

bool is_kernel_file(const fs::path& file) {
  static const std::set<std::string> endings{".cl", ".clh", ".ocl", ".opencl", ".clc"};
  return endings.contains(file.extension().string());
}

// Returns whether the file is a host program whose literals may be kernels.
bool is_host_file(const fs::path& file) {
  static const std::set<std::string> endings{".py",  ".c",  ".cc",  ".cpp", ".cxx", ".h",
                                             ".hpp", ".hh", ".hxx", ".inc", ".ipp", ".inl"};
  return endings.contains(file.extension().string());
}

struct Files {
  std::set<fs::path> kernels, hosts;
};

// Returns whether the folder is gputest's cache. Its copies are not the program's sources.
bool is_cache(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "variants", ignored) &&
         fs::is_directory(folder / "sources", ignored);
}

// Returns whether the folder is hidden, or one in which build systems and caches keep their files.
bool holds_no_sources(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "CMakeFiles" || name == "node_modules" ||
         name == "__pycache__" || is_cache(folder);
}

// Adds files below `folder`, the nearest first, unless there are too many.
void search(const fs::path& folder, Files& found) {
  std::vector<fs::path> level{fs::canonical(folder)}, below;
  std::size_t searched = 0;
  for (int depth = 0; depth <= kSearchDepth; ++depth, level = std::exchange(below, {}))
    for (const fs::path& inside : level) {
      if (found.kernels.size() >= kSearchFiles || ++searched > kSearchFolders)
        return;
      std::error_code error;
      fs::directory_iterator entry(inside, error);
      for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        const fs::path& path = entry->path();
        if (entry->is_directory(ignored)) {
          if (!entry->is_symlink(ignored) && !holds_no_sources(path))
            below.push_back(path);
          continue;
        }
        const bool is_kernel = is_kernel_file(path);
        if ((is_kernel || (found.hosts.size() < kSearchFiles && is_host_file(path))) &&
            entry->is_regular_file(ignored))
          (is_kernel ? found.kernels : found.hosts)
              .insert(entry->is_symlink(ignored) ? fs::canonical(path, ignored) : path);
      }
    }
}

Files named_files(const std::vector<std::string>& patterns) {
  Files files;
  for (const std::string& pattern : patterns) {
    glob_t matches{};
    const int error = ::glob(pattern.c_str(), 0, nullptr, &matches);
    for (std::size_t i = 0; error == 0 && i < matches.gl_pathc; ++i)
      if (const fs::path file = fs::canonical(matches.gl_pathv[i]);
          files.kernels.insert(file).second && is_host_file(file))
        files.hosts.insert(file); // its literals count, too
    ::globfree(&matches);
    if (error != 0)
      throw CommandError(fmt::format("error: --kernels {}: there is no such file", pattern));
  }
  for (const fs::path& file : files.kernels)
    if (!fs::is_regular_file(file))
      throw CommandError(fmt::format("{}: error: --kernels takes files", file.string()));
  return files;
}

bool holds_all_kinds(const fs::path& folder) {
  return folder.string().starts_with("/usr/") || folder.string().starts_with("/bin");
}

// Returns the files in the working directory, and in the folders of the program and of the script
// that it runs. Folders with programs of all kinds are left out.
Files likely_files(const fs::path& program, const std::optional<fs::path>& script) {
  Files files;
  std::set<fs::path> folders{fs::current_path()};
  for (const fs::path& file : {program, script.value_or(program)})
    if (!holds_all_kinds(file.parent_path()))
      folders.insert(file.parent_path());
  for (const fs::path& folder : folders)
    search(folder, files);
  if (script)
    files.hosts.insert(fs::weakly_canonical(*script));
  return files;
}

void set_files(program::RunSettings& settings, const Files& files) {
  settings.kernel_files.assign(files.kernels.begin(), files.kernels.end());
  settings.host_files.assign(files.hosts.begin(), files.hosts.end());
}

bool is_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return false;
  std::string file = (folder / ".gputest-XXXXXX").string();
  const int descriptor = ::mkstemp(file.data());
  if (descriptor < 0)
    return false;
  ::close(descriptor);
  ::unlink(file.c_str());
  return true;
}

fs::path cache_folder(const cxxopts::ParseResult& arguments, const fs::path& instead) {
  fs::path folder = arguments.count("cache") > 0 ? fs::path(arguments["cache"].as<std::string>())
                                                 : model::cache_folder();
  if (folder.empty())
    return instead;
  folder = fs::absolute(folder).lexically_normal();
  if (is_writable(folder))
    return folder;
  fmt::print(stderr,
             "warning: the cache {} cannot be written: kernels are instrumented anew in each run; "
             "name another with --cache\n",
             folder.string());
  return instead;
}

std::string layers(const fs::path& layer) {
  if (layer.string().find(':') != std::string::npos)
    throw CommandError(fmt::format("error: {}: OPENCL_LAYERS parts paths at colons, so the layer "
                                   "cannot be loaded from there; set GPUTEST_LAYER to a copy of it",
                                   layer.string()),
                       Internal);
  const char* others = std::getenv("OPENCL_LAYERS");
  return others && *others ? fmt::format("{}:{}", others, layer.string()) : layer.string();
}

} // namespace

ProgramCommand split_command(int argc, char** argv) {
  ProgramCommand parts;
  int i = 0;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    parts.options.push_back(argv[i]);
  for (++i; i < argc; ++i)
    parts.command.emplace_back(argv[i]);
  return parts;
}

void add_program_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("o,output", "the folder for results", text()->default_value("gputest-run"),
                        "DIR")(
      "kernels",
      "measure only programs with the text of these files (or patterns); default: all, with files "
      "found below the working directory and the program's folder",
      cxxopts::value<std::vector<std::string>>(), "FILE")(
      "exclude",
      "leave out code in files that match this pattern, such as '*/vendor/*'; may be repeated",
      cxxopts::value<std::vector<std::string>>(), "PATTERN")(
      "name", "the program's name in reports (default: the name of its file or script)", text(),
      "N")("timeout", "seconds after which the program is killed, with all it started",
           cxxopts::value<std::string>(),
           "S")("cache",
                "the folder that keeps instrumented kernels (default: GPUTEST_CACHE_DIR, else "
                "$XDG_CACHE_HOME/gputest, else ~/.cache/gputest)",
                text(), "DIR")("source-root",
                               "name files below this folder relative to it (default: the "
                               "working directory)",
                               text(), "DIR");
}

ProgramRun prepare_program(const cxxopts::ParseResult& arguments, const ProgramCommand& command) {
  if (!arguments.unmatched().empty())
    throw CommandError(fmt::format("error: '{}': the program to run comes behind '--'",
                                   arguments.unmatched().front()));
  if (command.command.empty())
    throw CommandError(
        "error: which program? Give it behind '--': gputest run … -- ./my_tests --all");
  if (!find_executable(command.command.front()))
    throw CommandError(fmt::format("error: {}: there is no such program", command.command.front()));
  const ProgramName name = name_of(command.command);
  const fs::path program =
      find_executable(command.command[name.program]).value_or(command.command.front());
  ProgramRun run;
  run.output = fs::absolute(arguments["output"].as<std::string>()).lexically_normal();
  run.run_folder = run.output / "run";
  run.name = arguments.count("name") > 0 ? arguments["name"].as<std::string>() : name.name;
  if (run.name.empty() || run.name.find('/') != std::string::npos)
    throw CommandError("error: --name: is empty or holds a '/'");
  run.settings.driver = own_file();
  run.settings.source_root = arguments.count("source-root") > 0
                                 ? fs::canonical(arguments["source-root"].as<std::string>())
                                 : fs::current_path();
  if (arguments.count("kernels") > 0) {
    set_files(run.settings, named_files(arguments["kernels"].as<std::vector<std::string>>()));
    run.settings.only_kernel_files = true;
  } else {
    set_files(run.settings, likely_files(program, name.script));
  }
  if (arguments.count("exclude") > 0)
    run.settings.exclude = arguments["exclude"].as<std::vector<std::string>>();
  run.child.command = command.command;
  run.child.timeout = arguments.count("timeout") > 0 ? seconds_option(arguments, "timeout") : 0;
  run.child.environment = {{"OPENCL_LAYERS", layers(layer_file())},
                           {"GPUTEST_RUN", run.run_folder.string()},
                           // otherwise PyOpenCL creates programs from binaries that it keeps
                           {"PYOPENCL_NO_CACHE", "1"}};
  run.settings.cache = cache_folder(arguments, run.output / "cache");
  run.lock = std::make_unique<program::OutputLock>(run.output);
  program::prepare_run_folder(run.run_folder, run.settings);
  return run;
}

} // namespace gputest::driver
