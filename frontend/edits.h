// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Insertions into a text, applied all at once. Register nested constructs from the outside in; then
// the insertions of the outer construct end up outside.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend {

class Edits {
public:
  // Offsets are those of the unchanged text. At one offset, insertions "after" something come
  // before insertions "before" something.
  void before(unsigned offset, std::string text);
  void after(unsigned offset, std::string text);
  void around(unsigned begin, unsigned end, std::string left, std::string right);
  // Replaces the characters in [begin, end) with `text`. Only for a pass's own tokens.
  void replace(unsigned begin, unsigned end, std::string text);

  std::string apply(std::string_view text) const;

private:
  struct At {
    std::vector<std::string> after;  // printed last registered first
    std::vector<std::string> before; // printed first registered first
  };
  std::map<unsigned, At> insertions_;
  std::map<unsigned, std::pair<unsigned, std::string>> replacements_;
};

} // namespace gputest::frontend
