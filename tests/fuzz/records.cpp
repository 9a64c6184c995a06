#include "model/interface.h"
#include "program/opencl/run_folder.h"
#include "tests/fuzz/scratch.h"

namespace gputest::fuzz {

// As the log of a process, and as a file that the log names.
bool records(Bytes bytes) {
  static const Scratch scratch;
  scratch.file("1-2.jsonl", bytes);
  const std::filesystem::path other = scratch.file("1-2.reads", bytes);
  try {
    const program::RunRecords read = program::read_run_folder(scratch.path());
    for (const program::RecordedState& state : read.states)
      program::read_state_file(state.file);
    program::read_state_file(other);
    return true;
  } catch (const model::FormatError&) {
    return false;
  }
}

} // namespace gputest::fuzz
