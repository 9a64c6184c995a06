// The protocol between a harness and the program gputest-simulator.
//
// The harness starts `gputest-simulator --serve <socket> <memory>` with two inherited descriptors.
// `socket` is one end of a stream socket pair. A message is a 4-byte length in the machine's byte
// order and that many bytes of JSON. Each request has one reply. `memory` is a memory file
// (memfd_create) that both map. The content of buffers and images is there, never in a message. The
// program ends when the socket is closed.
//
// {"do": "build", "name": …, "text": …, "definitions": […], "include_directories": […],
//  "options": […], "cl_std": …, "kernel": "sum", "language": "cuda", or nothing for OpenCL C}
//     → {"program": 0, "parameters": [{"name": "data", "pointer": true, "size": 8}, …]}
//     or {"error": "source", "message": "k.cl:3:4: error: …"}
//
// {"do": "launch", "program": 0, "kernel": "sum", "dimensions": 1, "global_size": [6, 1, 1],
//  "local_size": [3, 1, 1], "global_offset": [0, 0, 0], "memory": <bytes of the memory file>,
//  "arguments": [{"name": "data", "kind": "buffer", "offset": …, "size": …}, …],
//  "order": {"groups": {"order": "as launched"}, "items": {"order": "random", "seed": 1}},
//  "checks": ["races", …],
//  "limit": <seconds; 0: no limit>,
//  "local_fill": <the byte that fills __local memory when a group begins; default 0>,
//  "shared_bytes": <CUDA: bytes of dynamic __shared__ memory>,
//  "trial": <whether program-scope variables are restored afterwards; default false>}
//     → {"seconds": …, "output": <what printf printed>, "findings": […]}
//     Arguments by kind:
//       value   offset, size
//       buffer  offset, size, or "null": true; "access": "read_only" or "write_only" if the host
//               made it so
//       local   size
//       image   offset, size, type, width, height, depth, channel_order, channel_type
//       sampler normalized, addressing, filter
//     Types, orders and modes are OpenCL's own numbers. Orders of groups and items are those of
//     schedule files (model/schedules/schedule.h). With "turns": [[group, item, accesses], …] the
//     work-items of all groups run interleaved as these say, and orders and checks are ignored.
//
// {"do": "explore", … as launch, "bounds": {"interleavings": 100000, "seconds": 60, "more": 0}}
//     → {"too_large": "", "end": "exhausted" | "interleavings" | "seconds" | "accesses",
//        "stopped_at": "", "interleavings": 4, "outcomes": 2, "schedules": [<turns>, …],
//        "findings": […], "dependences": [<finding> and "before": 0, "after": 1: numbers of
//        schedules], …}
//     Explores all interleavings, and compares arguments with "output": true.
//
// Every reply may also be {"error": "input" | "failure", "message": …}. With "fatal": true in a
// reply, the kernel may have damaged the process, which ends after the reply.
#pragma once

#include "ir/alignment.h"

#include <cstddef>

namespace gputest::simulator {

constexpr std::size_t kPageBytes = 4096;

// Returns the offset for content of `size` bytes in a memory file whose used part ends at `end`.
// The content's end, rounded up to kBufferAlignment, is the end of a page, so the next byte is
// unused.
constexpr std::size_t shared_offset(std::size_t end, std::size_t size) {
  const std::size_t first = (end + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::size_t whole = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  const std::size_t pages = (whole + kPageBytes - 1) / kPageBytes * kPageBytes;
  return first + pages - whole;
}

// Returns the end of that content in the memory file.
constexpr std::size_t shared_end(std::size_t offset, std::size_t size) {
  const std::size_t whole = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  return offset + whole;
}

} // namespace gputest::simulator
