// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shard.h"

#include "model/whole_number.h"

#include <algorithm>
#include <string_view>

namespace gputest::model {

constexpr std::uint64_t kMostShards = 999'999'999;

std::optional<Shard> shard_in(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto of = whole_number(std::string_view(text).substr(std::min(slash + 1, text.size())),
                               {1, kMostShards});
  const auto number = whole_number(std::string_view(text).substr(0, slash), {1, of.value_or(0)});
  if (!of || !number)
    return std::nullopt;
  return Shard{static_cast<unsigned>(*number), static_cast<unsigned>(*of)};
}

} // namespace gputest::model
