// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/notes.h"

#include "model/json.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest::model {

void Notes::print(const std::vector<Finding>& notes) {
  for (const Finding& note : notes)
    if (printed_.insert(pair_of(note)).second)
      fmt::print("{}: note: {}\n", place_text(note.site), note.message);
}

} // namespace gputest::model
