// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/files.h"

#include "driver/command_error.h"
#include "model/files.h"
#include "process/progress.h"
#include "report/common/annotations.h"
#include "report/common/kernel_links.h"
#include "report/common/sarif_log.h"

#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace gputest::driver {
namespace fs = std::filesystem;

bool wants_colour() {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (is_set("NO_COLOR")) // https://no-color.org
    return false;
  return is_set("FORCE_COLOR") || ::isatty(STDOUT_FILENO) == 1; // https://force-color.org
}

std::optional<std::size_t> terminal_width() {
  if (::isatty(STDOUT_FILENO) != 1)
    return std::nullopt;
  return process::terminal_columns();
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

void write_report(const fs::path& file, const std::string& text) {
  std::error_code failed;
  if (file.has_parent_path())
    fs::create_directories(file.parent_path(), failed);
  if (failed)
    throw model::WriteError(file, failed);
  model::write_atomically(file, text);
}

bool prints_annotations() {
  const char* const value = std::getenv("GITHUB_ACTIONS");
  return value != nullptr && std::string_view(value) == "true";
}

void print_failure(const std::string& text) {
  fmt::print(stderr, "error: {}\n", text);
  if (prints_annotations())
    std::cout << report::annotation("error", text) << std::flush;
}

void Outputs::write(const char* option, const std::function<std::string()>& make) {
  if (arguments_.count(option) == 0)
    return;
  const std::string text = make();
  const bool links = std::string_view(option) == "html" && !index().empty();
  write_report(arguments_[option].as<std::string>(),
               links ? report::with_link_back(text, index()) : text);
}

std::string Outputs::index() const {
  return text_option(arguments_, "back");
}

fs::path Outputs::page() const {
  return arguments_["html"].as<std::string>();
}

void Outputs::write_page(const std::function<report::PartedPage(const std::string& file)>& make) {
  if (arguments_.count("html") == 0)
    return;
  const fs::path file = page(),
                 folder = file.parent_path() / report::folder_of_parts(file.filename().string());
  const report::PartedPage made = make(file.filename().string());
  const auto part = [&](std::size_t number) { return folder / fmt::format("{}.html", number); };
  for (std::size_t i = 0; i < made.parts.size(); ++i)
    write_report(part(i + 1), index().empty()
                                  ? made.parts[i]
                                  : report::with_link_back(made.parts[i], "../" + index()));
  write_report(file, index().empty() ? made.main : report::with_link_back(made.main, index()));
  std::error_code ignored;
  for (std::size_t number = made.parts.size() + 1; fs::remove(part(number), ignored); ++number) {
  }
  if (made.parts.empty())
    fs::remove(folder, ignored); // removed only if it is empty
}

void Outputs::print(const std::function<std::string()>& make) const {
  if (terminal_ == Printed && !arguments_["no-terminal"].as<bool>())
    std::cout << make() << std::flush;
}

void Outputs::annotate(const std::function<std::string()>& sarif) const {
  if (prints_annotations())
    std::cout << report::annotations(sarif()) << std::flush;
}

fs::path JointOutputs::page() const {
  return Outputs::page().parent_path() / (kind_ + ".html");
}

std::string JointOutputs::index() const {
  return Outputs::page().filename().string();
}

void JointOutputs::write(const char* option, const std::function<std::string()>& make) {
  const std::string_view name = option;
  if (arguments().count(option) == 0)
    return;
  const std::string file = arguments()[option].as<std::string>();
  if (name == "html")
    write_report(page(), report::with_link_back(make(), index()));
  else if (name == "sarif")
    sarif_.push_back(make());
  else if (name == "junit")
    junit_.push_back({kind_, make()});
  else if (name != "json") // the index writes its own JSON
    write_report(file, make());
}

void JointOutputs::finish() {
  if (!sarif_.empty())
    write_report(arguments()["sarif"].as<std::string>(), report::join_sarif(sarif_));
  if (!junit_.empty())
    write_report(arguments()["junit"].as<std::string>(), report::join_junit(junit_));
}

} // namespace gputest::driver
