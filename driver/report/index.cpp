// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/index.h"

#include "driver/report/against.h"
#include "driver/report/analyses.h"
#include "driver/report/files.h"
#include "driver/report/gate.h"
#include "driver/report/git.h"
#include "model/files.h"
#include "model/interface.h"
#include "report/cases/cases.h"
#include "report/common/inputs.h"
#include "report/index/index.h"
#include "store/store.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHistory = "history";

// Compares with the run before, and remembers this one. If the store cannot be written, or another
// version has written its history, the page is made nevertheless.
report::History history_of(const report::Index& index, const fs::path& folder) {
  std::vector<report::HistoryEntry> entries;
  for (const report::IndexRow& row : index.rows)
    for (const auto& [kind, cell] : row.cells)
      entries.push_back({kind, &cell, cell.stamp});
  const fs::path file = folder / "results.db";
  std::string stored;
  try {
    store::Store store(file);
    stored = store.document("", kHistory);
    const std::string before = stored;
    report::History history = report::remember(stored, entries, index.date, index.commit);
    if (stored != before)
      store.put_document("", kHistory, stored);
    keep_results(store, index);
    return history;
  } catch (const store::StoreError& error) {
    fmt::print(stderr, "note: {}: nothing is said of changes since the run before\n", error.what());
  } catch (const model::FormatError& error) {
    fmt::print(stderr,
               "note: {}: the history of results: {}: nothing is said of changes since the run "
               "before; delete the file for a new history, and results will be run again\n",
               file.string(), error.what());
    stored.clear();
  }
  return report::remember(stored, entries, index.date, index.commit);
}

// Files that cannot be read are listed already.
std::vector<std::string> redundant_in(const std::vector<report::IndexInput>& files) {
  try {
    return report::redundant_cases(report::read_cases(files));
  } catch (const model::FormatError&) {
    return {};
  }
}

void compare(report::Index& index, const std::optional<Against>& against) {
  if (!against)
    return;
  index.history.changes = report::changes(against->states, report::states_of(index));
  index.history.since = against->since;
}

// The summary that GitHub's CI shows of a step: writes Markdown to the file that
// GITHUB_STEP_SUMMARY names, in the place of what an earlier call wrote there, so that one step may
// make several reports. Does nothing without the variable. Throws model::WriteError.
void write_job_summary(const std::string& markdown) {
  constexpr std::string_view kBegin = "<!-- gputest: begin -->\n", kEnd = "<!-- gputest: end -->\n";
  const char* const file = std::getenv("GITHUB_STEP_SUMMARY");
  if (!file || !*file)
    return;
  std::string text = model::read_text(file).value_or("");
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = begin == std::string::npos ? begin : text.find(kEnd, begin);
  const std::string ours = std::string(kBegin) + markdown + std::string(kEnd);
  if (end != std::string::npos) {
    text.replace(begin, end + kEnd.size() - begin, ours);
  } else {
    if (!text.empty() && text.back() != '\n')
      text += '\n';
    text += ours;
  }
  write_report(file, text);
}

} // namespace

ExitCode report_index(const cxxopts::ParseResult& arguments, const std::vector<std::string>& places,
                      const fs::path& html) {
  const Gates gates(arguments);
  if (places.empty())
    throw CommandError("error: an index of what? Name directories, such as <build>/gputest");
  std::vector<fs::path> where;
  for (const std::string& place : places) {
    if (!fs::exists(place))
      throw CommandError(place + ": error: no such file or directory");
    where.emplace_back(place);
  }
  const std::vector<report::IndexKind> kinds = index_kinds();
  const std::vector<report::IndexInput> files = report::find_results(kinds, where);
  if (files.empty())
    throw CommandError(places.front() +
                       ": error: no results in it or below; run the tests first: ctest");
  const report::SourceTree sources = source_tree(arguments, {});
  report::Index index = report::read_index(kinds, files, sources);
  if (const auto title = arguments["title"].as<std::string>(); !title.empty())
    index.title = title;
  index.commit = commit_of(sources.roots.front());
  index.tool = "gputest " GPUTEST_VERSION;
  index.redundant = redundant_in(files);
  std::optional<Against> against;
  if (arguments.count("against") > 0)
    against = results_of(arguments["against"].as<std::string>(), sources.roots.front(),
                         where.front() / "results.db");
  if (!html.empty()) {
    const fs::path folder = html.has_parent_path() ? html.parent_path() : fs::path(".");
    std::error_code ignored; // writing reports the error
    fs::create_directories(folder, ignored);
    report::find_pages(index, folder);
    index.history = history_of(index, folder);
    compare(index, against);
    write_report(html, report::index_html(index));
    write_job_summary(report::index_markdown(index));
  }
  compare(index, against);
  Outputs outputs(arguments);
  outputs.write("json", [&] { return report::index_json(index); });
  outputs.write("markdown", [&] { return report::index_markdown(index); });
  if (arguments.count("badge") > 0)
    write_report(arguments["badge"].as<std::string>(), report::badge(index));
  outputs.print([&] {
    std::string text = report::index_terminal(index, wants_colour(), terminal_width());
    if (against)
      text += fmt::format("since {}:\n{}", against->since,
                          report::changes_terminal(index.history.changes, wants_colour()));
    return text;
  });
  return gates.pass(index, against ? index.history.changes : std::vector<report::Change>{}, files,
                    sources);
}

} // namespace gputest::driver
