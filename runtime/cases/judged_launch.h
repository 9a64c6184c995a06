// What `gputest fuzz` asks a kernel's host program about: launches in the simulator, and whether
// they left what they should have. Both map one file, and tell each other over a socket, a byte
// each, whose turn it is.
#pragma once

#include "runtime/cases/argument.h"
#include "runtime/cases/wire.h"

#include <atomic>
#include <string>
#include <vector>

namespace gputest::runtime {

// Descriptors of the host program.
inline constexpr int kJudgeSocket = 3, kJudgeMemory = 4;

struct JudgedLaunch {
  Launch launch;
  std::vector<LaunchArgument> arguments; // as the launch began with them
  std::vector<Bytes> after;              // by position: what it left of buffers and images
};

struct Verdict {
  enum class Kind : std::uint32_t { Right, UnlikeReference, AgainstProperty, UnlikeDevice };
  Kind kind = Kind::Right;
  std::string what{};    // of the kind: an argument, or the message without its numbers
  std::string message{}; // for people
};

// What the host program can say, told before the first question.
struct JudgeGreeting {
  bool reference = false, property = false;
  std::string device{}; // empty: none
};

void put(Writer& to, const JudgedLaunch& launch);
JudgedLaunch take_judged_launch(Reader& from);
void put(Writer& to, const Verdict& verdict);
Verdict take_verdict(Reader& from);
void put(Writer& to, const JudgeGreeting& greeting);
JudgeGreeting take_greeting(Reader& from);
std::size_t most_bytes_of(const JudgedLaunch& launch); // that put() writes, or more

class JudgeMemory {
public:
  enum class Doer : std::uint32_t { Itself, ReferenceFunction, PropertyFunction, Device };
  struct Header {
    std::uint32_t count = 0; // launches that are asked about
    // The device runs each; else it runs some of them, because it may take much longer.
    std::uint32_t thorough = 0;
    std::atomic<std::uint32_t> done = 0; // that are judged
    std::atomic<Doer> doing = Doer::Itself;
  };

  // Throws std::runtime_error.
  explicit JudgeMemory(int file);
  JudgeMemory(const JudgeMemory&) = delete;
  JudgeMemory& operator=(const JudgeMemory&) = delete;
  ~JudgeMemory();

  static constexpr std::size_t kHalf = std::size_t{32} << 20; // of questions, and of answers
  static constexpr std::size_t kBytes = 4096 + 2 * kHalf;     // that the file has

  Header& header() { return *reinterpret_cast<Header*>(begin_); }
  std::byte* questions() { return begin_ + 4096; }
  std::byte* answers() { return begin_ + 4096 + kHalf; }

private:
  std::byte* begin_;
};

} // namespace gputest::runtime
