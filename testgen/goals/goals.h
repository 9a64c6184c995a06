// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The goals of generation: outcomes of a kernel's sites to reach, and mutants to kill.
#pragma once

#include "model/mutation/mutants.h"
#include "model/sites.h"

#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Goal {
  std::size_t site = 0, outcome = 0;     // index in the table of sites; index of the site's outcome
  unsigned bit = 0;                      // an outcome bit of the instrumented kernel; mutants have
                                         // bits after these
  const model::Mutant* mutant = nullptr; // to be killed; null: the outcome is to be reached
};

// Returns the outcomes of all sites of these criteria, in the order of their positions.
std::vector<Goal> goals_of(const model::SiteTable& sites,
                           const std::set<model::Criterion>& criteria);

// "12:7 if true"
std::string text_of(const Goal& goal, const model::SiteTable& sites);
// "kernel.cl:12:7: branch 'x < n' false"
std::string message_of(const Goal& goal, const model::SiteTable& sites);
// "12-if-true": letters, digits and '-'
std::string file_part(const Goal& goal, const model::SiteTable& sites);

} // namespace gputest::testgen
