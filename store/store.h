// The store: every outcome of a mutant on a test case, on disk as soon as it is known. One SQLite
// file (<build>/gputest/results.db, write-ahead log, docs/formats.md) for all kernels of a build
// folder; any number of processes write it at once.
//
// Outcomes are found again by content, not by name: a program is a hash of everything the outcome
// depends on but the mutant and the case. What is unchanged is never run twice; what was
// interrupted goes on.
#pragma once

#include "model/mutation.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::store {

// what() names the file and says what to do. Exit code 2: the file is no store, is of another
// version, is damaged, or may not be written; 3: the disk is full or fails, or the store stays
// locked.
class StoreError : public std::runtime_error {
public:
  StoreError(const std::string& message, int exit_code)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

private:
  int exit_code_;
};

// What the repeated runs of one case made of one mutant, under one order of work-items.
struct Outcome {
  std::string mutant{}; // id
  // Hash of the case's content: arguments, sizes, expected outputs, tolerance.
  std::string test_case{};
  std::string order{};            // of work-items; empty: the device's own
  unsigned runs = 0, noticed = 0; // noticed: runs in which the case failed
  // Killed, Survived, Undecided, Timeout, CompileError
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason{};
  std::string detail{};
  double seconds = 0; // of all runs; finite
  bool operator==(const Outcome&) const = default;
};

// One thread uses a store at a time. A process forked from this one opens a store of its own, and
// neither uses nor destroys this one.
class Store {
public:
  // Creates the file and the folders above it. `patience`: how long any call waits for other
  // processes that hold the lock. Throws StoreError.
  explicit Store(const std::filesystem::path& file,
                 std::chrono::milliseconds patience = std::chrono::seconds(20));
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Written when it returns: a kill -9 of this process loses nothing. A second outcome of the same
  // (program, mutant, test_case, order) replaces the first. Throws StoreError, as all below do;
  // what was put before is kept, and the store can be used again.
  void put(const std::string& program, const Outcome& outcome);

  // All outcomes of `program`, in no particular order.
  std::vector<Outcome> outcomes(const std::string& program) const;

  // Adds the outcomes and documents that `other` has and this one has not; where both have one, the
  // newer one stays, by the clocks of those who wrote them. All of them or, when it throws, none.
  // Returns how many outcomes were added or replaced. `other` must be there and is not changed.
  std::size_t merge(const std::filesystem::path& other);

  // A document of the results (the text of mutation.json) by kernel's name, the newest one stays.
  void put_document(const std::string& name, const std::string& kind, const std::string& text);
  // Empty where there is none.
  std::string document(const std::string& name, const std::string& kind) const;

private:
  class Database;
  std::unique_ptr<Database> database_;
};

// Throws StoreError unless `file` is there, is a store, and can be read.
void require_store(const std::filesystem::path& file);

// 32 hexadecimal digits of SHA-256, for keys of content.
std::string content_hash(std::string_view content);

} // namespace gputest::store
