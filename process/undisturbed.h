// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of programs of which others end some, or end processes that they need: these are repeated.
#pragma once

#include "process/children.h"

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

namespace gputest::process {

// Others have ended a program kTries times in a row: nothing is known about it.
class Disturbed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Makes the program say in this file if others end its simulator. Removes the file.
void watch_simulator(ChildSettings& child, const std::filesystem::path& file);

// Returns how others have ended the program, or its simulator as the file says: "killed by
// SIGKILL", "its simulator was ended by SIGKILL"; empty: they have not.
std::string disturbance(const Ended& ended, const std::filesystem::path& file);

// Runs the program that `prepare` returns until others leave it alone. `file`: for
// watch_simulator(); empty: the program has none. Throws Disturbed. A signal from the terminal that
// the program runs in is no disturbance.
Ended run_undisturbed(const std::string& name, const std::filesystem::path& file,
                      const std::function<ChildSettings()>& prepare);

} // namespace gputest::process
