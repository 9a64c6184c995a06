// What a launch did that no kernel may do, each kind at each place once.
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

  // Adds one of `kind` at `site`; `detail` is what else tells two of them apart. Null if it was
  // there before, which then is counted once more, or if there are kMost already.
  Finding* add(const char* kind, unsigned site, unsigned detail);

  // The index of the same; kNone: it is not kept.
  std::size_t index_of(const std::string& kind, unsigned site, unsigned detail) const;
  void count_again(std::size_t index) { ++findings_[index].count; }

  bool any() const { return !findings_.empty(); }

  // In order of what was seen first.
  std::vector<Finding> all() const;

private:
  const KernelShape& shape_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, unsigned, unsigned>, std::size_t> known_;

  // The last finding of each site: what goes wrong millions of times must not take the time.
  struct Recent {
    const char* kind = nullptr;
    unsigned detail = 0;
    std::size_t finding = 0;
  };
  std::vector<Recent> recent_;
};

} // namespace gputest::simulator
