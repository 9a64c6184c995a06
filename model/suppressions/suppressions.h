// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that a project knows and accepts, by a comment beside the code
// (model/suppressions/ignore_comments.h) or by an entry of a file, gputest.suppressions:
//
//     # any number of entries; those that match nothing are named by `gputest report`
//     [race, uninitialized]
//     file = src/sum.cl
//     text = total[0] += x[i];
//     kernel = sum_*
//     reason = the total is only printed
//
// The brackets hold kinds of findings, checks, which stand for their kinds, or * for all. `file`
// and `kernel` are patterns of a shell, * also for "/"; a pattern for files also matches the last
// folders and the name. `kernel` is the kernel's name or its test's. `text` is the line of one of
// the finding's places; blanks count once. `function` is the name of the function around it. An
// entry needs a reason, and `file`, `function` or `kernel`.
#pragma once

#include "model/checks/results.h"
#include "model/settings.h"
#include "model/suppressions/ignore_comments.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::model {

struct SuppressionEntry {
  unsigned line = 0;             // of its brackets
  std::set<std::string> kinds{}; // empty: all
  std::string file{}, kernel{};  // patterns; empty: any
  std::string text{};            // blanks folded; empty: any
  std::string function{};        // empty: any
  std::string reason{};
};

// Reads a file of entries. Throws FormatError: "gputest.suppressions:3: error: …".
std::vector<SuppressionEntry> read_suppressions(const std::filesystem::path& file);

// Returns the file gputest.suppressions of `folder`, or of the nearest folder above it that has
// one; nullopt: there is none.
std::optional<std::filesystem::path> find_suppressions(const std::filesystem::path& folder);

// Returns the file that the setting `suppressions` of the analysis check names; nullopt: none.
std::optional<std::filesystem::path> suppressions_file(const Settings& settings);

// Returns ", 2 suppressed" where findings are, for a line with the number of the others.
std::string suppressed_text(std::uint64_t suppressed);

// Returns the entry for a finding as such a file has it. `text`: the finding's line; empty: not
// known.
std::string entry_for(const Finding& finding, const std::string& kernel, const std::string& text,
                      const std::string& reason);

// Decides which findings of one run are suppressed.
class Suppressions {
public:
  // Files of findings are looked up in `roots` and in the folders above them. The entries are those
  // of `file`, or of find_suppressions() for the first root. Throws FormatError, also if `file` is
  // not there.
  explicit Suppressions(std::vector<std::filesystem::path> roots,
                        std::optional<std::filesystem::path> file = std::nullopt);

  // Returns who suppresses a finding of the kernel, which has the test `name`; nullopt: nobody.
  // Prints a comment that cannot be understood to standard error, once.
  std::optional<SuppressedBy> of(const Finding& finding, const std::string& name,
                                 const std::string& kernel);

  // Returns the file of entries that was read; empty: none.
  std::string file() const { return file_ ? file_->string() : std::string(); }

  // Moves the findings that are suppressed, and lowers the counts of their cases.
  void apply(CheckResults& results);

private:
  struct Source {
    std::vector<std::string> lines; // blanks folded
    std::vector<IgnoreComment> comments;
  };
  const Source& source(const std::string& file);
  const std::string& line_of(const CodePlace& place);
  bool matches(const SuppressionEntry& entry, const Finding& finding, const std::string& name,
               const std::string& kernel);

  std::vector<std::filesystem::path> roots_;
  std::optional<std::filesystem::path> file_;
  std::vector<SuppressionEntry> entries_;
  std::map<std::string, Source> sources_; // by the names that findings have
};

} // namespace gputest::model
