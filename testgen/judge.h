// The host program of a kernel, which says of launches in the simulator whether they left what its
// REFERENCE, its PROPERTY and a device say (runtime/cases/judged_launch.h).
#pragma once

#include "runtime/cases/judged_launch.h"
#include "testgen/inputs/input.h"
#include "testgen/target.h"

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::testgen {

// It has ended before it could be asked, and has said why.
class JudgeEnded : public std::runtime_error {
public:
  explicit JudgeEnded(int exit_code)
      : std::runtime_error("error: the host program could not be started to judge launches"),
        exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

private:
  int exit_code_;
};

class Judge {
public:
  struct Launched {
    Input input;
    std::vector<runtime::Bytes> after;
  };

  // `command`: the program and its arguments. Throws JudgeEnded, SimulatorFailure.
  Judge(const Target& target, std::vector<std::string> command);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  ~Judge();

  const runtime::JudgeGreeting& greeting() const { return greeting_; }

  // In the order of the launches. A function that ends the program, or takes longer than
  // kMostSeconds, has failed with that launch; the program is started again. `thorough`: the device
  // runs each of them.
  std::vector<runtime::Verdict> ask(std::span<const Launched> launches, bool thorough);

  static constexpr double kMostSeconds = 20; // for a launch

private:
  void start();
  void stop();
  std::string end_of_process(); // waits for it: "was ended by signal 11 (Segmentation fault)"
  enum class Answer { Given, Ended, TooLong };
  Answer wait(double seconds);
  runtime::Verdict loss(Answer answer);

  const Target& target_;
  std::vector<std::string> command_;
  int file_ = -1, socket_ = -1, process_ = -1;
  bool killed_ = false; // by somebody else
  std::unique_ptr<runtime::JudgeMemory> memory_;
  runtime::JudgeGreeting greeting_;
};

// As a host program's machines take it.
runtime::JudgedLaunch judged_launch(const Target& target, const Judge::Launched& launched);

} // namespace gputest::testgen
