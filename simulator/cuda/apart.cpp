// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/apart.h"

#include "ir/error.h"
#include "model/processes/signals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::simulator::cuda {
namespace {

std::string answer(const std::function<Launched()>& run, const Device& device) {
  const std::uint64_t allocated = device.kernel_allocations();
  Launched launched;
  try {
    launched = run();
  } catch (const std::exception& error) {
    launched.error = kLaunchFailure;
    launched.message = error.what();
  }
  Writer reply;
  reply.number(launched.error)
      .text(launched.message)
      .number(device.kernel_allocations() != allocated)
      .number(!launched.findings.empty());
  if (!launched.findings.empty()) {
    const model::CodePlace& site = launched.findings.back().site;
    reply.text(site.file).number(site.line).number(site.column);
  }
  return reply.message();
}

[[noreturn]] void write_and_end(int end, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(end, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      ::_exit(1);
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  ::_exit(0);
}

std::string read_all(int end) {
  std::string text;
  std::array<char, 4096> part{};
  while (true) {
    const ssize_t size = ::read(end, part.data(), part.size());
    if (size > 0)
      text.append(part.data(), static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR)
      return text;
  }
}

} // namespace

LaunchedApart run_apart(const std::function<Launched()>& run, const Device& device) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0)
    throw SimulatorFailure("there is no pipe to a copy of the simulator");
  const pid_t original = ::getpid();
  const pid_t copy = ::fork();
  if (copy == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // or the program would still wait for an answer
    if (::getppid() != original)
      ::_exit(1);
    ::close(ends[0]);
    write_and_end(ends[1], answer(run, device));
  }
  ::close(ends[1]);
  const std::string text = copy > 0 ? read_all(ends[0]) : "";
  ::close(ends[0]);
  if (copy < 0)
    throw SimulatorFailure("there can be no copy of the simulator");
  int status = 0;
  while (::waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  LaunchedApart launched;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    launched.error = kLaunchFailure;
    launched.ended_by_others = WIFSIGNALED(status) && !model::is_raised_by_itself(WTERMSIG(status));
    launched.message = WIFSIGNALED(status)
                           ? fmt::format("the simulator was ended by signal {}", WTERMSIG(status))
                           : "the simulator has ended";
    return launched;
  }
  Reader reply(text);
  launched.error = reply.number();
  launched.message = reply.text();
  launched.allocates = reply.number() != 0;
  if (reply.number() != 0) {
    model::CodePlace& place = launched.place.emplace();
    place.file = reply.text();
    place.line = static_cast<unsigned>(reply.number());
    place.column = static_cast<unsigned>(reply.number());
  }
  return launched;
}

} // namespace gputest::simulator::cuda
