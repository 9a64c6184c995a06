// What inputs are looked for: outcomes of a kernel's sites, and mutants that they kill.
#pragma once

#include "model/mutation/mutants.h"
#include "model/sites.h"

#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Goal {
  std::size_t site = 0, outcome = 0;     // index in the table; of the site's
  unsigned bit = 0;                      // of the instrumented kernel, and behind these of mutants
  const model::Mutant* mutant = nullptr; // to be killed; null: the outcome is to be reached
};

// The outcomes of sites of these criteria, in order of position.
std::vector<Goal> goals_of(const model::SiteTable& sites,
                           const std::set<model::Criterion>& criteria);

// "12:7 if true"
std::string text_of(const Goal& goal, const model::SiteTable& sites);
// "kernel.cl:12:7: branch 'x < n' false"
std::string message_of(const Goal& goal, const model::SiteTable& sites);
// "12-if-true": letters, digits and '-'
std::string file_part(const Goal& goal, const model::SiteTable& sites);

} // namespace gputest::testgen
