// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/watch/steps.h"

#include "driver/command_error.h"
#include "process/child.h"
#include "process/descriptor.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace gputest::driver {
namespace {

constexpr int kLook = 20;                  // milliseconds between two looks at a program
constexpr int kLooksToEnd = 2'000 / kLook; // number of looks after which it is killed

void end_group(process::Child& child) {
  const pid_t group = child.id();
  ::kill(-group, SIGTERM);
  for (int i = 0; i < kLooksToEnd; ++i) {
    if (child.runs())
      child.look();
    // And no process of its group is left, which may be cleaning up.
    if (!child.runs() && ::kill(-group, 0) != 0)
      return;
    ::poll(nullptr, 0, kLook);
  }
  ::kill(-group, SIGKILL); // with what is left of the group
}

} // namespace

bool run_step(const std::vector<std::string>& words, const process::EndSignals& signals,
              const std::filesystem::path& output) {
  const process::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  process::Descriptor file;
  process::Program program{.words = words,
                           .descriptors = {{nothing.number(), STDIN_FILENO}},
                           .group = process::Group::Lasting,
                           .blocked = signals.before()};
  if (!output.empty()) {
    file = process::open_output(output);
    program.descriptors.emplace_back(file.number(), STDOUT_FILENO);
  }
  std::fflush(nullptr);
  process::Child child;
  try {
    child = process::Child::start(program);
  } catch (const std::runtime_error& error) {
    throw CommandError(error.what());
  }
  std::optional<process::Ended> ended;
  while (!(ended = child.look())) {
    pollfd waiting{signals.descriptor(), POLLIN, 0};
    if (::poll(&waiting, 1, kLook) == 1) {
      signals.take();
      end_group(child);
      throw Ended();
    }
  }
  return ended->succeeded();
}

} // namespace gputest::driver
