// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/flat_source.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::frontend {

std::size_t FlatSource::token_at_or_after(unsigned offset) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(tokens, offset, {}, &FlatToken::begin) -
                                  tokens.begin());
}

Excerpt FlatSource::excerpt(unsigned begin, unsigned end) const {
  Excerpt result;
  const std::size_t first = token_at_or_after(begin);
  if (first == tokens.size())
    return result;
  const std::size_t past = std::max(token_at_or_after(end), first + 1);
  const Place& from = tokens[first].place;
  const Place& to = tokens[past - 1].place;
  result.file = files[from.file];
  result.line = from.line;
  result.column = from.column;
  const bool forward = to.file == from.file && std::pair(to.end_line, to.end_column) >=
                                                   std::pair(from.end_line, from.end_column);
  result.end_line = forward ? to.end_line : from.end_line;
  result.end_column = forward ? to.end_column : from.end_column;

  for (std::size_t i = first; i < past; ++i) {
    const FlatToken& token = tokens[i];
    if (i > first && token.leading_space)
      result.text += ' ';
    const Expansion* expansion =
        token.expansion < 0 ? nullptr : &expansions[static_cast<std::size_t>(token.expansion)];
    if (expansion && expansion->first_token == i && expansion->last_token < past) {
      result.text += expansion->text;
      i = expansion->last_token;
    } else {
      result.text.append(text, token.begin, token.end - token.begin);
    }
  }
  return result;
}

std::string FlatSource::unpadded(unsigned begin, unsigned end) const {
  std::string result;
  unsigned copied = begin;
  for (std::size_t i = token_at_or_after(begin); i < tokens.size() && tokens[i].begin <= end; ++i) {
    const std::size_t after = result.size();
    result.append(text, copied, tokens[i].begin - copied);
    copied = tokens[i].begin;
    while (!tokens[i].leading_space && result.size() > after && result.back() == ' ')
      result.pop_back();
    if (tokens[i].end > end)
      break;
    result.append(text, copied, tokens[i].end - copied);
    copied = tokens[i].end;
  }
  return result.append(text, copied, end - copied);
}

std::string FlatSource::name_of(unsigned offset) const {
  if (tokens.empty())
    return {};
  std::size_t index = token_at_or_after(offset);
  if (index == tokens.size() || (index > 0 && tokens[index].begin > offset))
    --index;
  const Place& place = tokens[index].place;
  if (offset >= tokens[index].end) // just past it
    return fmt::format("{}:{}:{}", files[place.file], place.end_line, place.end_column);
  return fmt::format("{}:{}:{}", files[place.file], place.line, place.column);
}

unsigned FlatSource::before_pragmas(unsigned offset) const {
  for (auto pragma = pragmas.rbegin(); pragma != pragmas.rend(); ++pragma) {
    if (pragma->first >= offset)
      continue;
    // If something other than #line and white space is in between, the pragma belongs to something
    // else.
    const std::size_t next = token_at_or_after(pragma->second);
    if (next < tokens.size() && tokens[next].begin < offset)
      break;
    offset = pragma->first;
  }
  return offset;
}

} // namespace gputest::frontend
