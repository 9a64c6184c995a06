// cuda_runtime.h as Clang keeps it once it has read it: each CUDA source begins with it, and
// reading it takes half of the time that a small source takes. Kept headers are in the folder
// `cuda` of the cache, one for each set of options.
#pragma once

#include "cuda/compiler/process.h"

#include <filesystem>

namespace gputest::cuda::compiler {

struct KeptHeader {
  Arguments arguments;
  std::filesystem::path file; // empty: the arguments are as they were given
};

// The arguments with a kept header in place of `-include cuda_runtime.h`, which is made where there
// is none, or where a file that it was made of has changed. `arguments`: what tells Clang's driver
// how to read sources, for the host or for the device, with no source, output or dependencies.
//
// They stay as they are where the environment names no cache that can be written, where
// GPUTEST_CUDA_KEPT_HEADERS is 0, and where Clang cannot keep a header with them.
KeptHeader with_kept_header(const Arguments& arguments, bool verbose);

} // namespace gputest::cuda::compiler
