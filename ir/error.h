// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's exceptions. what() is a complete message for the user.
#pragma once

#include <stdexcept>

namespace gputest::ir {

// The kernel or the launch cannot be run: exit code 2.
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// The source does not compile, or needs something that the simulator does not have. Each line names
// a place.
class SourceError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// The simulator itself failed: memory, files, LLVM. Exit code 3.
class SimulatorFailure : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace gputest::ir
