// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/children.h"

#include "process/descriptor.h"
#include "process/exec.h"

#include <algorithm>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace gputest::process {
namespace {

std::chrono::steady_clock::duration of_clock(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

} // namespace

std::optional<std::int64_t> repeatable_input() {
  struct stat input{}, nothing{};
  if (::fstat(STDIN_FILENO, &input) != 0)
    return std::nullopt;
  if (S_ISREG(input.st_mode))
    return ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (S_ISCHR(input.st_mode) && ::stat("/dev/null", &nothing) == 0 &&
      input.st_rdev == nothing.st_rdev)
    return 0;
  return std::nullopt;
}

void Children::start(std::size_t number, const ChildSettings& settings) {
  Program program{.words = settings.command,
                  .environment = settings.environment,
                  .group = settings.output.empty() ? Group::Lasting : Group::Own,
                  .has_terminal = settings.output.empty(),
                  .blocked = signals_.before()};
  Descriptor input, output;
  if (!settings.output.empty()) {
    output =
        Descriptor(::open(settings.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    // Opens the input anew, so that positions of other processes do not matter.
    if (settings.input_from)
      input = Descriptor(::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (input)
      ::lseek(input.number(), *settings.input_from, SEEK_SET);
    for (Descriptor* const stream : {&input, &output})
      if (!*stream)
        *stream = Descriptor(::fcntl(nothing.number(), F_DUPFD_CLOEXEC, 0));
    program.descriptors = {{input.number(), STDIN_FILENO},
                           {output.number(), STDOUT_FILENO},
                           {output.number(), STDERR_FILENO}};
  }
  if (settings.descriptor >= 0)
    program.descriptors.emplace_back(settings.descriptor, settings.descriptor);
  const auto begin = Clock::now();
  try {
    running_.push_back({number, Child::start(program), settings.timeout, begin});
  } catch (const std::runtime_error&) {
    take_terminal();
    throw;
  }
  if (settings.timeout > 0)
    running_.back().until = begin + of_clock(settings.timeout);
}

bool Children::extend(Running& running) {
  const auto now = Clock::now();
  const std::chrono::duration<double> since = now - running.begin;
  const std::optional<double> more =
      running.limit.more(running.child.id(), running.timeout, since.count());
  if (more)
    running.until = now + of_clock(*more);
  return more.has_value();
}

std::optional<int> Children::wait_for_signal(std::optional<Clock::time_point> until,
                                             const std::vector<int>& descriptors) const {
  std::vector<pollfd> watched{{signals_.descriptor(), POLLIN, 0}};
  for (const int descriptor : descriptors)
    watched.push_back({descriptor, POLLIN, 0});
  std::optional<timespec> limit;
  if (until) {
    const auto left = std::max<std::int64_t>(
        0, std::chrono::duration_cast<std::chrono::nanoseconds>(*until - Clock::now()).count());
    limit = timespec{left / 1'000'000'000, left % 1'000'000'000};
  }
  const int ready = ::ppoll(watched.data(), watched.size(), limit ? &*limit : nullptr, nullptr);
  if (ready == 0)
    return 0;
  if (ready > 0 && (watched.front().revents & POLLIN) != 0)
    return signals_.take().value_or(SIGCHLD);
  if (ready > 0 && watched.front().revents == 0)
    return std::nullopt;
  return SIGCHLD; // look again
}

std::optional<std::pair<std::size_t, Ended>> Children::ended() {
  for (auto running = running_.begin(); running != running_.end(); ++running)
    if (const std::optional<Ended> result = running->child.look()) {
      const std::size_t number = running->number;
      running_.erase(running);
      return std::pair(number, *result);
    }
  return std::nullopt;
}

std::pair<std::size_t, Ended> Children::wait() {
  return *wait({}); // without descriptors always one
}

std::optional<std::pair<std::size_t, Ended>> Children::wait(const std::vector<int>& descriptors) {
  for (;;) {
    if (const auto child = ended()) {
      take_terminal();
      return child;
    }
    const auto next = std::ranges::min_element(running_, {}, [](const Running& running) {
      return running.until.value_or(Clock::time_point::max());
    });
    const std::optional<int> signal = wait_for_signal(next->until, descriptors);
    if (!signal)
      return std::nullopt;
    if (*signal == SIGCHLD)
      continue;
    if (*signal == 0) {
      if (extend(*next))
        continue;
      Ended result = next->child.end();
      const std::size_t number = next->number;
      running_.erase(next);
      result = {.timed_out = true,
                .seconds = result.seconds,
                .processor_seconds = result.processor_seconds};
      take_terminal();
      return std::pair(number, result);
    }
    running_.clear();
    take_terminal();
    signals_.restore();
    ::raise(*signal);
    throw std::runtime_error("interrupted");
  }
}

pid_t Children::process(std::size_t number) const {
  const auto running = std::ranges::find(running_, number, &Running::number);
  return running != running_.end() ? running->child.id() : 0;
}

void Children::end(std::size_t number) {
  std::erase_if(running_, [&](const Running& running) { return running.number == number; });
}

Ended run_child(const ChildSettings& settings) {
  Children children;
  children.start(0, settings);
  return children.wait().second;
}

} // namespace gputest::process
