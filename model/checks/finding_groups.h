// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses which findings are printed, because one missing barrier can make many.
#pragma once

#include "model/checks/finding.h"

#include <string>
#include <vector>

namespace gputest::model {

class FindingGroups {
public:
  // Returns whether to print the finding: it is the first of its cause, or has no cause. Others are
  // counted.
  bool leads(const Finding& finding);

  // Returns a note for each cause with more than one finding, in the order of their first findings:
  // "k.cl:9:3: note: 2 more races on 'tile' within a work-group after its beginning: k.cl:9 and
  // k.cl:5, k.cl:10 and k.cl:5".
  std::vector<std::string> notes() const;

private:
  struct Group {
    Finding first;
    std::vector<std::string> others;
  };
  std::vector<Group> groups_;
};

} // namespace gputest::model
