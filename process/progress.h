// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows how far a long run is, in a line on the terminal. If standard output is no terminal, the
// text goes to the process that has one (gputest progress). If nobody has one, standard error gets
// a line from time to time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gputest::process {

struct ProgressMessage {
  pid_t process = 0; // each process has one line
  std::string name;  // the name of what runs
  std::string text;  // empty: the line disappears
};

// A socket at which other processes' messages arrive. The environment of this process, and of
// processes that it starts from now on, names the socket. The constructor throws
// std::runtime_error.
class ProgressInbox {
public:
  ProgressInbox();
  ~ProgressInbox();
  ProgressInbox(const ProgressInbox&) = delete;
  ProgressInbox& operator=(const ProgressInbox&) = delete;

  int descriptor() const { return socket_; } // to wait for
  std::optional<ProgressMessage> next();     // returns nullopt if none has arrived; does not wait

private:
  int socket_ = -1;
};

// Returns the beginning of the text that fits into this many columns.
std::string_view fitting(std::string_view text, std::size_t columns);
// Returns the width of the terminal that is standard output.
std::size_t terminal_columns();

class ProgressLine {
public:
  // `pause`: between two lines where nobody has a terminal.
  explicit ProgressLine(std::string name,
                        std::chrono::milliseconds pause = std::chrono::seconds(30));
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Returns whether to show a text now: somebody sees it, and some time has passed since the last
  // one.
  bool is_due() const;
  void show(const std::string& text);
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  void tell(const std::string& text) const;

  std::string name_;
  std::chrono::milliseconds pause_;
  bool is_terminal_;
  int socket_ = -1;
  bool is_shown_ = false;
  Clock::time_point last_;
};

} // namespace gputest::process
