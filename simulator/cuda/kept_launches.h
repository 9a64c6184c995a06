// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps launches of a program as their kernels found them (model/launches/kept_launch.h): of each
// kernel those with most threads, and of equal ones the first. With warm caches, each has the
// launch before it, and launches are equal only if those before them are.
#pragma once

#include "simulator/cuda/launch_snapshot.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::simulator::cuda {

// If something cannot be written, no more is kept, the records say why, and launches go on.
class KeptLaunches {
public:
  // Reads model::kKeptLaunches from the environment; nullopt: nothing is asked for, or another
  // version asks, which the folder then says.
  static std::optional<KeptLaunches> asked();

  // Looks at a launch that is about to begin. Returns its number, for end(), if it is one of those.
  std::optional<std::uint64_t> look_at(const LaunchToKeep& what, const Device& device);
  // The launch has ended, and is kept. `failure`: why it failed, if it did. It is then left out,
  // like a launch that never ends.
  void end(std::uint64_t number, const std::optional<std::string>& failure);

  // This process is now a fork, which does not end the launches that the other one has begun.
  void become_fork() { running_.clear(); }

private:
  KeptLaunches(std::size_t most, std::uint64_t most_bytes, model::Caches caches,
               std::filesystem::path folder)
      : most_(most), most_bytes_(most_bytes), caches_(caches), records_(std::move(folder)) {}

  using Snapshot = std::shared_ptr<const model::LaunchSnapshot>;
  struct Running {
    Snapshot snapshot, before; // before: null with cold caches, and if there is none
    double begin = 0;          // seconds of processor time
  };
  struct Kept {
    std::uint64_t threads = 0, content = 0;
  };
  using Kernel = std::pair<std::string, std::string>; // the code's digest, and the mangled name

  std::optional<std::uint64_t> begin(const LaunchToKeep& what, const Device& device);
  void keep(const Running& launch);
  // Returns the digest of the module's code.
  const std::string& digest_of(const LaunchToKeep& what);
  void give_up(const std::string& reason);

  std::size_t most_;         // of each kernel
  std::uint64_t most_bytes_; // of the memory that a launch can reach
  model::Caches caches_;
  model::LaunchRecords records_;
  bool gave_up_ = false;
  std::uint64_t launches_ = 0;
  std::map<std::uint64_t, std::string> digests_; // by module
  std::map<Kernel, std::vector<Kept>> kept_;
  std::map<std::uint64_t, Running> running_; // by number
  Snapshot last_;                            // with warm caches: of the latest launch
};

} // namespace gputest::simulator::cuda
