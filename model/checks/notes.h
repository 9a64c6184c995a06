// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes of the simulator: what is no finding but worth knowing. They are findings in form.
#pragma once

#include "model/checks/finding.h"

#include <set>
#include <string>
#include <vector>

namespace gputest::model {

// Returns an array of findings or notes, for messages.
nlohmann::ordered_json json_of(const std::vector<Finding>& findings);

class Notes {
public:
  // Prints each note of such an array whose place and kind are new, as "k.cu:7:5: note: …". Throws
  // FormatError as finding_from_json() does.
  void print(const nlohmann::ordered_json& notes);

private:
  std::set<std::string> printed_;
};

} // namespace gputest::model
