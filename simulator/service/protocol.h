// What a harness and the program gputest-simulator say to each other.
//
// The harness starts `gputest-simulator --serve <socket> <memory>`: two descriptors it inherits.
// `socket` is one end of a stream socket pair; each side sends messages, a 4-byte length in the
// machine's byte order and so many bytes of JSON, and every request has one reply. `memory` is a
// memory file (memfd_create) that both map: the content of buffers and images lies there and never
// in a message. The program ends when the socket is closed.
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
//  "checks": ["races", …], "limit": <seconds, 0: none>, "local_fill": <each byte of __local memory
//  when a group begins; 0>, "shared_bytes": <of CUDA: dynamic __shared__ memory>, "trial":
//  <variables of the program are afterwards what they were before; false>}
//     arguments by kind: value (offset, size), buffer (offset, size, or "null": true;
//     "access": "read_only" or "write_only" where the host made it so), local
//     (size), image (offset, size, type, width, height, depth, channel_order, channel_type),
//     sampler (normalized, addressing, filter): OpenCL's own numbers → {"seconds": …, "output":
//     <what printf printed>, "findings": […]}
//     Orders are those of schedule files (model/schedules/schedule.h). With "turns": [[group, item,
//     accesses], …] the work-items of all groups run at the same time, switched there, and neither
//     orders nor checks are looked at.
//
// {"do": "explore", … as of launch, "bounds": {"interleavings": 100000, "seconds": 60, "more": 0}}:
// every interleaving of it; arguments with "output": true are compared.
//     → {"too_large": "", "end": "exhausted" | "interleavings" | "seconds" | "accesses",
//        "stopped_at": "", "interleavings": 4, "outcomes": 2, "schedules": [<turns>, …],
//        "findings": […], "dependences": [<finding> and "before": 0, "after": 1: numbers of
//        schedules], …}
//
// All can be answered with {"error": "input" | "failure", "message": …} as well. "fatal": true in
// a reply: the kernel did what the process may not have survived whole; it ends after the reply.
#pragma once

#include "ir/alignment.h"

#include <cstddef>

namespace gputest::simulator {

constexpr std::size_t kPageBytes = 4096;

// Where content of `size` bytes lies in the memory file, from `end` of what is there already: its
// end, rounded up to kBufferAlignment, is the end of a page, so that the next byte is nobody's.
constexpr std::size_t shared_offset(std::size_t end, std::size_t size) {
  const std::size_t first = (end + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::size_t whole = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  const std::size_t pages = (whole + kPageBytes - 1) / kPageBytes * kPageBytes;
  return first + pages - whole;
}

// Up to there the memory file is needed for it.
constexpr std::size_t shared_end(std::size_t offset, std::size_t size) {
  const std::size_t whole = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  return offset + whole;
}

} // namespace gputest::simulator
