// Outcomes that need not be found out again, and where new ones go.
#pragma once

#include "store/store.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace gputest::runtime {

class OutcomeCache {
public:
  // Without a file outcomes live as long as this object. fresh: those of former runs are not used.
  // Throws store::StoreError.
  OutcomeCache(const std::optional<std::filesystem::path>& file, bool fresh);

  // nullptr: not known.
  const store::Outcome* find(const std::string& program, const std::string& mutant,
                             const std::string& test_case, const std::string& order);

  // In the store when it returns.
  void put(const std::string& program, const store::Outcome& outcome);

  // Only for this object.
  void remember(const std::string& program, const store::Outcome& outcome);

private:
  void load(const std::string& program);

  std::optional<store::Store> store_;
  bool fresh_;
  std::set<std::string> loaded_;                                          // programs
  std::unordered_map<std::string, std::vector<store::Outcome>> outcomes_; // by program and mutant
};

} // namespace gputest::runtime
