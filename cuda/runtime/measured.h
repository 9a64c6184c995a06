// What instrumented device code records, kept where it survives the program.
//
// GPUTEST_CUDA_VARIANT names the variant of the device code that runs ("coverage"), and
// GPUTEST_CUDA_RECORDS a folder. Each process writes <process id>.json there, a line for each
// compiled source of which something was loaded: its folder with tables, the number of launches,
// and what its state holds, 8 hexadecimal digits a word.
#pragma once

#include "ir/cuda/container.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gputest::cuda {

class Measured {
public:
  Measured();

  // The container that the simulator is to have in the place of this one, and the variant in it.
  std::string chosen(const Container& container);

  // Whether a variable of the device is the state of a variant; it is then watched. `view`: where
  // the host sees it.
  bool watch(const std::string& variable, const std::byte* view, std::size_t size);

  // After a launch, and at the end.
  void write(std::uint64_t launches);

private:
  struct Unit {
    std::string name, folder;
    const std::byte* state = nullptr;
    std::size_t size = 0;
  };
  std::string variant_, records_;
  std::vector<Unit> units_;
  std::string written_;
};

} // namespace gputest::cuda
