// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outcomes of earlier runs, which need not be found out again, and new ones.
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
  // Opens the store `file`; without it, outcomes live as long as this object. `fresh`: outcomes of
  // former runs are not used. Throws store::StoreError.
  OutcomeCache(const std::optional<std::filesystem::path>& file, bool fresh);

  // Returns the known outcome, or nullptr.
  const store::Outcome* find(const std::string& program, const std::string& mutant,
                             const std::string& test_case, const std::string& order);

  // Adds an outcome. It is in the store when put() returns.
  void put(const std::string& program, const store::Outcome& outcome);

  // Adds an outcome for the life of this object, and does not store it.
  void remember(const std::string& program, const store::Outcome& outcome);

private:
  void load(const std::string& program);

  std::optional<store::Store> store_;
  bool fresh_;
  std::set<std::string> loaded_;                                          // programs
  std::unordered_map<std::string, std::vector<store::Outcome>> outcomes_; // by program and mutant
};

} // namespace gputest::runtime
