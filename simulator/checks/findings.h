// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the findings of a launch, one for each kind and place.
#pragma once

#include "simulator/checks/finding.h"

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gputest::simulator {

// What a finding is one of. `detail` distinguishes findings of one kind at one site.
struct FindingKey {
  std::string kind;
  unsigned site = 0, detail = 0;
  auto operator<=>(const FindingKey&) const = default;
};
using KeyedFinding = std::pair<FindingKey, Finding>;

// Returns the findings that are reported, in the words of their language.
std::vector<Finding> reported(const std::vector<KeyedFinding>& all, model::Language language);

class Findings {
public:
  explicit Findings(const ir::KernelShape& shape) : shape_(shape), recent_(shape.sites.size()) {}

  static constexpr std::size_t kMost = 200, kNone = ~std::size_t{0};

  // Adds a finding. Returns null if it exists (its count then grows) or if there are already kMost.
  Finding* add(const char* kind, unsigned site, unsigned detail);

  // Returns the index of a finding; kNone: there is none.
  std::size_t index_of(const std::string& kind, unsigned site, unsigned detail) const;
  void count_again(std::size_t index) { ++findings_[index].count; }

  bool any() const { return !findings_.empty(); }
  std::size_t count() const { return findings_.size(); } // without their repetitions

  // In the order in which they were first seen.
  std::vector<KeyedFinding> keyed() const;
  std::vector<Finding> all() const; // reported()

private:
  const ir::KernelShape& shape_;
  std::vector<Finding> findings_;
  std::map<FindingKey, std::size_t> known_;

  // The latest finding of each site, to make repeated findings fast.
  struct Recent {
    const char* kind = nullptr;
    unsigned detail = 0;
    std::size_t finding = 0;
  };
  std::vector<Recent> recent_;
};

} // namespace gputest::simulator
