// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a build folder: a row for each kernel, a column for each kind of results, and links
// to the pages of each.
#pragma once

#include "report/common/label.h"
#include "report/common/source.h"
#include "report/index/history.h"
#include "report/index/summary.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::report {

struct IndexRow {
  std::string name, kernel, source;
  std::map<std::string, Summary, std::less<>> cells; // by kind
};

struct Index {
  std::string title, date, commit, tool; // commit: empty if unknown
  std::vector<IndexKind> kinds;          // those with results, in the order of the table
  std::vector<IndexRow> rows;            // in order of name
  std::vector<std::string> unread;       // errors of files that are left out
  std::vector<std::string> redundant{};  // test cases that nothing needs (report/cases/cases.h)
  History history;
  // Pages by kind, and by "<kind>/<name>" for the page of one kernel; relative to the index.
  std::map<std::string, std::string, std::less<>> pages;
};

// A file of results and its kind. find_results() returns those of all `kinds` among the files in
// `places` and below the directories there. A file's name tells its kind: mutation.json, or
// x.mutation.json. It throws FormatError for a directory that cannot be read.
struct IndexInput {
  const IndexKind* kind = nullptr;
  std::filesystem::path file;
};
std::vector<IndexInput> find_results(std::span<const IndexKind> kinds,
                                     const std::vector<std::filesystem::path>& places);

// Reads the files. A file that cannot be read, such as one of another version, is left out and
// listed in Index::unread. `date` is that of the newest file, in UTC. Files below the first root of
// `sources` are named relative to it.
Index read_index(std::span<const IndexKind> kinds, const std::vector<IndexInput>& files,
                 const SourceTree& sources);

// Finds the pages that exist below the folder of the index. Where a kind has no page, it looks for
// each kernel's own page.
void find_pages(Index& index, const std::filesystem::path& folder);

// The number of kernels that have results of this kind, and of those that hold: nothing failed.
struct Held {
  std::size_t held = 0, all = 0;
};
Held held(const Index& index, std::string_view kind);
// The number of kernels of which nothing failed in any kind.
std::size_t holding(const Index& index);

// ---- The forms, each a function to text; report/index/<form>.cpp ----

// Returns a line for each kind. `colour`: uses ANSI escape sequences. Lines that are longer than
// `columns` are cut.
std::string index_terminal(const Index& index, bool colour, std::optional<std::size_t> columns);

// One HTML 5 page that needs nothing else.
std::string index_html(const Index& index);

// An SVG image for a README: "kernel tests | 12/13 hold · mutants 83 %".
std::string badge(const Index& index);

// Markdown as GitHub and GitLab show it, for the summary of a job or a comment: what is new since
// History::since, a table, failures, and survivors as folded diffs. It has at most `most` bytes:
// what does not fit is counted. GitHub takes 64 KiB for a comment.
std::string index_markdown(const Index& index, std::size_t most = 60000);

// {"format": "gputest-index-1", …}; docs/reference/formats.md.
std::string index_json(const Index& index);

} // namespace gputest::report
