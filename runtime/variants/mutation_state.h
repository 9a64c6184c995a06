// The state buffer of a mutants variant (templates/state.h): made before, set for each run, and
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

// How many loop iterations a mutant's work-item may do, when the original's busiest one does
// `iterations`, before it counts as endless: 10 times as many, so that mutants that only do some
// more work (a bound moved, a step halved) stay below it, and 1000 more, which lets short loops
// grow and is over in microseconds.
// `factor`: of a mutant of the launch, which may give its work-items that many times as much to do
// (work_factor()).
std::uint32_t loop_budget(std::uint64_t iterations, std::uint64_t factor = 1);

// The same of a budget that has been made already.
std::uint32_t scaled_budget(std::uint32_t budget, std::uint64_t factor);

// Seconds a mutant gets at least; with less a machine that is busy with something else would decide
// verdicts.
constexpr double kShortestLimit = 5;

// What fills __local memory in the simulator. Devices leave there what the last group left there,
// and a mutant that does not write it first is to be noticed. As a number it is neither small nor 0
// nor NaN.
constexpr std::uint8_t kLocalFill = 0xcb;

// What one run is told.
struct MutantControl {
  unsigned active = 0; // number of the mutant; 0: the original
  bool trace = false;
  std::uint32_t budget = kNoBudget; // loop iterations of a work-item
  std::uint32_t schedule = 0;       // offset of that section, in words; 0: ids are the device's
  // Offset of the section `harm`, in words: with trace, guards and votes that report something note
  // that there; without, those noted there report nothing. 0: there is no such section.
  std::uint32_t harm = 0;
};

// How a run was noticed, before anybody looked at outputs.
struct MutantNotice {
  model::KillReason reason = model::KillReason::WrongOutput;
  std::string detail; // for people
  bool operator==(const MutantNotice&) const = default;
};

constexpr std::size_t kStateHeaderBytes = 64;

// Header, the sizes of arguments (bytes of a buffer or of __local memory, 0 for others), a section
// for the sites reached, and one for the harm that the original does.
Bytes make_mutant_state(const model::MutantTable& table, const std::vector<std::uint64_t>& sizes);

// `header`: the first kStateHeaderBytes of a state.
void set_control(std::span<std::byte> header, const MutantControl& control);

// After a run.
std::optional<MutantNotice> read_notice(std::span<const std::byte> header,
                                        const model::MutantTable& table);

// What is said of a mutant whose loops used up this budget.
std::string exhausted_text(std::uint32_t budget);

// After a run: whether a work-item used up its budget.
bool is_exhausted(std::span<const std::byte> header);

// After a run with trace: the bits of sites reached, and the most loop iterations of a work-item.
std::vector<std::uint32_t> read_reached(const Bytes& state, const model::MutantTable& table);
// Where the section `harm` begins, in words.
std::uint32_t harm_offset(const model::MutantTable& table);
// After a run with trace and control.harm: the bits of guards and votes that reported something, by
// their numbers.
std::vector<std::uint32_t> read_harm(const Bytes& state, const model::MutantTable& table);
// That mutants are not blamed for it, for each of them: to be listed with what is not mutated.
std::vector<model::NotInstrumented> harm_entries(const std::vector<std::uint32_t>& harm,
                                                 const model::MutantTable& table);
std::uint32_t read_iterations(std::span<const std::byte> header);
void add_bits(std::vector<std::uint32_t>& bits, const std::vector<std::uint32_t>& more);
bool is_reached(const std::vector<std::uint32_t>& reached, unsigned site);

// The orders of groups and of work-items that mutants of synchronisation are run under: 1 is the
// reverse, others are random ones. 0: as launched.
model::Order order_of(unsigned order);

// "reversed", "shuffled 2", …; empty for 0.
std::string order_name(unsigned order);

} // namespace gputest::runtime
