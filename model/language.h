// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The languages of kernels. A file's ending tells its language.
//
// Two rows may have one language: HIP is read and run as CUDA, with headers and words of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gputest::model {

enum class Language { OpenCL, OpenCLCpp, Spirv, Cuda };

struct LanguageRow {
  Language language;
  std::string_view name;         // for people
  std::string_view word;         // the name in JSON: "cuda"
  std::string_view endings;      // endings of files, each followed by a space; empty: all others
  std::string_view ending;       // ending of variants: coverage.cl
  std::string_view group;        // the word for a work-group
  std::string_view header;       // with which sources begin that are CUDA; empty: none
  std::string_view macro;        // what is defined for them; empty: nothing
  std::string_view variables_of; // whose variables keep their values between launches
  std::string_view group_fence;  // orders accesses of two work-items of a group
  std::string_view device_fence; // orders accesses of two groups
  bool has_source;               // that people wrote: passes can read and change it
  bool is_cpp;                   // C++: operands of && are bool, constants may be constexpr
  bool variants_are_flat;        // variants hold all that they include, and no macros
  bool has_orders;               // the variant with mutants takes ids from its state
  bool items_move;               // schedules may change the order of a group's work-items
  bool state_is_argument;        // of variants, the last; otherwise a variable
  bool has_context;              // functions of variants take a parameter more, votes are there
  bool has_offsets;              // launches may have a global offset
  bool has_shared_memory;        // launches may add bytes of on-chip memory
  bool has_instances;            // kernels may be templates, of which an instance is named
  bool has_host_code;            // files hold host code, too, and perhaps no kernel
  std::string_view standards;    // --cl-std chooses one, each followed by a space; empty: none
  std::string_view standard;     // by default
  bool is_simulated;             // unless a device is named
  bool asks_device;              // about the macros that the source asks about
  bool pointers_tell_space;      // types of pointers say in which memory they point
  bool keeps_memory;             // contents of global memory outlive the launches of a program
  bool exits_pass_barriers;      // barriers do not wait for work-items that have left the kernel
  bool has_guards;               // variants with mutants guard accesses, divisors and loops
  bool traps_misaligned;         // an access that is not aligned ends the kernel
  std::optional<unsigned> warp;  // work-items of a warp; nullopt: the device decides
};

std::span<const LanguageRow> language_rows();
const LanguageRow& row_of(Language language); // the first
const LanguageRow& row_of(const std::filesystem::path& source);
Language language_of(const std::filesystem::path& source);

// One of something for each language. Leaving one out does not compile.
template <typename T> struct ByLanguage {
  T opencl, cuda; // C++ for OpenCL and SPIR-V are run as OpenCL C

  constexpr const T& operator[](Language language) const {
    return language == Language::Cuda ? cuda : opencl;
  }
};

// Returns the name of a variant of the source. `name` is its name in OpenCL C: "coverage.cl"
// becomes "coverage.cu" in CUDA.
std::string file_of_variant(std::string_view name, const std::filesystem::path& source);

} // namespace gputest::model
