// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel file after preprocessing: one text without directives, in which each token knows where
// its author wrote it. Passes parse this text and insert into it, so macros and includes need no
// special case anywhere else.
#pragma once

#include "model/sites.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::frontend {

struct Place {
  unsigned file = 0;                                           // index into FlatSource::files
  unsigned line = 0, column = 0, end_line = 0, end_column = 0; // 1-based, end exclusive, bytes
};

// Characters of a file, regardless of #line.
struct Span {
  unsigned file = 0;           // index into FlatSource::paths
  unsigned begin = 0, end = 0; // offsets, end exclusive
  bool operator==(const Span&) const = default;
};

struct FlatToken {
  unsigned begin = 0, end = 0; // offsets in the text
  // The token's place in a file. A token of a macro's argument has its own place, and a token of a
  // macro's body has the place of the invocation.
  Place place;
  Span span;
  int expansion = -1;   // index into expansions: the outermost macro invocation that it comes from
  bool in_body = false; // in a macro's body, not in an argument as written
  bool leading_space = false;
};

struct Expansion {
  unsigned first_token = 0, last_token = 0; // inclusive
  Span span;                                // the invocation
  bool makes_tokens = false;                // with # or ##
  std::string text;                         // as written
};

// A part of the text, with the place and the text as its author would name them.
struct Excerpt {
  std::string file;
  unsigned line = 0, column = 0, end_line = 0, end_column = 0;
  std::string text; // as written, white space folded; a whole macro invocation is not expanded
};

class FlatSource {
public:
  std::string text;
  std::vector<FlatToken> tokens; // in order
  std::vector<Expansion> expansions;
  std::vector<std::string> files; // as named in messages and reports
  std::vector<std::string> paths; // the files that have tokens
  std::string content;            // CUDA: the content of paths[0], as the compiler sees it
  // CUDA: files that the text includes, and what is read instead (cuda/refused.h).
  std::map<std::string, std::string> mended;
  std::vector<std::string> dependencies; // every file that was read, the source first
  // Macros that the source asks about, in order of the first question.
  std::vector<model::DeviceMacro> device_macros;
  // Each from the end of the text before a #pragma to the end of the #pragma.
  std::vector<std::pair<unsigned, unsigned>> pragmas;

  // The token that begins at or after `offset`; tokens.size() if there is none.
  std::size_t token_at_or_after(unsigned offset) const;

  // The excerpt of the tokens within [begin, end).
  Excerpt excerpt(unsigned begin, unsigned end) const;

  // Returns the text within [begin, end), without blanks that only fill up the place of a macro.
  std::string unpadded(unsigned begin, unsigned end) const;

  // "file:line:column" of the token at or before `offset`.
  std::string name_of(unsigned offset) const;

  // Returns the end of the text before the #pragma lines that directly precede `offset`, or
  // `offset` if there are none. A pragma belongs to the statement that follows.
  unsigned before_pragmas(unsigned offset) const;
};

} // namespace gputest::frontend
