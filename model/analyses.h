// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of analyses: the name of each, its settings, and what it leaves behind. Names, types,
// defaults and ranges of settings stand here alone. Command lines, host programs, the layer and
// reports read them. CMake functions read them from cmake/functions/analyses.cmake, which
// tests/model writes from this table. CONTRIBUTING.md, "Add an analysis".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gputest::model {

enum class ValueKind {
  Flag,      // stands alone
  Limit,     // stands alone, or with a whole number from 1
  Count,     // a whole number from 0
  Real,      // a number from 0
  Size,      // a whole number from 1
  Percent,   // 0 to 100
  Factor,    // a number from 1
  Choice,    // one of the words that Setting::value lists
  Names,     // "one,two"; on a command line also repeated
  Words,     // such a list of any words, such as "a,b*.cl"
  Operators, // such a list: names of mutation operators and their groups
  Commit,    // a branch, tag or commit of Git; "none": no commit, as without the setting
  Duration,  // a time above 0, such as 10min (model/time/duration.h)
  File,
  Text
};

// Where a setting can be given.
inline constexpr unsigned kInKernel = 1;  // a keyword of gputest_add_kernel()
inline constexpr unsigned kInProgram = 2; // a keyword of gputest_add_program()
inline constexpr unsigned kInHarness = 4; // an option of host programs
inline constexpr unsigned kInRun = 8;     // an option of `gputest run`
inline constexpr unsigned kInCuda = 16;   // a keyword of gputest_add_cuda_program() alone

struct Setting {
  std::string_view name; // "timeout-factor": --timeout-factor, in CMake TIMEOUT_FACTOR
  ValueKind kind = ValueKind::Flag;
  unsigned places = 0;
  // The default; empty: there is none. "on" is for a Flag: where no Flag of the analysis is given,
  // the Flags with "on" hold.
  std::string_view fallback{};
  std::string_view value{}; // its name in help: "N"; for a Choice the words: "first|serial"
  std::string_view help{};
  bool starts = false;  // giving the option asks for the analysis
  bool is_time = false; // these seconds add to those of the cases in a test of CTest
  // The variable GPUTEST_<NAME> of the environment wins over all other values: GPUTEST_SINCE.
  bool in_environment = false;
};

// A text that the build makes of the kernel's file.
struct Variant {
  std::string_view subcommand; // of gputest
  std::string_view comment;    // what a build prints: "Instrumenting", before "k.cl for <name>"
  std::string_view text;       // "coverage.cl"
  std::string_view table;      // "sites.json", written last
  std::string_view others{};   // other files that the subcommand writes: "a.cl;b.json"
};

// The work that a test of CTest has for its device.
enum class DeviceUse {
  None,    // nothing: the simulator runs it
  Compare, // one side of a comparison with the simulator
  Cases    // the cases; with DEVICES there is a test for each device
};

struct Analysis {
  std::string_view name; // --<name>, in CMake <NAME>, the test <kernel>.<name> with that label
  std::string_view help{};
  std::span<const Setting> settings{};
  // The setting that a value of --<name> sets, or the first word after <NAME>. "*": the value is a
  // list of the analysis's Flags and Limits. Empty: there is no such value.
  std::string_view value{};
  std::string_view result{}; // the file of results in the kernel's folder
  Variant variant{};         // empty: the author's own text runs
  // Options of `gputest report` for its results: "html;json"; empty: it has no reports.
  std::string_view reports{};
  DeviceUse device = DeviceUse::None;
  // For CUDA programs: the variant of their device code that runs, or "simulator", which looks at
  // each launch of the program as it is. Empty: CUDA programs have no such analysis.
  std::string_view cuda{};
  bool needs_source = false; // SPIR-V has none
  bool always = false;       // the test is there without a keyword
  bool is_long = false;      // its tests have limits of their own, and CTest waits for hours
};

// Returns the table, in the order in which users see it. The first analysis is the default of a
// host program.
std::span<const Analysis> analyses();

// Return nullptr where there is none.
const Analysis* find_analysis(std::span<const Analysis> all, std::string_view name);
const Setting* find_setting(const Analysis& analysis, std::string_view name);

// Returns the variant of an analysis that has one.
const Variant& variant_of(std::string_view analysis);

// Returns "coverage.json" for "coverage", the name of the file of the analysis's results.
std::string_view result_file_of(std::string_view analysis);

// Returns "TIMEOUT_FACTOR" for "timeout-factor".
std::string keyword_of(std::string_view name);

} // namespace gputest::model
