#include "driver/report/files.h"

#include "driver/command_error.h"
#include "model/files.h"

#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace gputest::driver {
namespace fs = std::filesystem;

bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR"); // https://no-color.org: set and not empty
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

report::SourceTree source_tree(const cxxopts::ParseResult& arguments,
                               const std::vector<fs::path>& files) {
  report::SourceTree tree{.roots = {"."}};
  if (arguments.count("source-root") > 0) {
    const fs::path root = arguments["source-root"].as<std::string>();
    if (!fs::is_directory(root))
      throw CommandError(root.string() + ": error: --source-root is not a directory");
    tree.roots.front() = root;
  }
  for (const fs::path& file : files)
    tree.roots.push_back(file.parent_path());
  return tree;
}

namespace {

void write(const std::string& file, const std::string& text) {
  try {
    const fs::path parent = fs::path(file).parent_path();
    if (!parent.empty())
      fs::create_directories(parent);
    model::write_atomically(file, text);
  } catch (const fs::filesystem_error& error) {
    throw CommandError(file + ": error: cannot be written: " + error.code().message());
  } catch (const std::runtime_error& error) {
    throw CommandError(error.what());
  }
}

} // namespace

void write_if_asked(const cxxopts::ParseResult& arguments, const char* option,
                    const std::function<std::string()>& make) {
  if (arguments.count(option) > 0)
    write(arguments[option].as<std::string>(), make());
}

} // namespace gputest::driver
