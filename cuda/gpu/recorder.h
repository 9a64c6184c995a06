// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the state of instrumented device code on a GPU. The program links this library, and the
// linker's --wrap redirects launches here (wrapped.cpp.in). Before the first launch on a device,
// the recorder writes the number of the active mutant on a stream of its own. So it neither waits
// for the program's streams nor disturbs their capture. It reads the state when the program ends,
// and before the program resets the device.
//
// With GPUTEST_CUDA_PROBE, the program exits before main(): with 0 if there is a device for it,
// else with 77. cuda/records/measured.h describes the other variables. Without any of them, the
// program runs the original code.
#pragma once

#include "cuda/records/measured.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gputest::cuda::gpu {

// Writes the address of a source's state on the current device. Returns an error of CUDA's, or 0.
using AddressOf = int (*)(void** address);

class Recorder {
public:
  static Recorder& get();

  void add(const std::string& variant, const std::string& folder, AddressOf address,
           std::size_t size);
  void before_launch();
  void before_reset(); // for the current device
  void at_exit();

  unsigned launch(const std::string& unit, unsigned site);

  // Is called after each call of the program. Ends the program if a loop has used up its budget,
  // because the rest of the run is meaningless. Does nothing in the server.
  void after_call() {
    if (is_endless() && !serves_)
      end();
  }
  void serve() { serves_ = true; }

  // In the server: begins another run of the program with this mutant. The states of units are
  // zeros again.
  void activate(const std::string& mutant, std::uint32_t budget);
  // Whether a loop has used up its budget. Valid after a synchronisation with the device.
  bool is_endless() const { return told_ && *told_ != 0; }
  // Allocates the memory for is_endless(). Returns an error of CUDA's, or 0.
  int make_ready();

private:
  struct Unit {
    AddressOf address;
    std::vector<std::byte> words; // what devices have recorded so far
  };
  Recorder() : measured_("gpu") {}

  int prepare(int device); // an error of CUDA's, or 0
  void end();
  int make_told();
  void tell_where(std::vector<std::byte>& words);
  void read(int device);

  std::recursive_mutex mutex_;
  Measured measured_;
  std::vector<Unit> units_;
  // By device: addresses of the states of the first units, those that are prepared.
  std::map<int, std::vector<void*>> prepared_;
  // Host memory for events of kernels after which nothing can be read from the device.
  volatile std::uint32_t* told_ = nullptr;
  std::uint64_t launches_ = 0;
  bool exits_here_ = false; // at_exit() will be called
  bool serves_ = false, ends_ = false;
};

} // namespace gputest::cuda::gpu
