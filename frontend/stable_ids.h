// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids that are the same on every machine and in every version, and that survive edits elsewhere in
// a file.
#pragma once

#include "model/stable_hash.h"

#include <map>
#include <string>

namespace gputest::frontend {

using model::stable_hash;

// Numbers things that share an id, in order: "a", "a.2", "a.3".
class StableIds {
public:
  std::string next(const std::string& id) {
    const unsigned count = ++seen_[id];
    return count > 1 ? id + '.' + std::to_string(count) : id;
  }

private:
  std::map<std::string, unsigned> seen_;
};

} // namespace gputest::frontend
