// A made-up analysis, which shows what one consists of: this row in model/analyses.cpp, and a
// folder, tests/runtime/tally.
#pragma once

#include "model/analyses.h"

#include <array>
#include <vector>

namespace gputest::tests {

inline constexpr std::array kTallySettings{
    model::Setting{.name = "at-most",
                   .kind = model::ValueKind::Size,
                   .places = model::kInKernel | model::kInHarness,
                   .fallback = "5",
                   .value = "N",
                   .help = "fail where there are more cases"},
};

inline constexpr model::Analysis kTally{.name = "tally",
                                        .help = "count the cases",
                                        .settings = kTallySettings,
                                        .value = "at-most",
                                        .result = "tally.json"};

inline std::vector<model::Analysis> with_tally() {
  std::vector<model::Analysis> all(model::analyses().begin(), model::analyses().end());
  all.push_back(kTally);
  return all;
}

} // namespace gputest::tests
