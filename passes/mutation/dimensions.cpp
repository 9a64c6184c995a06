#include "passes/mutation/dimensions.h"

#include <algorithm>

namespace gputest::passes::mutation {

unsigned dimensions_used(const FlatSource& source) {
  unsigned most = 1;
  const auto text = [&](std::size_t at) {
    const FlatToken& token = source.tokens[at];
    return std::string_view(source.text).substr(token.begin, token.end - token.begin);
  };
  for (std::size_t i = 0; i + 2 < source.tokens.size(); ++i)
    if (text(i).starts_with("get_") && text(i + 1) == "(" &&
        (text(i + 2) == "1" || text(i + 2) == "2"))
      most = std::max(most, text(i + 2) == "1" ? 2u : 3u);
  return most;
}

} // namespace gputest::passes::mutation
