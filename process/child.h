// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes: forks of this one, and programs. All children of this project start here, or as
// nobody's child (command.h).
#pragma once

#include "process/ended.h"

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace gputest::process {

enum class Group {
  Ours,   // that of this process
  Own,    // the child leads one, and what it has started ends with it
  Lasting // the child leads one, of which the rest goes on when the child has ended by itself
};

struct Program {
  std::vector<std::string> words; // the first is looked up in PATH
  // Variables that add to, or replace, those of this process.
  std::map<std::string, std::string> environment{};
  std::string folder{}; // where it runs; empty: where this process is
  // Of each pair, the program has the first descriptor, whatever its flags, as the second.
  std::vector<std::pair<int, int>> descriptors{};
  Group group = Group::Ours;
  bool ends_with_us = true;          // when the thread ends that has started it
  bool has_terminal = false;         // its group is the one that can read from the terminal
  std::optional<sigset_t> blocked{}; // signals; nullopt: as in this thread
};

// Owns a child, and kills it when it is destroyed. In forks of the process that owns the child, an
// object does nothing.
class Child {
public:
  Child() = default; // none
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child() { end(); }

  // Forks this process. The fork ends with this thread. Throws std::runtime_error.
  static Child fork(Group group = Group::Own);
  // Returns whether this is the fork.
  bool is_here() const { return is_here_; }
  // A fork that does some work. Its exit code is 0, or 1 if an exception leaves the work.
  static Child fork(const std::function<void()>& work, Group group = Group::Own);
  // Throws std::runtime_error with the program's name and the reason if it cannot be started.
  static Child start(const Program& program);

  // Returns whether there is a child that has not been waited for.
  bool runs() const { return id_ > 0; }
  pid_t id() const { return id_; } // 0: none runs
  // The following need a child that runs.
  std::optional<Ended> look(); // nullopt: it has not ended
  Ended wait();
  // Looks until it has ended or `over` returns true; then returns nullopt.
  std::optional<Ended> wait(const std::function<bool()>& over);
  // Kills it, unless it has ended by itself, and tells how it ended. Also if there is no child.
  Ended end();
  void let_go() { id_ = 0; } // it is neither waited for nor killed

private:
  Child(pid_t id, Group group);
  bool is_ours() const;
  std::optional<Ended> reap(int options);

  pid_t id_ = 0, owner_ = 0;
  Group group_ = Group::Ours;
  bool is_here_ = false;
  std::chrono::steady_clock::time_point start_{};
};

} // namespace gputest::process
