// What the director and its server tell each other: words, each with its size.
#pragma once

#include "testgen/goals.h"
#include "testgen/inputs/wire.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gputest::testgen {

enum class Word : char {
  // questions
  Solve = 's',      // SolveQuestion, and inputs
  Outcomes = 'u',   // goals: are they impossible?
  Invariants = 'v', // the same, with what is found to hold in loops
  Mutants = 'e',    // goals: are they equivalent?
  // answers
  Started = 'w', // the process that works on it: what it needs is prepared
  Input = 'i',   // Method, and the input that it found
  Open = 'o',    // what stands in the way
  Proof = 'p',   // a goal's bit, and why it is impossible or equivalent; empty: it is not proved
  Done = 'd'
};

struct SolveQuestion {
  Goal goal;
  bool sizes = false; // of the launch may be chosen
  bool cheaply = false;
  std::uint32_t inputs = 0;
};

// Questions and answers are of one program: goals and pointers in them mean the same to both.
// False: nobody is there.
bool send_word(int socket, Word word, const void* from, std::size_t size);
inline bool send_word(int socket, Word word, const std::string& text) {
  return send_word(socket, word, text.data(), text.size());
}

// Words, as they come.
class Words {
public:
  struct One {
    Word word;
    runtime::Bytes bytes;
  };
  void add(const std::byte* from, std::size_t size) {
    bytes_.insert(bytes_.end(), from, from + size);
  }
  std::optional<One> take();

private:
  runtime::Bytes bytes_;
};

} // namespace gputest::testgen
