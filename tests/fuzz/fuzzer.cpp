// One reader under libFuzzer: GPUTEST_FUZZ_TARGET names it.
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gputest::fuzz::GPUTEST_FUZZ_TARGET({data, size});
  return 0;
}
