// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule is the order in which the work-groups of a launch run, and the work-items of each.
// This header also reads and writes its file (docs/reference/formats.md, "Schedules"). The same
// file gives the same order on every machine.
#pragma once

#include "model/interface.h"
#include "model/launches/sizes.h"
#include "model/programs/oracle.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::model {

// The order of `count` groups or items: which comes first, second, and so on. Groups and items are
// identified by their linear ids, (z * size_y + y) * size_x + x, and so are places. Element p of
// the permutation is the id at place p.
struct Order {
  enum class Kind {
    Launched, // as the launch has them: 0, 1, 2, …
    Reverse,
    Random, // by `seed`
    Listed  // `listed`
  };
  Kind kind = Kind::Launched;
  std::uint64_t seed = 0;
  std::vector<std::uint32_t> listed{};
  bool operator==(const Order&) const = default;
};

constexpr auto names_of(Order::Kind) {
  return std::to_array<std::string_view>({"as launched", "reverse", "random", "listed"});
}

// Returns whether the order moves nothing.
inline bool is_plain(const Order& order) {
  return order.kind == Order::Kind::Launched;
}

// Returns the order as a permutation. Random: the 64-bit Mersenne twister, Fisher and Yates from
// the end, each index modulo what is left. Throws FormatError if the list is no permutation of 0 …
// count - 1.
std::vector<std::uint32_t> permutation(const Order& order, std::uint32_t count);

// Returns "as launched", "reverse", "random 17" or "listed".
std::string text_of(const Order& order);

// Convert to and from the JSON of the file. order_from_json throws FormatError for unknown words,
// and for a list that is no permutation of 0 … count - 1.
nlohmann::ordered_json to_json(const Order& order);
Order order_from_json(const nlohmann::ordered_json& json, std::uint64_t count);

// How groups are started.
enum class Strategy {
  Permute,   // all in one launch: group permutation[p] has the place of the device's group p
  First,     // in two launches: of each ten neighbours, first one (the target), then all others
  Serial,    // one launch for each group, one after the other: nothing overlaps
  Interleave // all at the same time, switched where `turns` says; only in the simulator
};
constexpr auto names_of(Strategy) {
  return std::to_array<std::string_view>({"permute", "first", "serial", "interleave"});
}

// Launches of a program that runs as a whole (gputest run --schedules).
struct ProgramLaunches {
  std::vector<std::string> command;
  std::string directory; // the folder in which it runs
  // The files that --kernels names; empty: GpuTestCheck looks for them.
  std::vector<std::string> kernel_files{};
  // The kernels that are ordered, "<source>.<kernel>"; empty: all.
  std::vector<std::string> kernels{};
  // Numbers of their launches in each process, from 1; empty: all.
  std::vector<std::uint32_t> launches{};
  Oracle oracle{}; // what judges the runs
  bool operator==(const ProgramLaunches&) const = default;
};

// A turn of a work-item, by linear ids: it goes on for this number of accesses to memory that
// others may see.
struct Turn {
  std::uint32_t group = 0, item = 0;
  std::uint64_t accesses = 0;
  bool operator==(const Turn&) const = default;
};

// [group, item, accesses]. from_json does not check whether such a work-item exists.
void to_json(nlohmann::ordered_json& json, const Turn& turn);
void from_json(const nlohmann::ordered_json& json, Turn& turn);

struct Schedule {
  std::string kernel;    // the entry; for a program: text for people
  std::string test_case; // its name; for a program: the program's
  std::string harness;   // relative to the file's folder; empty: unknown
  // For a program: the launches that have this order. Other launches run as launched, and so does a
  // launch that a listed permutation does not fit.
  std::optional<ProgramLaunches> program{};
  std::string device{}; // "simulator": found and replayed there; empty: elsewhere
  Sizes sizes{};        // ignored for a program without a listed order
  Strategy strategy = Strategy::Permute;
  unsigned target = 0;       // First: the target in each ten, 0 to 9; the last set may be smaller
  Order groups{}, items{};   // unused with Interleave
  std::vector<Turn> turns{}; // Interleave; after them the lowest work-item goes on as far as it can
  bool operator==(const Schedule&) const = default;
};

// Returns sets of groups that may overlap. Each set is done before the next one begins.
std::vector<std::vector<std::uint32_t>> stages(const Schedule& schedule);

// Returns "permute, groups random 17, work-items reverse". What is as launched is left out.
std::string text_of(const Schedule& schedule);

// Convert to and from JSON. from_json and reading throw FormatError for a list that is no
// permutation, sizes of 0, unknown words, a target above 9, and turns of work-items that do not
// exist.
void to_json(nlohmann::ordered_json& json, const Schedule& schedule);
void from_json(const nlohmann::ordered_json& json, Schedule& schedule);
Schedule read_schedule(const std::filesystem::path& file);
void write_schedule(const Schedule& schedule, const std::filesystem::path& file);

} // namespace gputest::model
