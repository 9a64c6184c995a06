// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the findings of a launch, one for each kind and place.
#pragma once

#include "simulator/checks/finding.h"

#include <map>
#include <tuple>
#include <vector>

namespace gputest::simulator {

class Findings {
public:
  explicit Findings(const KernelShape& shape) : shape_(shape), recent_(shape.sites.size()) {}

  static constexpr std::size_t kMost = 200, kNone = ~std::size_t{0};

  // Adds a finding of `kind` at `site`. `detail` distinguishes findings of one kind at one site.
  // Returns null if it exists (its count then grows) or if there are already kMost.
  Finding* add(const char* kind, unsigned site, unsigned detail);

  // Returns the index of a finding; kNone: there is none.
  std::size_t index_of(const std::string& kind, unsigned site, unsigned detail) const;
  void count_again(std::size_t index) { ++findings_[index].count; }

  bool any() const { return !findings_.empty(); }
  std::size_t count() const { return findings_.size(); } // without their repetitions

  // Returns the findings in the order in which they were first seen.
  std::vector<Finding> all() const;

private:
  const KernelShape& shape_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, unsigned, unsigned>, std::size_t> known_;

  // The latest finding of each site, to make repeated findings fast.
  struct Recent {
    const char* kind = nullptr;
    unsigned detail = 0;
    std::size_t finding = 0;
  };
  std::vector<Recent> recent_;
};

} // namespace gputest::simulator
