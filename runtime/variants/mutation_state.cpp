// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/mutation_state.h"

#include "templates/state.h"

#include <fmt/format.h>

#include <algorithm>

namespace gputest::runtime {
namespace {

using model::KillReason;
using Word = std::uint32_t;

static_assert(kStateHeaderBytes == GPUTEST_STATE_HEADER_WORDS * sizeof(Word));

Word word(std::span<const std::byte> state, std::size_t at) {
  return load<Word>(state.data() + at * sizeof(Word));
}

void set(std::span<std::byte> state, std::size_t at, Word value) {
  store(state.data() + at * sizeof(Word), value);
}

std::size_t reached_offset(const model::MutantTable& table) {
  return GPUTEST_STATE_HEADER_WORDS + 2 * table.arguments;
}

std::size_t reached_words(const model::MutantTable& table) {
  return (table.reached_bits + 31) / 32;
}

// Bit 0 is unused, because guards and votes are numbered from 1.
std::size_t harm_words(const model::MutantTable& table) {
  return (table.guards.size() + table.votes.size()) / 32 + 1;
}

// "kernel.cl:12:7: 'a[i + 1]'"; empty where the kernel names no place.
std::string place_of(Word number, const model::MutantTable& table) {
  const auto text = [](const auto& place) {
    return fmt::format("{}:{}:{}: '{}'", place.file, place.line, place.column, place.text);
  };
  const std::size_t guards = table.guards.size();
  if (number >= 1 && number <= guards)
    return text(table.guards[number - 1]);
  if (number > guards && number <= guards + table.votes.size())
    return text(table.votes[number - 1 - guards]);
  return "";
}

} // namespace

Bytes make_mutant_state(const model::MutantTable& table, const std::vector<std::uint64_t>& sizes) {
  Bytes state((harm_offset(table) + harm_words(table)) * sizeof(Word));
  for (std::size_t i = 0; i < sizes.size() && i < table.arguments; ++i) {
    set(state, GPUTEST_STATE_HEADER_WORDS + 2 * i, static_cast<Word>(sizes[i]));
    set(state, GPUTEST_STATE_HEADER_WORDS + 2 * i + 1, static_cast<Word>(sizes[i] >> 32));
  }
  set_control(std::span(state).first(kStateHeaderBytes), {});
  return state;
}

std::uint32_t loop_budget(std::uint64_t iterations, std::uint64_t factor) {
  constexpr std::uint64_t kFactor = 10, kExtra = 1000, kMost = kNoBudget - 1;
  const bool is_too_much =
      factor > kMost / kExtra || iterations > (kMost / factor - kExtra) / kFactor;
  return static_cast<std::uint32_t>(is_too_much ? kMost : (kFactor * iterations + kExtra) * factor);
}

std::uint32_t scaled_budget(std::uint32_t budget, std::uint64_t factor) {
  constexpr std::uint64_t kMost = kNoBudget - 1;
  return budget == kNoBudget || factor <= 1 ? budget
         : budget > kMost / factor          ? static_cast<std::uint32_t>(kMost)
                                            : static_cast<std::uint32_t>(budget * factor);
}

void set_control(std::span<std::byte> header, const MutantControl& control) {
  for (std::byte& byte : header)
    byte = std::byte{0};
  set(header, GPUTEST_STATE_MAGIC_WORD, GPUTEST_STATE_MAGIC);
  set(header, GPUTEST_STATE_VERSION_WORD, GPUTEST_STATE_VERSION);
  set(header, GPUTEST_STATE_ACTIVE, control.active);
  set(header, GPUTEST_STATE_TRACE, control.trace ? 1 : 0);
  set(header, GPUTEST_STATE_BUDGET, control.budget);
  set(header, GPUTEST_STATE_SCHEDULE, control.schedule);
  set(header, GPUTEST_STATE_HARM, control.harm);
}

std::optional<MutantNotice> read_notice(std::span<const std::byte> header,
                                        const model::MutantTable& table) {
  if (word(header, GPUTEST_STATE_MAGIC_WORD) != GPUTEST_STATE_MAGIC)
    return MutantNotice{KillReason::OutOfBounds, "wrote over memory that is no argument's"};
  const Word events = word(header, GPUTEST_STATE_EVENTS);
  if (events == 0)
    return std::nullopt;
  const std::string place = place_of(word(header, GPUTEST_STATE_GUARD), table);
  const auto at = [&](std::string_view what) {
    return place.empty() ? std::string(what) : fmt::format("{} at {}", what, place);
  };
  if ((events & GPUTEST_EVENT_OUT_OF_BOUNDS) != 0)
    return MutantNotice{KillReason::OutOfBounds, at("an access out of bounds")};
  if ((events & GPUTEST_EVENT_DIVISION) != 0)
    return MutantNotice{KillReason::DivisionByZero,
                        at("an integer is divided by zero, or the smallest one by -1")};
  if ((events & GPUTEST_EVENT_DIVERGENCE) != 0)
    return MutantNotice{KillReason::DivergentBarrier,
                        at("work-items of a group part before a barrier")};
  return MutantNotice{KillReason::BudgetExhausted,
                      exhausted_text(word(header, GPUTEST_STATE_BUDGET))};
}

std::string exhausted_text(std::uint32_t budget) {
  return fmt::format("a work-item ran more than {} loop iterations", budget);
}

bool is_exhausted(std::span<const std::byte> header) {
  return (word(header, GPUTEST_STATE_EVENTS) & GPUTEST_EVENT_BUDGET) != 0;
}

std::vector<std::uint32_t> read_reached(const Bytes& state, const model::MutantTable& table) {
  std::vector<std::uint32_t> reached(reached_words(table));
  for (std::size_t i = 0; i < reached.size(); ++i)
    reached[i] = word(state, reached_offset(table) + i);
  return reached;
}

std::uint32_t harm_offset(const model::MutantTable& table) {
  return static_cast<Word>(reached_offset(table) + reached_words(table));
}

std::vector<std::uint32_t> read_harm(const Bytes& state, const model::MutantTable& table) {
  std::vector<std::uint32_t> harm(harm_words(table));
  for (std::size_t i = 0; i < harm.size(); ++i)
    harm[i] = word(state, harm_offset(table) + i);
  return harm;
}

std::vector<model::NotInstrumented> harm_entries(const std::vector<std::uint32_t>& harm,
                                                 const model::MutantTable& table) {
  std::vector<model::NotInstrumented> entries;
  const auto add = [&](const auto& place, const char* construct, const char* what) {
    entries.push_back(
        {.file = place.file,
         .line = place.line,
         .column = place.column,
         .function = place.function,
         .construct = construct,
         .reason = fmt::format("'{}': {}, without any mutant; that is stopped, and no "
                               "mutant is killed for it",
                               place.text, what)});
  };
  const std::size_t guards = table.guards.size();
  for (unsigned i = 1; i <= guards + table.votes.size(); ++i)
    if (is_reached(harm, i) && i <= guards)
      add(table.guards[i - 1], model::kHarmOfOriginal,
          "the original accesses memory out of bounds or divides by zero here");
    else if (is_reached(harm, i))
      add(table.votes[i - 1 - guards], model::kHarmOfOriginal,
          "work-items of the original part here before a barrier");
  return entries;
}

std::uint32_t read_iterations(std::span<const std::byte> header) {
  return word(header, GPUTEST_STATE_ITERATIONS);
}

void add_bits(std::vector<std::uint32_t>& bits, const std::vector<std::uint32_t>& more) {
  bits.resize(std::max(bits.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i)
    bits[i] |= more[i];
}

bool is_reached(const std::vector<std::uint32_t>& reached, unsigned site) {
  return site / 32 < reached.size() && (reached[site / 32] >> site % 32 & 1) != 0;
}

model::Order order_of(unsigned order) {
  using Kind = model::Order::Kind;
  return {.kind = order == 0   ? Kind::Launched
                  : order == 1 ? Kind::Reverse
                               : Kind::Random,
          .seed = order};
}

std::string order_name(unsigned order) {
  return order == 0 ? "" : order == 1 ? "reversed" : fmt::format("shuffled {}", order);
}

} // namespace gputest::runtime
