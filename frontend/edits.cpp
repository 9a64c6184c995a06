// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/edits.h"

#include <set>

namespace gputest::frontend {

void Edits::before(unsigned offset, std::string text) {
  insertions_[offset].before.push_back(std::move(text));
}

void Edits::after(unsigned offset, std::string text) {
  insertions_[offset].after.push_back(std::move(text));
}

void Edits::around(unsigned begin, unsigned end, std::string left, std::string right) {
  before(begin, std::move(left));
  after(end, std::move(right));
}

void Edits::replace(unsigned begin, unsigned end, std::string text) {
  replacements_[begin] = {end, std::move(text)};
}

std::string Edits::apply(std::string_view text) const {
  std::set<unsigned> offsets;
  for (const auto& [offset, at] : insertions_)
    offsets.insert(offset);
  for (const auto& [offset, replacement] : replacements_)
    offsets.insert(offset);

  std::string result;
  std::size_t copied = 0;
  for (const unsigned offset : offsets) {
    if (offset > copied) {
      result += text.substr(copied, offset - copied);
      copied = offset;
    }
    if (const auto at = insertions_.find(offset); at != insertions_.end()) {
      for (auto piece = at->second.after.rbegin(); piece != at->second.after.rend(); ++piece)
        result += *piece;
      for (const std::string& piece : at->second.before)
        result += piece;
    }
    if (const auto swap = replacements_.find(offset); swap != replacements_.end()) {
      result += swap->second.second;
      copied = swap->second.first;
    }
  }
  result += text.substr(copied);
  return result;
}

} // namespace gputest::frontend
