// Insertions into a text, applied all at once. Nested constructs register from the outside in; then
// what belongs to the outer one ends up outside.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::passes {

class Edits {
public:
  // Offsets are of the unchanged text. At one offset, what was inserted "after" something comes
  // before what was inserted "before" something.
  void before(unsigned offset, std::string text);
  void after(unsigned offset, std::string text);
  void around(unsigned begin, unsigned end, std::string left, std::string right);
  // Swaps the characters in [begin, end) for `text`; for a pass's own tokens only.
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

} // namespace gputest::passes
