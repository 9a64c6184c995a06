// State of instrumented device code on a GPU. The program is linked with this library, and the
// linker's --wrap brings its launches here (wrapped.cpp.in). Before the first launch on a device
// the number of the active mutant is written, on a stream of the recorder's own: nothing waits for
// the program's streams, and streams may be captured. What was recorded is read when the program
// ends, and before it resets the device.
//
// GPUTEST_CUDA_PROBE makes the program end before main(), with 0 where there is a device for it and
// 77 where there is none. The other variables are in cuda/records/measured.h. A program that has
// none of them runs the original code.
#pragma once

#include "cuda/records/measured.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace gputest::cuda::gpu {

// Where a source's state is on the current device.
using AddressOf = int (*)(void** address);

class Recorder {
public:
  static Recorder& get();

  void add(const std::string& variant, const std::string& folder, AddressOf address,
           std::size_t size);
  void before_launch();
  void before_reset(); // of the current device
  void at_exit();

  unsigned launch(const std::string& unit, unsigned site);

  // After a call of the program's: ends it where a loop has used its budget up, for what it does
  // then says nothing. Not in a process that makes the calls of others.
  void after_call() {
    if (is_endless() && !serves_)
      end();
  }
  void serve() { serves_ = true; }

  // For one of several runs of the program in this process: the mutant that is active from now on.
  // The states of units are zeros again.
  void activate(const std::string& mutant, std::uint32_t budget);
  // Whether a loop has used its budget up; only after the device has been waited for.
  bool is_endless() const { return told_ && *told_ != 0; }
  // Makes the memory by which kernels tell it. Returns an error of CUDA's, or 0.
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
  // By device: addresses of the states of units, as many as are prepared.
  std::map<int, std::vector<void*>> prepared_;
  // Gets the events of kernels whose end leaves nothing that could be read on the device.
  volatile std::uint32_t* told_ = nullptr;
  std::uint64_t launches_ = 0;
  bool exits_here_ = false; // at_exit() will be called
  bool serves_ = false, ends_ = false;
};

} // namespace gputest::cuda::gpu
