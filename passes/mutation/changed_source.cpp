// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/mutants.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace gputest::passes::mutation {
namespace {

// The tokens of `text`, which is at `offset`.
std::vector<frontend::FlatToken> tokens_of(const std::string& text, unsigned offset,
                                           const frontend::FlatToken& like) {
  clang::LangOptions options;
  options.OpenCL = true;
  clang::Lexer lexer(clang::SourceLocation(), options, text.c_str(), text.c_str(),
                     text.c_str() + text.size());
  std::vector<frontend::FlatToken> tokens;
  clang::Token token;
  for (;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      return tokens;
    // The position behind the token minus its length, because the lexer has no locations here.
    const auto end = static_cast<unsigned>(lexer.getBufferLocation() - text.c_str());
    frontend::FlatToken one = like;
    one.end = offset + end;
    one.begin = one.end - token.getLength();
    one.leading_space = token.hasLeadingSpace();
    tokens.push_back(one);
  }
}

} // namespace

frontend::FlatSource changed(const frontend::FlatSource& source,
                             const std::vector<TextChange>& changes) {
  frontend::FlatSource result = source;
  result.text.clear();
  result.tokens.clear();
  std::vector<unsigned> moved(source.tokens.size() + 1); // the new index of each token
  unsigned copied = 0;
  std::size_t next = 0;
  const auto copy_to = [&](unsigned end) {
    const auto shift = static_cast<unsigned>(result.text.size()) - copied; // modulo 2^32
    result.text += source.text.substr(copied, end - copied);
    for (; next < source.tokens.size() && source.tokens[next].end <= end &&
           source.tokens[next].begin < end;
         ++next) {
      moved[next] = static_cast<unsigned>(result.tokens.size());
      frontend::FlatToken token = source.tokens[next];
      token.begin += shift;
      token.end += shift;
      result.tokens.push_back(token);
    }
    copied = end;
  };
  for (const TextChange& change : changes) {
    copy_to(change.begin);
    const std::size_t like = std::min(next, source.tokens.size() - 1);
    const std::string text = " " + change.text + " ";
    for (const frontend::FlatToken& token :
         tokens_of(text, static_cast<unsigned>(result.text.size()), source.tokens[like]))
      result.tokens.push_back(token);
    result.text += text;
    for (; next < source.tokens.size() && source.tokens[next].end <= change.end &&
           source.tokens[next].begin < change.end;
         ++next)
      moved[next] = static_cast<unsigned>(result.tokens.size());
    copied = change.end;
  }
  copy_to(static_cast<unsigned>(source.text.size()));
  moved[source.tokens.size()] = static_cast<unsigned>(result.tokens.size());
  const auto last_token = static_cast<unsigned>(result.tokens.size()) - 1;
  for (frontend::Expansion& expansion : result.expansions) {
    expansion.first_token = std::min(moved[expansion.first_token], last_token);
    expansion.last_token = std::min(std::max(moved[expansion.last_token + 1], 1u) - 1, last_token);
  }
  const auto new_offset = [&](unsigned offset) {
    long shift = 0;
    for (const TextChange& change : changes)
      if (change.end <= offset)
        shift += static_cast<long>(change.text.size() + 2) -
                 static_cast<long>(change.end - change.begin);
    return static_cast<unsigned>(static_cast<long>(offset) + shift);
  };
  for (auto& [begin, end] : result.pragmas) {
    begin = new_offset(begin);
    end = new_offset(end);
  }
  return result;
}

} // namespace gputest::passes::mutation
