// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state buffer of a mutants variant (templates/state.h). It is made once, set for each run, and
// read after it.
#pragma once

#include "model/mutation/mutants.h"
#include "model/mutation/mutation.h"
#include "model/schedules/schedule.h"
#include "runtime/cases/bytes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

constexpr std::uint32_t kNoBudget = 0xffffffff;

// Returns how many loop iterations a mutant's work-item may run before it counts as endless: 10
// times `iterations`, those of the original's busiest work-item, and 1000 more. Mutants that only
// do some more work stay below that: a bound moved, a step halved. The 1000 let short loops grow,
// and are over in microseconds.
//
// `factor`: a mutant of the launch may give its work-items this many times as much to do
// (work_factor()).
std::uint32_t loop_budget(std::uint64_t iterations, std::uint64_t factor = 1);

// Returns a budget of loop_budget() multiplied by `factor`.
std::uint32_t scaled_budget(std::uint32_t budget, std::uint64_t factor);

// The seconds that a mutant gets at least. With less, a machine that is busy with something else
// would decide verdicts.
constexpr double kShortestLimit = 5;

// The settings of one run.
struct MutantControl {
  unsigned active = 0; // number of the active mutant; 0: the original
  bool trace = false;
  std::uint32_t budget = kNoBudget; // loop iterations of a work-item
  std::uint32_t schedule = 0; // offset of the section `schedule`, in words; 0: ids are the device's
  // Offset of the section `harm`, in words; 0: there is none. With trace, guards and votes that
  // report something are noted there. Without trace, those that are noted there report nothing.
  std::uint32_t harm = 0;
};

// How a mutant was noticed in a run.
struct MutantNotice {
  model::KillReason reason = model::KillReason::WrongOutput;
  std::string detail; // for people
  bool operator==(const MutantNotice&) const = default;
};

constexpr std::size_t kStateHeaderBytes = 64;

// Returns a state buffer: the header, the sizes of arguments (argument_sizes()), a section for the
// sites reached, and one for the harm that the original does.
Bytes make_mutant_state(const model::MutantTable& table, const std::vector<std::uint64_t>& sizes);

// Writes the settings. `header`: the first kStateHeaderBytes of a state.
void set_control(std::span<std::byte> header, const MutantControl& control);

// After a run: returns what guards and votes noticed of the mutant; nullopt: nothing.
std::optional<MutantNotice> read_notice(std::span<const std::byte> header,
                                        const model::MutantTable& table);

// Returns what is said of a mutant whose loops used up this budget.
std::string exhausted_text(std::uint32_t budget);

// After a run: returns whether a work-item used up its budget.
bool is_exhausted(std::span<const std::byte> header);

// After a run with trace: return the bits of sites reached, and the loop iterations of the busiest
// work-item (read_iterations()).
std::vector<std::uint32_t> read_reached(const Bytes& state, const model::MutantTable& table);
// Returns the offset of the section `harm`, in words.
std::uint32_t harm_offset(const model::MutantTable& table);
// After a run with trace and MutantControl::harm: returns the bits of guards and votes that
// reported something, by their numbers.
std::vector<std::uint32_t> read_harm(const Bytes& state, const model::MutantTable& table);
// Returns an entry for each of these guards and votes, which says that mutants are not blamed for
// it. The list of what is not mutated shows them.
std::vector<model::NotInstrumented> harm_entries(const std::vector<std::uint32_t>& harm,
                                                 const model::MutantTable& table);
std::uint32_t read_iterations(std::span<const std::byte> header);
void add_bits(std::vector<std::uint32_t>& bits, const std::vector<std::uint32_t>& more);
bool is_reached(const std::vector<std::uint32_t>& reached, unsigned site);

// Returns an order of groups and of work-items that mutants of synchronisation run under. 0: as
// launched. 1: the reverse. Others: random orders.
model::Order order_of(unsigned order);

// Returns "reversed", "shuffled 2", …; empty for 0.
std::string order_name(unsigned order);

} // namespace gputest::runtime
