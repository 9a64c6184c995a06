// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notes of the simulator: what is no finding but worth knowing. They are findings in form.
#pragma once

#include "model/checks/finding.h"

#include <set>
#include <string>
#include <vector>

namespace gputest::model {

class Notes {
public:
  // Prints each note whose place and kind are new, as "k.cu:7:5: note: …".
  void print(const std::vector<Finding>& notes);

private:
  std::set<std::string> printed_;
};

} // namespace gputest::model
