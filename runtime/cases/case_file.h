// Test cases and what they give a kernel's arguments; docs/formats.md, "Test cases".
#pragma once

#include "gputest/launch.h"
#include "model/interface.h"
#include "runtime/cases/values.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

// What one place (a test case, an ARGUMENTS spec, an interface) says about one argument.
struct ArgumentValue {
  std::optional<std::size_t> size; // elements
  // At most one of these three; none: zeros, where a size is known.
  std::optional<Json> values; // a number, or an array
  std::optional<Fill> fill;
  std::optional<std::filesystem::path> file; // .npy

  std::optional<std::uint64_t> seed;
  std::vector<std::size_t> shape; // images
  std::string channel_order, channel_type;
  std::string addressing_mode, filter_mode; // samplers
  std::optional<bool> normalized_coordinates;
  bool local = false;  // the author says it is __local
  bool output = false; // compared with the oracle

  // An object as the case gives it, not read yet, and the folder its files are relative to: whether
  // its keys are a struct's members or those above, the argument tells. See read_object.
  std::optional<Json> object;
  std::filesystem::path folder;

  bool has_content() const { return values || fill || file; }
};

// From a test case's JSON. Files are relative to `folder`. Throws UsageError beginning with `what`.
ArgumentValue argument_value(const Json& json, const std::filesystem::path& folder,
                             const std::string& what);

// `value` with its object, if it has one, read: for a struct, union or vector by value as its
// members if there is one of that name or any other key that is not one of docs/formats.md, else as
// those keys. Throws UsageError beginning with `what`.
ArgumentValue read_object(ArgumentValue value, const model::Argument& argument,
                          const std::string& what);

struct ArgumentSpec {
  std::string name;
  ArgumentValue value;
};

// "n=3.5", "data:size=4096,fill=random(0,1)", "data:values=[1,2,3],output",
// "scratch:size=64,local". Commas inside () and [] and {} separate nothing. Files are relative to
// `folder`. What is said for generated inputs alone is no value: "n=range(1,8)",
// "mode=values(0,1)", "data:size=n*m", "data:size=64,range(0,1)".
ArgumentSpec parse_argument_spec(const std::string& spec, const std::filesystem::path& folder);

// What a generated case says of its expected outputs: see TestCase::recorded.
inline constexpr const char* kRecorded = "recorded, not verified";

struct TestCase {
  std::string name;
  std::filesystem::path file;                                      // empty: made from ARGUMENTS
  std::vector<std::size_t> global_size, local_size, global_offset; // empty: not given
  std::optional<std::size_t> shared_memory;                        // of CUDA: bytes
  std::map<std::string, ArgumentValue> arguments, expected;
  std::optional<Tolerance> tolerance;
  bool recorded =
      false;          // `expected` is what the kernel itself once computed: nobody has verified it
  std::string kernel; // that it was generated for; empty: a person wrote it
};

// One case, or all of an array, of a JSON file, but for cases that were generated for other kernels
// than `kernel`: those of several kernels may share a folder. Throws UsageError naming file, case
// and key.
std::vector<TestCase> read_test_cases(const std::filesystem::path& file, std::string_view kernel);

} // namespace gputest::runtime
