// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/undisturbed.h"

#include <csignal>
#include <fstream>

namespace gputest::process {

namespace fs = std::filesystem;

void watch_simulator(ChildSettings& child, const fs::path& file) {
  fs::remove(file);
  child.environment[kSimulatorLost] = file.string();
}

std::string disturbance(const Ended& ended, const fs::path& file) {
  std::ifstream stream(file);
  if (std::string how; !ended.timed_out && std::getline(stream, how))
    return "its simulator was ended " + how;
  return ended.by_others() ? ended.text() : "";
}

Ended run_undisturbed(const std::string& name, const fs::path& file,
                      const std::function<ChildSettings()>& prepare) {
  Tries tries;
  Ended ended;
  std::string how;
  do {
    ChildSettings child = prepare();
    if (!file.empty())
      watch_simulator(child, file);
    ended = run_child(child);
    const bool interrupted =
        child.output.empty() && (ended.signal == SIGINT || ended.signal == SIGQUIT);
    how = interrupted ? "" : disturbance(ended, file);
    fs::remove(file);
  } while (tries.again(how.empty() ? how : name + ": " + how));
  if (!tries.given_up().empty())
    throw Disturbed(tries.given_up() + "; nothing is known about the program");
  return ended;
}

} // namespace gputest::process
