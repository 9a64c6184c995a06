// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/notes.h"

#include "model/json.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest::model {

Json json_of(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings)
    json.push_back(to_json(finding));
  return json;
}

void Notes::print(const Json& notes) {
  for (const Json& json : notes) {
    const Finding note = finding_from_json(json);
    if (printed_.insert(pair_of(note)).second)
      fmt::print("{}: note: {}\n", place_text(note.site), note.message);
  }
}

} // namespace gputest::model
