#include "ir/cuda/container.h"
#include "simulator/cuda/codec.h"
#include "tests/fuzz/targets.h"

namespace gputest::fuzz {

bool containers(Bytes bytes) {
  std::string_view rest = text_of(bytes);
  bool any = false;
  while (const auto container = ir::cuda::take_container(rest))
    any = true;
  simulator::cuda::Reader reader(text_of(bytes));
  try {
    while (true) {
      reader.number();
      reader.text();
    }
  } catch (const std::runtime_error&) { // it ends too early
  }
  return any;
}

} // namespace gputest::fuzz
