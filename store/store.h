// The store: every outcome of a mutant on a test case, on disk as soon as it is known. One SQLite
// file
// (<build>/gputest/results.db, write-ahead log) for all kernels of a build folder; any number of
// processes write it at once.
//
// Outcomes are found again by content, not by name: a program is a hash of everything the outcome
// depends on but the mutant and the case. What is unchanged is never run twice; what was
// interrupted goes on.
#pragma once

#include "model/mutation.h"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::store {

// what() names the file and says what to do. Exit code 2: the file is no store, is of another
// version, is damaged, or may not be written; 3: the disk is full, or the store stays locked.
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
  std::string mutant; // id
  std::string
      test_case;     // hash of the case's content: arguments, sizes, expected outputs, tolerance
  std::string order; // of work-items; empty: the device's own
  unsigned runs = 0, noticed = 0; // noticed: runs in which the case failed
  model::Verdict verdict =
      model::Verdict::Survived; // Killed, Survived, Undecided, Timeout, CompileError
  std::optional<model::KillReason> reason;
  std::string detail;
  double seconds = 0; // of all runs
  bool operator==(const Outcome&) const = default;
};

class Store {
public:
  // Creates the file and the folders above it. Throws StoreError.
  explicit Store(const std::filesystem::path& file);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Written when it returns: a kill -9 of this process loses nothing. A second outcome of the same
  // (program, mutant, test_case, order) replaces the first. Throws StoreError.
  void put(const std::string& program, const Outcome& outcome);

  // All outcomes of `program`, in no particular order.
  std::vector<Outcome> outcomes(const std::string& program) const;

  // Adds what `other` has and this one has not; where both have an outcome, the newer one stays.
  // Returns how many were added or replaced.
  std::size_t merge(const std::filesystem::path& other);

  // A document of the results (the text of mutation.json) by kernel's name, the newest one stays.
  void put_document(const std::string& name, const std::string& kind, const std::string& text);
  // Empty where there is none.
  std::string document(const std::string& name, const std::string& kind) const;

private:
  class Database;
  std::unique_ptr<Database> database_;
};

// 32 hexadecimal digits of SHA-256, for keys of content.
std::string content_hash(std::string_view content);

} // namespace gputest::store
