// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions of `gputest fuzz` to a kernel's host program, and the answers. A question is a
// launch in the simulator, and the answer says whether it left what it should have. Both processes
// map one file. Over a socket, they tell each other with a byte whose turn it is.
#pragma once

#include "runtime/cases/argument.h"
#include "runtime/cases/wire.h"

#include <atomic>
#include <string>
#include <vector>

namespace gputest::runtime {

// Descriptors in the host program.
inline constexpr int kJudgeSocket = 3, kJudgeMemory = 4;

struct JudgedLaunch {
  Launch launch;
  std::vector<LaunchArgument> arguments; // before the launch
  std::vector<Bytes> after;              // by position: buffers and images after the launch
};

struct Verdict {
  enum class Kind : std::uint32_t { Right, UnlikeReference, AgainstProperty, UnlikeDevice };
  Kind kind = Kind::Right;
  std::string what{};    // what the kind is about: an argument, or the message without its numbers
  std::string message{}; // for people
};

// The oracles that the host program has. It sends this before the first question.
struct JudgeGreeting {
  bool reference = false, property = false;
  std::string device{}; // empty: none
};

// put() throws std::length_error where the memory is too small. take_…() throw MessageError.
void put(Writer& to, const JudgedLaunch& launch);
JudgedLaunch take_judged_launch(Reader& from);
void put(Writer& to, const Verdict& verdict);
Verdict take_verdict(Reader& from);
void put(Writer& to, const JudgeGreeting& greeting);
JudgeGreeting take_greeting(Reader& from);
// Returns at least the number of bytes that put() writes.
std::size_t most_bytes_of(const JudgedLaunch& launch);

class JudgeMemory {
public:
  enum class Doer : std::uint32_t { Itself, ReferenceFunction, PropertyFunction, Device };
  struct Header {
    std::uint32_t count = 0; // number of launches in the question
    // 1: the device runs each launch. 0: it runs some of them, because it may take much longer.
    std::uint32_t thorough = 0;
    std::atomic<std::uint32_t> done = 0; // number of launches that are judged
    std::atomic<Doer> doing = Doer::Itself;
  };

  // Maps the file. Throws std::runtime_error.
  explicit JudgeMemory(int file);
  JudgeMemory(const JudgeMemory&) = delete;
  JudgeMemory& operator=(const JudgeMemory&) = delete;
  ~JudgeMemory();

  // The bytes for questions, and those for answers.
  static constexpr std::size_t kHalf = std::size_t{32} << 20;
  static constexpr std::size_t kBytes = 4096 + 2 * kHalf; // size of the file

  Header& header() { return *reinterpret_cast<Header*>(begin_); }
  std::byte* questions() { return begin_ + 4096; }
  std::byte* answers() { return begin_ + 4096 + kHalf; }

private:
  std::byte* begin_;
};

} // namespace gputest::runtime
