// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/shard.h"

namespace gputest::model {

std::optional<Shard> shard_in(const std::string& text) {
  Shard shard;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%9u/%9u%c", &shard.number, &shard.of, &rest) != 2 ||
      shard.number < 1 || shard.number > shard.of)
    return std::nullopt;
  return shard;
}

} // namespace gputest::model
