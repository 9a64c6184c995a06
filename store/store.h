// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The store keeps every outcome of a mutant on a test case, on disk as soon as it is known. It is
// one SQLite file (<build>/gputest/results.db, write-ahead log, docs/reference/formats.md) for all
// kernels of a build folder. Any number of processes write it at once.
//
// Outcomes are found again by content, not by name. The key `program` is a hash of everything that
// the outcome depends on, except the mutant and the case. So nothing unchanged runs twice, and an
// interrupted run continues where it stopped.
#pragma once

#include "model/mutation/mutation.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::store {

// An error of the store. what() names the file and says what to do. Exit code 2: the file is no
// store, is of another version, is damaged, or may not be written. Exit code 3: the disk is full or
// fails, or the store stays locked.
class StoreError : public std::runtime_error {
public:
  StoreError(const std::string& message, int exit_code)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

private:
  int exit_code_;
};

// The result of the repeated runs of one case on one mutant, under one order of work-items.
struct Outcome {
  std::string mutant{}; // id
  // Hash of the case's content: arguments, sizes, expected outputs, tolerance.
  std::string test_case{};
  std::string order{};            // the order of work-items; empty: the device's own
  unsigned runs = 0, noticed = 0; // noticed: runs in which the case failed
  // Killed, Survived, Undecided, Timeout, CompileError
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason{};
  std::string detail{};
  double seconds = 0; // the time of all runs; finite
  bool operator==(const Outcome&) const = default;
};

// Two stores have different verdicts on one mutant in one case.
struct Conflict {
  std::string program, mutant, test_case, order;
  model::Verdict kept = model::Verdict::Survived, dropped = model::Verdict::Survived;
  bool replaced = false; // the verdict of the added store was kept
};

struct Merged {
  std::size_t changed = 0; // outcomes that were added or replaced
  std::vector<Conflict> conflicts{};
};

// One thread uses a store at a time. A process that is forked from this one opens a store of its
// own, and neither uses nor destroys this one.
class Store {
public:
  // Creates the file and the folders above it. `patience` is how long a call waits for other
  // processes that hold the lock. Throws StoreError.
  explicit Store(const std::filesystem::path& file,
                 std::chrono::milliseconds patience = std::chrono::seconds(20));
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Writes an outcome. It is on disk when put() returns, so that a kill -9 of this process loses
  // nothing. A second outcome of the same (program, mutant, test_case, order) replaces the first.
  // Throws StoreError, as all functions below do. The store then keeps what was put before, and can
  // be used again.
  void put(const std::string& program, const Outcome& outcome);

  // Returns all outcomes of `program`, in no particular order.
  std::vector<Outcome> outcomes(const std::string& program) const;

  // Adds the outcomes and documents that `other` has and this store lacks. If both have one, the
  // newer one stays, by the clocks of the machines that wrote them. If both are equally old, the
  // choice does not depend on the order of merging. Adds all of them or, if it throws, none.
  // `other` must exist and is not changed.
  Merged merge(const std::filesystem::path& other);

  // Puts a document of the results (the text of mutation.json) under the kernel's name. The newest
  // document stays.
  void put_document(const std::string& name, const std::string& kind, const std::string& text);
  void remove_document(const std::string& name, const std::string& kind);
  // Returns the newest document; empty: there is none.
  std::string document(const std::string& name, const std::string& kind) const;

private:
  class Database;
  std::unique_ptr<Database> database_;
};

// Throws StoreError unless `file` exists, is a store, and can be read.
void require_store(const std::filesystem::path& file);

// Returns false for an empty file, such as one whose creator was killed. Throws StoreError for any
// other file that is no store.
bool has_outcomes(const std::filesystem::path& file);

// Returns the first 32 hexadecimal digits of SHA-256, for keys by content.
std::string content_hash(std::string_view content);

} // namespace gputest::store
