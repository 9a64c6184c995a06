// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/judged_launch.h"

#include <sys/mman.h>

namespace gputest::runtime {
namespace {

struct Described { // the fields of an argument that have a fixed size
  LaunchArgument::Kind kind;
  std::size_t element_size, local_size;
  std::uint8_t writable, is_null, has_image;
  cl_mem_object_type image_type;
  cl_image_format format;
  std::size_t width, height, depth;
  SamplerView sampler;
};

Described described(const LaunchArgument& argument) {
  const ImageLayout image = argument.image.value_or(ImageLayout{});
  return {.kind = argument.kind,
          .element_size = argument.element_size,
          .local_size = argument.local_size,
          .writable = argument.writable ? std::uint8_t{1} : std::uint8_t{0},
          .is_null = argument.is_null ? std::uint8_t{1} : std::uint8_t{0},
          .has_image = argument.image ? std::uint8_t{1} : std::uint8_t{0},
          .image_type = image.type,
          .format = image.format,
          .width = image.width,
          .height = image.height,
          .depth = image.depth,
          .sampler = argument.sampler};
}

} // namespace

void put(Writer& to, const JudgedLaunch& launch) {
  to.put(launch.launch);
  to.put(static_cast<std::uint64_t>(launch.arguments.size()));
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    to.put(described(launch.arguments[i]));
    to.put_text(launch.arguments[i].name);
    to.put_sized(launch.arguments[i].bytes.data(), launch.arguments[i].bytes.size());
    to.put_sized(launch.after[i].data(), launch.after[i].size());
  }
}

JudgedLaunch take_judged_launch(Reader& from) {
  JudgedLaunch all{.launch = from.take<Launch>(), .arguments = {}, .after = {}};
  const std::size_t count = from.take_count();
  for (std::size_t i = 0; i < count; ++i) {
    const auto read = from.take<Described>();
    if (read.kind > LaunchArgument::Kind::Sampler)
      throw MessageError();
    LaunchArgument& argument = all.arguments.emplace_back();
    argument.name = from.take_sized<std::string>();
    argument.bytes = from.take_sized<Bytes>();
    argument.kind = read.kind;
    argument.element_size = read.element_size;
    argument.local_size = read.local_size;
    argument.writable = read.writable != 0;
    argument.is_null = read.is_null != 0;
    argument.sampler = read.sampler;
    if (read.has_image != 0)
      argument.image = image_layout(read.image_type, read.format, read.width, read.height,
                                    read.depth, argument.name);
    all.after.push_back(from.take_sized<Bytes>());
  }
  return all;
}

std::size_t most_bytes_of(const JudgedLaunch& launch) {
  std::size_t bytes = sizeof(Launch) + 64;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    bytes += sizeof(Described) + 64 + launch.arguments[i].name.size() +
             launch.arguments[i].bytes.size() + launch.after[i].size();
  return bytes;
}

void put(Writer& to, const Verdict& verdict) {
  to.put(verdict.kind);
  to.put_text(verdict.what);
  to.put_text(verdict.message);
}

Verdict take_verdict(Reader& from) {
  Verdict verdict{.kind = from.take<Verdict::Kind>()};
  if (verdict.kind > Verdict::Kind::UnlikeDevice)
    throw MessageError();
  verdict.what = from.take_sized<std::string>();
  verdict.message = from.take_sized<std::string>();
  return verdict;
}

void put(Writer& to, const JudgeGreeting& greeting) {
  to.put(greeting.reference);
  to.put(greeting.property);
  to.put_text(greeting.device);
}

JudgeGreeting take_greeting(Reader& from) {
  JudgeGreeting greeting{.reference = from.take<bool>(), .property = from.take<bool>()};
  greeting.device = from.take_sized<std::string>();
  return greeting;
}

JudgeMemory::JudgeMemory(int file) {
  void* const begin = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (begin == MAP_FAILED)
    throw std::runtime_error("cannot share memory with another process");
  begin_ = static_cast<std::byte*>(begin);
}

JudgeMemory::~JudgeMemory() {
  ::munmap(begin_, kBytes);
}

} // namespace gputest::runtime
