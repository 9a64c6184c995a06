// What this process leaves in the run folder: a line of JSON for each thing that happened, and
// memory that is a file, so that what kernels recorded outlives any end of the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace gputest::layer {

// A file of the run folder, mapped. Shared with processes forked later.
class MappedFile {
public:
  // Creates `file` with `bytes` bytes, all 0. Throws std::runtime_error.
  MappedFile(const std::filesystem::path& file, std::size_t bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<std::byte> bytes() const { return bytes_; }

private:
  std::span<std::byte> bytes_; // begins at a page
};

// Threads may share one. What cannot be written is lost: the program must not notice.
class RunLog {
public:
  explicit RunLog(std::filesystem::path folder);

  // Appends a line to <process>.jsonl, where a process is "<pid>-<time>". In the file when it
  // returns.
  void write(const nlohmann::json& event);

  // The hash of what was read back as the index-th: 8 bytes at 8 * index of <process>.reads.
  void write_read(std::size_t index, std::uint64_t hash);

  // A name for a file of this process that no other has: "<process>-<number>.bin".
  std::string new_file_name();
  const std::filesystem::path& folder() const { return folder_; }

private:
  void begin_process();

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::string process_;
  int pid_ = 0; // a child that was forked writes files of its own
  int files_ = 0;
};

} // namespace gputest::layer
