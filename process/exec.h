// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program takes the place of a new process. Is for child.cpp and command.cpp alone.
#pragma once

#include "process/child.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gputest::process {

// A new process that shares this one's memory until it becomes the program, as with vfork(), so
// that its size does not matter. This thread waits until then.
class Execution {
public:
  // `program` must outlive it.
  explicit Execution(const Program& program);

  // Returns the new process, or -1.
  pid_t start();
  // Returns the program's name and why it could not be started; empty: it was.
  std::string problem() const;

  // As start(), of a process that is nobody's child: wait() and its kind find no additional child.
  struct Nobodys {
    bool waits = false;  // until the program has ended; then status() says how
    bool closes = false; // the program has none of our descriptors but those of Program
  };
  pid_t start_as_nobodys(const Nobodys& how);
  // nullopt: nobody knows, because the process between, which waits, was ended.
  std::optional<int> status() const { return status_; }

private:
  static int become(void* self);
  static int start_from_between(void* self);
  bool set_up() const;
  pid_t clone(int (*function)(void*), std::byte* stack, int flags);

  const Program& program_;
  std::vector<std::string> variables_;
  std::vector<char*> words_, environment_;
  std::size_t stack_size_;
  std::unique_ptr<std::byte[]> stack_, second_stack_;
  sigset_t blocked_{}; // in the program
  pid_t parent_, process_ = -1;
  Nobodys how_{};
  std::optional<int> status_; // of the program
  int error_ = 0;
};

// Puts this process's group into the terminal's foreground, because only there it can read from the
// terminal.
void take_terminal();

// Decodes a status of waitpid().
Ended ended_with(int status);

} // namespace gputest::process
