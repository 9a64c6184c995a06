#include "driver/program_arguments.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <glob.h>
#include <set>
#include <unistd.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr int kSearchDepth = 4;
constexpr std::size_t kSearchFiles = 2000;

bool is_kernel_file(const fs::path& file) {
  static const std::set<std::string> endings{".cl", ".clh", ".ocl", ".opencl", ".clc"};
  return endings.contains(file.extension().string());
}

// Kernel files below `folder`, as long as there are not too many; hidden folders are left out.
void search(const fs::path& folder, std::set<fs::path>& found) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator() && found.size() < kSearchFiles;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) &&
        (entry.depth() >= kSearchDepth || entry->path().filename().string().starts_with('.')))
      entry.disable_recursion_pending();
    else if (is_kernel_file(entry->path()) && entry->is_regular_file(ignored))
      found.insert(fs::canonical(entry->path(), ignored));
  }
}

std::vector<fs::path> named_files(const std::vector<std::string>& patterns) {
  std::set<fs::path> files;
  for (const std::string& pattern : patterns) {
    glob_t matches{};
    const int error = ::glob(pattern.c_str(), 0, nullptr, &matches);
    for (std::size_t i = 0; error == 0 && i < matches.gl_pathc; ++i)
      files.insert(fs::canonical(matches.gl_pathv[i]));
    ::globfree(&matches);
    if (error != 0)
      throw CommandError(fmt::format("error: --kernels {}: there is no such file", pattern));
  }
  for (const fs::path& file : files)
    if (!fs::is_regular_file(file))
      throw CommandError(fmt::format("{}: error: --kernels takes files", file.string()));
  return {files.begin(), files.end()};
}

// As the shell finds it; the folder is searched for kernel files.
fs::path find_program(const std::string& name) {
  std::vector<fs::path> places{name};
  if (name.find('/') == std::string::npos) {
    places.clear();
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : "/usr/bin:/bin"; !rest.empty();) {
      const std::size_t colon = rest.find(':');
      places.push_back(fs::path(rest.substr(0, colon)) / name);
      rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
  }
  for (const fs::path& place : places)
    if (fs::is_regular_file(place) && ::access(place.c_str(), X_OK) == 0)
      return fs::canonical(place);
  throw CommandError(fmt::format("error: {}: there is no such program", name));
}

// The working directory and the program's own folder, unless that holds programs of all kinds.
std::vector<fs::path> likely_files(const fs::path& program) {
  std::set<fs::path> files;
  search(fs::current_path(), files);
  if (!program.string().starts_with("/usr/") && !program.string().starts_with("/bin/"))
    search(program.parent_path(), files);
  return {files.begin(), files.end()};
}

fs::path default_cache() {
  if (const char* folder = std::getenv("GPUTEST_CACHE_DIR"); folder && *folder)
    return folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return fs::path(folder) / "gputest";
  const char* home = std::getenv("HOME");
  return home && *home ? fs::path(home) / ".cache" / "gputest" : fs::path();
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
                                                 : default_cache();
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
  options.add_options()("o,output", "where results go", text()->default_value("gputest-run"),
                        "DIR")(
      "kernels",
      "only programs with the text of these files (or patterns), which reports name; default: all, "
      "and the files are looked for below the working directory and the program's folder",
      cxxopts::value<std::vector<std::string>>(),
      "FILE")("name", "what reports call the program (default: its file's name)", text(),
              "N")("timeout", "seconds after which the program is killed, with all it started",
                   cxxopts::value<double>(), "S")(
      "cache",
      "where instrumented kernels are kept (default: GPUTEST_CACHE_DIR, else ~/.cache/gputest)",
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
  const fs::path program = find_program(command.command.front());
  ProgramRun run;
  run.output = fs::absolute(arguments["output"].as<std::string>()).lexically_normal();
  run.run_folder = run.output / "run";
  run.name = arguments.count("name") > 0 ? arguments["name"].as<std::string>()
                                         : fs::path(command.command.front()).filename().string();
  if (run.name.empty() || run.name.find('/') != std::string::npos)
    throw CommandError("error: --name: is empty or holds a '/'");
  run.settings.driver = own_file();
  run.settings.source_root = arguments.count("source-root") > 0
                                 ? fs::canonical(arguments["source-root"].as<std::string>())
                                 : fs::current_path();
  if (arguments.count("kernels") > 0) {
    run.settings.kernel_files = named_files(arguments["kernels"].as<std::vector<std::string>>());
    run.settings.only_kernel_files = true;
  } else {
    run.settings.kernel_files = likely_files(program);
  }
  run.child.command = command.command;
  run.child.timeout = arguments.count("timeout") > 0 ? arguments["timeout"].as<double>() : 0;
  if (arguments.count("timeout") > 0 && !(run.child.timeout > 0))
    throw CommandError("error: --timeout: must be above 0");
  run.child.environment = {{"OPENCL_LAYERS", layers(layer_file())},
                           {"GPUTEST_RUN", run.run_folder.string()}};
  run.settings.cache = cache_folder(arguments, run.output / "cache");
  program::prepare_run_folder(run.run_folder, run.settings);
  return run;
}

} // namespace gputest::driver
