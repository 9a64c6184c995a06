// Readers of what others wrote, each as a function of bytes: libFuzzer gives it bytes of its own
// making, and a test the files of corpus/<name>/.
//
// A function returns whether the bytes were read whole, and false where they were refused with an
// error that is meant for users. Any other end is a fault of the reader: a crash, what a sanitizer
// says, an exception of another type, or time and memory out of proportion to the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gputest::fuzz {

using Bytes = std::span<const std::uint8_t>;

bool arrays(Bytes bytes);     // .npy
bool cases(Bytes bytes);      // test cases, and what binds them to a kernel
bool containers(Bytes bytes); // device code in CUDA programs
bool cuda_kernels(Bytes bytes);
bool documents(Bytes bytes);     // results, tables and schedules in JSON
bool gpus(Bytes bytes);          // GPUs, and schedules of warps, in JSON
bool kept_launches(Bytes bytes); // of CUDA programs, with files beside them
bool kernels(Bytes bytes);       // OpenCL C
bool launches(Bytes bytes);      // what hosts ask the simulator for
bool modules(Bytes bytes);       // SPIR-V
bool ptx(Bytes bytes);           // what CUDA programs load
bool records(Bytes bytes);       // what the layer writes of a program that runs
bool specs(Bytes bytes);         // ARGUMENTS and settings, a line each
bool stores(Bytes bytes);        // SQLite
bool words(Bytes bytes);         // what processes of this program leave for each other in memory
bool workers(Bytes bytes);       // what a worker process says

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace gputest::fuzz
