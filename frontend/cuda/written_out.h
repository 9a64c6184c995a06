// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes out a CUDA file: the author's macros in device code, and the author's headers that have
// device code (unit.h says why).
#pragma once

#include "frontend/cuda/unit.h"

#include <string>
#include <utility>
#include <vector>

namespace gputest::frontend {

// The origin of a part of the text.
struct Segment {
  unsigned begin = 0, end = 0; // in the text
  unsigned path = 0;           // index into FlatSource::paths
  unsigned from = 0, to = 0;   // in that file; of a macro's invocation if `copy` is false
  bool copy = true;
};

struct WrittenOut {
  std::string text;
  std::vector<Segment> segments; // in order
  std::vector<std::string> paths;
  std::vector<std::string> contents;                  // of `paths`
  std::vector<Span> skipped;                          // the parts that conditionals leave out
  std::vector<std::pair<unsigned, unsigned>> pragmas; // in device code; see FlatSource::pragmas
  std::vector<std::string> dependencies;              // the author's files, the source first
};

// Fails with Clang's messages.
llvm::Expected<WrittenOut> write_out(const CudaOptions& options);

} // namespace gputest::frontend
