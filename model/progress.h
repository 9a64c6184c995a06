// How far a long run is: a line on the terminal, or where standard output is none, told to the
// process that has it (gputest progress).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gputest::model {

struct ProgressMessage {
  pid_t process = 0; // each has one line
  std::string name;  // of what runs
  std::string text;  // empty: the line goes
};

// Where other processes' messages arrive: a socket that the environment of this process, and of
// those it starts from now on, names. Throws std::runtime_error.
class ProgressInbox {
public:
  ProgressInbox();
  ~ProgressInbox();
  ProgressInbox(const ProgressInbox&) = delete;
  ProgressInbox& operator=(const ProgressInbox&) = delete;

  int descriptor() const { return socket_; } // to wait for
  std::optional<ProgressMessage> next();     // does not wait

private:
  int socket_ = -1;
};

// The beginning that fits into so many columns.
std::string_view fitting(std::string_view text, std::size_t columns);
// The width of the terminal that is standard output.
std::size_t terminal_columns();

class ProgressLine {
public:
  explicit ProgressLine(std::string name);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether anybody wants to see a text now: there is somebody, and it is some time since the last.
  bool is_due() const;
  void show(const std::string& text);
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  void tell(const std::string& text) const;

  std::string name_;
  bool is_terminal_;
  int socket_ = -1;
  bool is_shown_ = false;
  Clock::time_point last_{};
};

} // namespace gputest::model
