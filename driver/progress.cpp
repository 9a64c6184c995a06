// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/host_program.h"
#include "driver/program_arguments.h"
#include "process/child.h"
#include "process/descriptor.h"
#include "process/progress.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace gputest::driver {
namespace {

constexpr std::size_t kMostShown = 8;
constexpr int kWait = 100; // milliseconds until a process that ended without a message is noticed

// Standard output, which is a terminal. It shows what the command prints, and below that a line for
// each process that reports its progress.
class Terminal {
public:
  ~Terminal() {
    processes_.clear();
    changed_ = true;
    update(pending_.size());
  }

  void take(process::ProgressMessage message) {
    if (message.text.empty())
      processes_.erase(message.process);
    else
      processes_[message.process] = fmt::format("{}: {}", message.name, message.text);
    changed_ = true;
  }

  // Prints whole lines only, so that lines do not mix.
  void print(std::string_view text) {
    pending_ += text;
    const std::size_t end = pending_.rfind('\n') + 1;
    changed_ = changed_ || end > 0;
    update(end);
  }

  void update(std::size_t printed = 0) {
    changed_ = std::erase_if(processes_,
                             [](const auto& process) {
                               return ::kill(process.first, 0) != 0 && errno == ESRCH;
                             }) > 0 ||
               changed_;
    if (!changed_)
      return;
    changed_ = false;
    std::string text = shown_ > 1 ? fmt::format("\033[{}A", shown_ - 1) : "";
    text += shown_ > 0 ? "\r\033[J" : "";
    text += std::string_view(pending_).substr(0, printed);
    pending_.erase(0, printed);
    const std::vector<std::string> lines = this->lines();
    text += fmt::format("{}", fmt::join(lines, "\n"));
    shown_ = lines.size();
    fmt::print("{}", text);
    std::fflush(stdout);
  }

private:
  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    for (const auto& [process, text] : processes_)
      result.emplace_back(process::fitting(text, process::terminal_columns() - 1));
    if (result.size() > kMostShown) {
      const std::size_t more = result.size() - kMostShown + 1;
      result.resize(kMostShown - 1);
      result.push_back(fmt::format("and {} more", more));
    }
    return result;
  }

  std::map<pid_t, std::string> processes_;
  std::string pending_;
  std::size_t shown_ = 0; // lines
  bool changed_ = false;
};

// Returns the command's exit code.
int watch(const std::vector<std::string>& words) {
  process::ProgressInbox inbox;
  process::Ends ends = process::pipe_to_us();
  process::Program program{.words = words, .descriptors = {{ends.theirs.number(), STDOUT_FILENO}}};
  if (::isatty(STDERR_FILENO) == 1)
    program.descriptors.emplace_back(ends.theirs.number(), STDERR_FILENO);
  process::Child child;
  try {
    child = process::Child::start(program);
  } catch (const std::runtime_error& problem) {
    throw CommandError(fmt::format("error: {}", problem.what()));
  }
  // The terminal sends these signals to all its processes, and the command decides what they mean.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  ends.theirs.close();
  ::fcntl(ends.ours.number(), F_SETFL, O_NONBLOCK);

  Terminal terminal;
  std::optional<process::Ended> ended;
  std::array<char, 1 << 16> bytes;
  std::array<pollfd, 2> sources{{{ends.ours.number(), POLLIN, 0}, {inbox.descriptor(), POLLIN, 0}}};
  while (!ended) {
    ended = child.look();
    if (!ended)
      ::poll(sources.data(), sources.size(), kWait);
    ssize_t count = 0;
    while ((count = ::read(ends.ours.number(), bytes.data(), bytes.size())) > 0)
      terminal.print({bytes.data(), static_cast<std::size_t>(count)});
    if (count == 0)
      sources[0].fd = -1; // closed, but the process that closed it may go on
    while (auto message = inbox.next())
      terminal.take(std::move(*message));
    terminal.update();
  }
  return ended->signal != 0 ? 128 + ended->signal : ended->exit_code;
}

} // namespace

int progress_command(int argc, char** argv) {
  cxxopts::Options options(
      "gputest progress",
      "Runs a command, such as ctest, and shows the progress of mutation tests below its output. "
      "If standard output is no terminal, it only runs the command");
  options.add_options()("h,help", "print this");
  options.custom_help("-- COMMAND [ARGUMENT…]");
  const ProgramCommand parts = split_command(argc, argv);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(parts.options.size()), parts.options.data());
  if (arguments.count("help"))
    return print_help(options);
  if (!arguments.unmatched().empty() || parts.command.empty())
    throw CommandError(
        "error: which command? Give it behind '--': gputest progress -- ctest -L mutation");
  if (::isatty(STDOUT_FILENO) == 1)
    return watch(parts.command);
  become(parts.command);
}

} // namespace gputest::driver
