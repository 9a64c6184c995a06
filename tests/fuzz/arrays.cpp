#include "gputest/error.h"
#include "runtime/cases/npy.h"
#include "tests/fuzz/element_types.h"
#include "tests/fuzz/scratch.h"

namespace gputest::fuzz {

bool arrays(Bytes bytes) {
  static const Scratch scratch;
  const std::filesystem::path file = scratch.file("array.npy", bytes);
  bool any = false;
  for (const model::Type& type : element_types())
    try {
      if (runtime::read_npy(file, type).size() / type.size != runtime::npy_elements(file, type))
        throw std::logic_error("the header has another number of elements");
      any = true;
    } catch (const UsageError&) {
    }
  return any;
}

} // namespace gputest::fuzz
