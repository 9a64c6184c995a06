// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline: what a program reads back in runs that change nothing. Other runs are compared with
// it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

// The program fails by itself, or its kernels cannot be replaced. what() says why.
class PlainRunFailed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// The same, where what() is a whole message for people.
class RunRefused : public PlainRunFailed {
public:
  using PlainRunFailed::PlainRunFailed;
};

// Hashes of what runs that change nothing read back (RunRecords::reads). Processes that run at the
// same time may begin in any order, so they are identified by what they read back.
class ReadBaseline {
public:
  ReadBaseline() = default;
  // `device`: what messages call that from which the program reads.
  explicit ReadBaseline(std::string device) : device_(std::move(device)) {}

  // Adds what one such run read. The first call is for the first run.
  void add(const std::vector<std::vector<std::uint64_t>>& reads);

  std::size_t count() const;   // number of pieces
  std::size_t varying() const; // number of pieces that are not the same in all runs

  // Returns "the 3rd of 7 pieces that process 1 read back differs". Empty if nothing differs except
  // what varies by itself.
  std::string difference(const std::vector<std::vector<std::uint64_t>>& reads) const;
  // Returns the numbers of the pieces that differ, in any process.
  std::set<std::size_t> differing(const std::vector<std::vector<std::uint64_t>>& reads) const;

  // Convert to and from the JSON of a file that a later run of gputest reads. from_json() throws
  // nlohmann's exceptions.
  nlohmann::ordered_json to_json() const;
  static ReadBaseline from_json(const nlohmann::ordered_json& json);

private:
  using Reads = std::vector<std::vector<std::uint64_t>>;
  // Returns `reads` in the order of `pieces_`, if each process has its like there; otherwise as it
  // is.
  Reads aligned(const Reads& reads) const;

  // For each process, its pieces. nullopt: the piece varies by itself.
  std::vector<std::vector<std::optional<std::uint64_t>>> pieces_;
  std::vector<bool> varies_in_number_; // for each process: whether its number of pieces varies
  bool varies_in_processes_ = false, is_first_ = true;
  std::string device_ = "OpenCL";
};

} // namespace gputest::program
