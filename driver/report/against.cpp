// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/against.h"

#include "driver/command_error.h"
#include "driver/report/analyses.h"
#include "driver/report/git.h"
#include "model/interface.h"
#include "model/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostCommits = 20;
constexpr const char* kCommits = "commits"; // a document with the commits' names, the latest last
constexpr const char* kPrefix = "commit ";  // documents with the text of to_text()

std::vector<std::string> commits_in(const store::Store& store) {
  const std::string text = store.document("", kCommits);
  try {
    return text.empty() ? std::vector<std::string>{}
                        : model::parse_json(text).get<std::vector<std::string>>();
  } catch (const model::FormatError&) { // somebody edited it: begin anew
  } catch (const nlohmann::json::exception&) {
  }
  return {};
}

// Throws model::FormatError, which names the commit.
report::ResultStates results_in(const store::Store& store, const std::string& commit) {
  const std::string text = store.document("", kPrefix + commit);
  try {
    return text.empty() ? report::ResultStates{} : report::states_from_text(text);
  } catch (const model::FormatError& error) {
    throw model::FormatError(fmt::format("results of {}: {}", commit, error.what()));
  }
}

} // namespace

void keep_results(store::Store& store, const report::Index& index) {
  if (index.commit.empty() || index.commit.ends_with("-dirty"))
    return;
  std::vector<std::string> commits = commits_in(store);
  std::erase(commits, index.commit);
  commits.push_back(index.commit);
  while (commits.size() > kMostCommits) {
    store.remove_document("", kPrefix + commits.front());
    commits.erase(commits.begin());
  }
  // Results of other kernels stay, because this page may lack them.
  report::ResultStates states = results_in(store, index.commit);
  for (auto& [key, state] : report::states_of(index))
    states[key] = std::move(state);
  store.put_document("", kPrefix + index.commit, report::to_text(states));
  store.put_document("", kCommits, nlohmann::ordered_json(commits).dump());
}

Against results_of(const std::string& what, const fs::path& sources, const fs::path& store) {
  if (fs::is_directory(what)) {
    const std::vector<report::IndexKind> kinds = index_kinds();
    const auto files = report::find_results(kinds, {what});
    if (files.empty())
      throw CommandError(fmt::format("{}: error: --against: no results in it or below", what));
    return {report::states_of(report::read_index(kinds, files, {.roots = {sources}})), what};
  }
  const std::string commit = commit_named(sources, what);
  if (commit.empty())
    throw CommandError(fmt::format(
        "error: --against: '{}' is no folder, and {} is in no work tree of Git with such a commit",
        what, sources.string()));
  std::vector<std::string> known;
  if (fs::exists(store)) {
    const store::Store kept(store);
    known = commits_in(kept);
    for (const std::string& one : known)
      if (commit.starts_with(one))
        return {results_in(kept, one),
                commit.starts_with(what) ? one : fmt::format("{} ({})", what, one)};
  }
  throw CommandError(
      fmt::format("{}: error: --against: has no results of {} ({}); it has results of: {}",
                  store.string(), what, commit.substr(0, 12),
                  known.empty() ? "no commit" : fmt::format("{}", fmt::join(known, ", "))));
}

} // namespace gputest::driver
