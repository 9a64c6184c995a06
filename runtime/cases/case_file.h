// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads test cases, and the values that they give a kernel's arguments;
// docs/reference/test-cases.md.
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

// The description of one argument in one source: a test case, an ARGUMENTS spec or an interface.
struct ArgumentValue {
  std::optional<std::size_t> size; // elements
  // At most one of these four is given. None: zeros, where the size is known.
  std::optional<Json> values; // a number, or an array
  std::optional<Fill> fill;
  std::optional<std::filesystem::path> file; // .npy
  bool is_null = false;                      // a null pointer

  std::optional<std::uint64_t> seed;
  std::vector<std::size_t> shape; // images
  std::string channel_order, channel_type;
  std::string addressing_mode, filter_mode; // samplers
  std::optional<bool> normalized_coordinates;
  bool local = false;  // the author says it is __local
  bool output = false; // compared with the oracle

  // An object of the case, not read yet, and the folder that its files are relative to. The
  // kernel's argument tells whether its keys are a struct's members or the keys above; see
  // read_object().
  std::optional<Json> object;
  std::filesystem::path folder;

  bool has_content() const { return values || fill || file || is_null; }
};

// Reads a value of a test case's JSON. Files are relative to `folder`.
ArgumentValue argument_value(const Json& json, const std::filesystem::path& folder);

// Returns `value` with its object read, if it has one. The object may hold the members of a struct,
// union or vector by value. It does if a key is a member's name, or is not among the keys of
// docs/reference/test-cases.md. Otherwise its keys are those of docs/reference/test-cases.md.
// Throws UsageError beginning with `what`.
ArgumentValue read_object(ArgumentValue value, const model::Argument& argument,
                          const std::string& what);

struct ArgumentSpec {
  std::string name;
  ArgumentValue value;
};

// Reads a spec of ARGUMENTS: "n=3.5", "data:size=4096,fill=random(0,1)",
// "data:values=[1,2,3],output", "scratch:size=64,local", "mask=null". Commas inside (), [] and {}
// separate nothing. Files are relative to `folder`. Specs for generated inputs give no value:
// "n=range(1,8)", "mode=values(0,1)", "data:size=n*m", "data:size=64,range(0,1)",
// "mask:nullable".
ArgumentSpec parse_argument_spec(const std::string& spec, const std::filesystem::path& folder);

// A generated case says this of its expected outputs: see TestCase::recorded.
inline constexpr const char* kRecorded = "recorded, not verified";

struct TestCase {
  std::string name;
  std::filesystem::path file; // empty: the case is made from ARGUMENTS
  std::vector<std::size_t> global_size, local_size, global_offset; // empty: not given
  std::optional<std::size_t> shared_memory;                        // of CUDA: bytes
  std::optional<std::size_t> lock_step; // so many work-items; as in Launch
  std::map<std::string, ArgumentValue> arguments, expected;
  std::optional<Tolerance> tolerance;
  bool recorded = false; // `expected` is what the kernel once computed; nobody has verified it
  std::string kernel;    // the one that it was generated for; empty: a person wrote it
};

// Returns the beginning of messages about a case: "sizes.json: error: case 'small'".
std::string where_of(const TestCase& test_case);

// Reads the case, or the array of cases, of a JSON file. Leaves out cases that were generated for
// another kernel than `kernel`, because kernels may share a folder. Throws UsageError naming file,
// case and key.
std::vector<TestCase> read_test_cases(const std::filesystem::path& file, std::string_view kernel);

} // namespace gputest::runtime
