// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comments in the kernel's source that leave out mutants, coverage outcomes and findings, with a
// reason:
//
//     x = a + b; // gputest: ignore[arithmetic_replacement,constant_replacement] only an estimate
//     if (n > kLimit) // gputest: ignore[branch] the device refuses such sizes
//     flag[0] = 1; // gputest: ignore[race_same_value] all work-items write 1
//     // gputest: ignore debugging aid            (alone in its line: the next line)
//     // gputest: ignore-begin[loop_boundary] padded to a multiple of 16
//     // gputest: ignore-end
//
// The brackets hold mutation operators, their groups, criteria of coverage (statement, branch,
// condition, loop, or `coverage` for the four), kinds of findings, and checks, which stand for all
// of their kinds. Without brackets the comment applies to all mutants and outcomes, but to no
// finding: a fault is only left out by its name.
#pragma once

#include "model/sites.h"

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

struct IgnoreComment {
  std::string file;
  unsigned first_line = 0, last_line = 0;
  bool everything = false; // all mutants and outcomes
  std::vector<std::string> operators{};
  std::set<Criterion> criteria{};
  std::set<std::string> kinds{}; // of findings
  std::string reason{};

  bool covers(const std::string& in, unsigned line) const {
    return in == file && line >= first_line && line <= last_line;
  }
  bool ignores(const std::string& mutation_operator) const;
  bool ignores(Criterion criterion) const;
};

// A comment that cannot be understood. what(): "k.cl:3:11: error: 'rase' is no …".
class CommentError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Moves the kinds of findings that `words` name, by themselves or by their check, out of `words`.
std::set<std::string> take_kinds(std::vector<std::string>& words);

// Returns " (did you mean 'race'?)" for a word that is like a kind of findings, a check, or one of
// `others`; "" if none is like it.
std::string meant_kind(std::string_view word, std::vector<std::string_view> others = {});

// Reads the comments of a text, in order; `file` is the name for messages and results. Throws
// CommentError for names that do not exist, and for regions that do not end.
std::vector<IgnoreComment> read_ignore_comments(std::string_view text, const std::string& file);

} // namespace gputest::model
