// A file with the author's macros of device code, and the author's headers that have device code,
// written out.
#pragma once

#include "frontend/cuda/unit.h"

#include <string>
#include <utility>
#include <vector>

namespace gputest::passes {

// Where a part of the text comes from.
struct Segment {
  unsigned begin = 0, end = 0; // in the text
  unsigned path = 0;           // index into FlatSource::paths
  unsigned from = 0, to = 0;   // in that file; what is not a copy is a macro's invocation
  bool copy = true;
};

struct WrittenOut {
  std::string text;
  std::vector<Segment> segments; // in order
  std::vector<std::string> paths;
  std::vector<std::string> contents;                  // of `paths`
  std::vector<Span> skipped;                          // what conditionals leave out
  std::vector<std::pair<unsigned, unsigned>> pragmas; // of device code: FlatSource::pragmas
  std::vector<std::string> dependencies;              // the author's files, the source first
};

llvm::Expected<WrittenOut> write_out(const CudaOptions& options);

} // namespace gputest::passes
