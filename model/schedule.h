// In which order the work-groups of a launch run, and the work-items of each: one schedule, and the
// file that keeps it (docs/formats.md, "Schedules"). The same file gives the same order on every
// machine.
#pragma once

#include "model/interface.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::model {

// Which comes first, second, … of `count` groups or items. They are known by their linear ids,
// (z * size_y + y) * size_x + x, and so are places: place p of the permutation is held by element
// p.
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

// Throws FormatError where what is listed is no permutation of 0 … count - 1. Random: the 64-bit
// Mersenne twister, Fisher and Yates from the end, each index modulo what is left.
std::vector<std::uint32_t> permutation(const Order& order, std::uint32_t count);

// "as launched", "reverse", "random 17", "listed".
std::string text_of(const Order& order);

// As in the file. Throws FormatError for unknown words, and for a list that is no permutation of 0
// … count - 1.
nlohmann::ordered_json to_json(const Order& order);
Order order_from_json(const nlohmann::ordered_json& json, std::uint64_t count);

// How groups are started.
enum class Strategy {
  Permute,   // all in one launch: group permutation[p] has the place of the device's group p
  First,     // in two launches: of each ten neighbours one, the target, and then all others
  Serial,    // one launch for each, one after the other: nothing overlaps
  Interleave // all at the same time, switched where `turns` say; in the simulator alone
};
std::string_view name_of(Strategy strategy); // "permute", "first", "serial", "interleave"
std::optional<Strategy> strategy_named(std::string_view name);

struct Sizes {
  unsigned dimensions = 1;
  std::array<std::uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};

  std::array<std::uint64_t, 3> groups() const; // a last one that is not full counts
  std::uint64_t group_count() const;
  std::uint64_t item_count() const; // of a full group
  bool operator==(const Sizes&) const = default;
};

// "64 x 8 work-items in groups of 16 x 8"; a local size of 0 is not told.
std::string text_of(const Sizes& sizes);

// Launches of a program that is run as a whole (gputest run --schedules).
struct ProgramLaunches {
  std::vector<std::string> command;
  std::string directory;                   // it is run there
  std::vector<std::string> kernel_files{}; // as --kernels names them; empty: they are looked for
  std::vector<std::string> kernels{};      // "<source>.<kernel>", ordered; empty: all
  std::vector<std::uint32_t> launches{};   // of them in each process, from 1; empty: all
  bool operator==(const ProgramLaunches&) const = default;
};

// A work-item makes so many accesses of memory that others may see. Linear ids.
struct Turn {
  std::uint32_t group = 0, item = 0;
  std::uint64_t accesses = 0;
  bool operator==(const Turn&) const = default;
};

// [[group, item, accesses], …]
nlohmann::ordered_json to_json(const std::vector<Turn>& turns);
// Whether there are such work-items is not looked at.
std::vector<Turn> turns_from_json(const nlohmann::ordered_json& json);

struct Schedule {
  std::string kernel;    // the entry; of a program: for people
  std::string test_case; // its name; of a program: the program's
  std::string harness;   // relative to the file's folder; empty: not known
  // The order is that of these launches. Those that a listed permutation does not fit are as
  // launched, and so are all others.
  std::optional<ProgramLaunches> program{};
  std::string device{}; // "simulator": found there, and to be replayed there; empty: elsewhere
  Sizes sizes{};        // of a program without a listed order: not looked at
  Strategy strategy = Strategy::Permute;
  unsigned target = 0;       // First: which of each ten, 0 to 9; the last set may be smaller
  Order groups{}, items{};   // not of Interleave
  std::vector<Turn> turns{}; // Interleave: then the lowest work-item goes on as far as it can
  bool operator==(const Schedule&) const = default;
};

// Sets of groups that may overlap; each set is done before the next one begins.
std::vector<std::vector<std::uint32_t>> stages(const Schedule& schedule);

// "permute, groups random 17, work-items reverse"; what is as launched is left out.
std::string text_of(const Schedule& schedule);

// Throw FormatError: a permutation that is none, sizes of 0, unknown words, a target above 9, turns
// of work-items that there are not.
nlohmann::ordered_json to_json(const Schedule& schedule);
Schedule schedule_from_json(const nlohmann::ordered_json& json);
Schedule read_schedule(const std::filesystem::path& file);
void write_schedule(const Schedule& schedule, const std::filesystem::path& file);

} // namespace gputest::model
