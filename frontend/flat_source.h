// A kernel file after preprocessing: one text without directives, each token of which knows where
// its author wrote it. Passes parse this text and insert into it, so that macros and includes need
// no special case anywhere else.
#pragma once

#include "model/sites.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::passes {

struct Place {
  unsigned file = 0;                                           // index into FlatSource::files
  unsigned line = 0, column = 0, end_line = 0, end_column = 0; // 1-based, end exclusive, bytes
};

// Characters of a file, whatever #line says.
struct Span {
  unsigned file = 0;           // index into FlatSource::paths
  unsigned begin = 0, end = 0; // offsets, end exclusive
  bool operator==(const Span&) const = default;
};

struct FlatToken {
  unsigned begin = 0, end = 0; // offsets in the text
  // Where it stands in a file: of a macro's argument, itself; of a macro's body, the invocation.
  Place place;
  Span span;
  int expansion = -1;   // index into expansions of the outermost macro invocation it comes from
  bool in_body = false; // of a macro, and not in an argument as written
  bool leading_space = false;
};

struct Expansion {
  unsigned first_token = 0, last_token = 0; // inclusive
  Span span;                                // the invocation
  bool makes_tokens = false;                // by # or ##
  std::string text;                         // as written
};

// A run of the text as its author would name it.
struct Excerpt {
  std::string file;
  unsigned line = 0, column = 0, end_line = 0, end_column = 0;
  std::string text; // as written, white space folded, macro invocations unexpanded where whole
};

class FlatSource {
public:
  std::string text;
  std::vector<FlatToken> tokens; // in order
  std::vector<Expansion> expansions;
  std::vector<std::string> files;                // as named in messages and reports
  std::vector<std::string> paths;                // of the files in which tokens stand
  std::vector<std::string> dependencies;         // every file read, the source first
  std::vector<model::DeviceMacro> device_macros; // asked about, in order of first question
  std::vector<std::pair<unsigned, unsigned>>
      pragmas; // from the end of what precedes a #pragma to its own end

  // The token that begins at or after `offset`; tokens.size() when there is none.
  std::size_t token_at_or_after(unsigned offset) const;

  // The tokens within [begin, end).
  Excerpt excerpt(unsigned begin, unsigned end) const;

  // "file:line:column" of the token at or before `offset`.
  std::string name_of(unsigned offset) const;

  // `offset`, or the end of what precedes the #pragma lines directly before it: a pragma belongs to
  // the statement that follows.
  unsigned before_pragmas(unsigned offset) const;
};

} // namespace gputest::passes
