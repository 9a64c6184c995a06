// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder in which the processes of a program keep launches while it runs. A process reads
// nothing that another one writes: names of files say which launches are the largest.
#pragma once

#include "model/launches/kept_launch.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::model {

// A launch with its memory, in the process that makes it.
struct LaunchSnapshot {
  KeptLaunch launch;
  std::string contents{};    // of KeptLaunch::contents
  std::uint64_t own = 0;     // a hash of sizes and contents
  std::uint64_t content = 0; // the same, and with warm caches of the launch before and its kernel
};

// Launches as they are in the folder.
struct RecordedLaunches {
  KeptLaunch launch;          // left_out: of the first one
  std::filesystem::path file; // of the launch
  std::uint64_t launches = 1; // that are left out for this reason
};

class LaunchRecords {
public:
  explicit LaunchRecords(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }

  // Makes the folder, or empties it. Throws std::filesystem::filesystem_error and WriteError.
  void prepare() const;

  // Of the processes that make launches. All throw WriteError.
  // Returns the name of a file with the code, which is written once.
  std::string keep_code(const std::string& code, const std::string& digest) const;
  // Says that a launch runs, and that it does so no more. What never ends is left out.
  void begin(const KeptLaunch& launch) const;
  void end(const KeptLaunch& launch) const;
  // Keeps a launch that has ended, and removes launches of its kernel that are not among the
  // `most` largest with different contents. Of equally large ones, those that began first stay.
  void keep(const LaunchSnapshot& snapshot, const LaunchSnapshot* before, std::size_t most) const;
  // Counts a launch of which left_out says why it is not kept. Each reason has one file for a
  // kernel.
  void leave_out(const KeptLaunch& launch) const;

  // Says why no more is kept, also on a disk that is full. Returns false if that cannot be said.
  bool give_up(const std::string& reason) const noexcept;

  // Of who has started the program: what give_up() has said, and all launches. Throws FormatError.
  std::optional<std::string> given_up() const;
  std::vector<RecordedLaunches> read() const;

private:
  std::filesystem::path folder_;
};

} // namespace gputest::model
