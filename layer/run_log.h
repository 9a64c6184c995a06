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
  // Of a file that is there already, made as long as that; what is added is 0.
  static std::unique_ptr<MappedFile> grown(const std::filesystem::path& file, std::size_t bytes);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<std::byte> bytes() const { return bytes_; }

private:
  MappedFile(const std::filesystem::path& file, std::size_t bytes, int flags);

  std::span<std::byte> bytes_; // begins at a page
};

// Threads may share one. What cannot be written is lost: the program must not notice.
class RunLog {
public:
  explicit RunLog(std::filesystem::path folder);

  // Appends a line to <process>.jsonl, where a process is "<pid>-<time>". In the file when it
  // returns.
  void write(const nlohmann::json& event);

  // The hash of what was read back as the index-th, in <process>.reads: there the number of pieces,
  // then their hashes, 8 bytes each. The file is longer than that.
  void write_read(std::size_t index, std::uint64_t hash);

  // A name for a file of this process that no other has: "<process>-<number>.bin".
  std::string new_file_name();
  const std::filesystem::path& folder() const { return folder_; }

private:
  void begin_process();
  std::span<std::uint64_t> reads_with(std::size_t index);

  std::filesystem::path folder_;
  std::mutex mutex_;
  std::string process_;
  int pid_ = 0; // a child that was forked writes files of its own
  int files_ = 0;
  // Mapped, and not written to: programs make thousands of small reads, and close descriptors that
  // are not theirs.
  std::unique_ptr<MappedFile> reads_;
};

} // namespace gputest::layer
