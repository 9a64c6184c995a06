#include "memory/model/gpu.h"
#include "memory/replay.h"
#include "model/interface.h"
#include "tests/fuzz/scratch.h"

namespace gputest::fuzz {

bool gpus(Bytes bytes) {
  static const Scratch scratch;
  const std::filesystem::path file = scratch.file("gpu.json", bytes);
  bool any = false;
  try {
    memory::gpu_named(file);
    any = true;
  } catch (const model::FormatError&) {
  }
  try {
    memory::read_replay(file);
    any = true;
  } catch (const model::FormatError&) {
  }
  return any;
}

} // namespace gputest::fuzz
