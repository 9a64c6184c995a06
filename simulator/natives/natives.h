// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native functions, which kernels call by name. cuda.h has those that only CUDA's kernels call.
#pragma once

#include "simulator/checks/monitor.h"
#include "simulator/memory/native_symbol.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator {

class DeviceQueue;
class Pipes;

// What the native functions of one language keep about a launch.
class LanguageState {
public:
  LanguageState() = default;
  LanguageState(const LanguageState&) = delete;
  LanguageState& operator=(const LanguageState&) = delete;
  virtual ~LanguageState() = default;
};

// Receives kernels' calls from its construction on, until another object does.
class Natives {
public:
  // `launch_monitor`: null for kernels without checks that stop by themselves.
  explicit Natives(Monitor* launch_monitor, std::unique_ptr<LanguageState> launch_state = nullptr);
  void enter(); // makes it receive calls again
  Natives(const Natives&) = delete;
  Natives& operator=(const Natives&) = delete;
  ~Natives();

  std::string output; // that of printf()
  Monitor* monitor = nullptr;
  DeviceQueue* queue = nullptr;            // OpenCL's
  Pipes* pipes = nullptr;                  // OpenCL's
  std::unique_ptr<LanguageState> language; // null: nothing has been kept yet
};

// Returns the object that receives calls now.
Natives& running_natives();

// Returns the functions for LoadedCode for a kernel with these checks.
std::vector<NativeSymbol> native_symbols(const Checks& checks = {});

} // namespace gputest::simulator
