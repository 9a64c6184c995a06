// Values of each size for arguments of types that the kernel's file defines: the right size is
// accepted, and no other.
#pragma once

#include "gputest/run_kernel.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <cstddef>
#include <cstdlib>
#include <string>

namespace gputest::tests {

template <std::size_t size> struct Sized {
  std::byte bytes[size];
};

struct SizedType {
  const char* name;
  std::size_t size;
  bool is_builtin = false; // a name for a type of OpenCL C, which the source tells
};

constexpr SizedType kSizedTypes[] = {{"P", 24},           {"struct S", 4},    {"union U", 8},
                                     {"number", 8, true}, {"quad", 16, true}, {"struct Odd", 3}};

template <std::size_t size>
void give_value(const SizedType& type, const RunOptions& options, const Source& source) {
  if (size + 4 < type.size || size > type.size + 4)
    return;
  INFO(type.name << " of " << type.size << " bytes, given " << size);
  const std::string said = message_of<UsageError>(
      [&] { run_kernel(source, "k", options, gputest::out<int>(1), Sized<size>{}); });
  if (size == type.size) {
    CHECK(said == "");
    return;
  }
  CHECK(contains(said, "kernel 'k': argument 1 'value' is '"));
  CHECK(
      contains(said, std::string(type.name) + "' of " + std::to_string(type.size) +
                         " bytes, but 'struct of " + std::to_string(size) +
                         (size == 1 ? " byte' by value was given" : " bytes' by value was given")));
}

// `tells_names`: the types come from the source, so that a structure is not taken for a number.
template <std::size_t... sizes> void give_values(RunOptions options, bool tells_names) {
  const Source source = source_text("typedef struct { int w, h; float o; float2 f; } P;\n"
                                    "struct S { char c; short s; };\n"
                                    "struct Odd { char c[3]; };\n"
                                    "union U { int i; short s[3]; };\n"
                                    "typedef long number;\ntypedef float4 quad;\n"
                                    "kernel void k(global int* out, TYPE value) {\n"
                                    "  *out = sizeof(value);\n}\n",
                                    "sizes.cl");
  options.global_size = {1};
  for (const SizedType& type : kSizedTypes) {
    if (type.is_builtin && tells_names)
      continue;
    options.definitions = {std::string("TYPE=") + type.name};
    (give_value<sizes>(type, options, source), ...);
  }
}

} // namespace gputest::tests
