// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the part of the mutation page that shows source files, and the data that its script shows
// on demand. Internal to html.cpp.
#pragma once

#include "report/common/parted_page.h"
#include "report/mutation/report.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::report {

struct MutatedFile {
  std::string key, name; // as model::Places has them
  bool is_known = false;
  std::string text;
  std::map<unsigned, std::vector<const Entry*>> lines; // mutants, in order of column
  model::Tallies tallies;
};

// Returns the files in order of key, without files that have no mutants. The result points into
// `entries`.
std::vector<MutatedFile> files_of(const MutationReport& report, const std::vector<Entry>& entries);

// Returns a <table> with a row for each line: how many of its mutants were noticed and, below the
// code, up to a few of those that were not. Lines with mutants that the text lacks come last.
std::string mutated_source(const MutatedFile& file, std::size_t index);

// Returns a mutant as `operator: <code>a &lt; b</code> → <code>a &lt;= b</code> survived …`, or
// several mutants of one expression as `operators: <code>a &lt; b</code>: each of 3 mutants
// survived …`.
std::string told_html(const std::vector<const Entry*>& mutants);

// Returns all mutants as JSON for templates/mutation.js, without "<".
std::string mutant_data(const MutationReport& report, const std::vector<MutatedFile>& files,
                        SourceRange sources);

} // namespace gputest::report
