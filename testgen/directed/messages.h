// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages between the director and its server.
#pragma once

#include "testgen/goals/goals.h"
#include "testgen/inputs/wire.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gputest::testgen {

// The kinds of messages. Comments say what follows the word and its size.
enum class Word : char {
  // questions
  Solve = 's',      // SolveQuestion, then inputs
  Outcomes = 'u',   // goals: which are impossible?
  Invariants = 'v', // the same, with invariants of loops
  Mutants = 'e',    // goals: which are equivalent?
  // answers
  Started = 'w', // preparations are done; the id of the process that works on the question
  Input = 'i',   // Method, then the input that it found
  Open = 'o',    // why a goal was not reached, as text
  Late = 'l',    // a launch that was traced was ended by the clock (kLate)
  Proof = 'p',   // a goal's bit, then why it is impossible or equivalent; empty: not proved
  Done = 'd'
};

// An answer that is the same with every effort.
inline constexpr const char* kWaitsForever =
    "launches that come there do not end; a work-item that waits there for another one waits "
    "forever, because they run one after the other";

// Another machine may see more of such a launch.
inline constexpr const char* kLate =
    "a launch that was traced took so much time that it was ended, so another run may find more";

// How much is tried for a goal. Cheaply: without Z3 and with a short search. Briefly: few decisions
// with few steps each, which end before the time does on any machine.
enum class Effort : std::uint8_t { Cheaply, Briefly, Fully };

struct SolveQuestion {
  Goal goal;
  bool sizes = false; // the solver may change sizes of the launch
  Effort effort = Effort::Fully;
  // The number of inputs that follow.
  std::uint32_t inputs = 0;
};

// Sends a word with its bytes. Both ends are forks of one program, so pointers in goals are valid
// at both. Returns false if the other end is closed.
bool send_word(int socket, Word word, const void* from, std::size_t size);
inline bool send_word(int socket, Word word, const std::string& text) {
  return send_word(socket, word, text.data(), text.size());
}

// Splits a stream of bytes into words.
class Words {
public:
  struct One {
    Word word;
    runtime::Bytes bytes;
  };
  void add(const std::byte* from, std::size_t size) {
    bytes_.insert(bytes_.end(), from, from + size);
  }
  // Returns the next complete word, or nullopt if more bytes are needed.
  std::optional<One> take();

private:
  runtime::Bytes bytes_;
};

} // namespace gputest::testgen
