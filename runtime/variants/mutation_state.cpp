#include "runtime/variants/mutation_state.h"

#include "templates/state.h"

#include <fmt/format.h>

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
  Bytes state((reached_offset(table) + reached_words(table)) * sizeof(Word));
  for (std::size_t i = 0; i < sizes.size() && i < table.arguments; ++i) {
    set(state, GPUTEST_STATE_HEADER_WORDS + 2 * i, static_cast<Word>(sizes[i]));
    set(state, GPUTEST_STATE_HEADER_WORDS + 2 * i + 1, static_cast<Word>(sizes[i] >> 32));
  }
  set_control(std::span(state).first(kStateHeaderBytes), {});
  return state;
}

std::uint32_t loop_budget(std::uint64_t iterations) {
  constexpr std::uint64_t kFactor = 10, kExtra = 1000, kMost = kNoBudget - 1;
  return static_cast<std::uint32_t>(
      iterations > (kMost - kExtra) / kFactor ? kMost : kFactor * iterations + kExtra);
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
}

std::optional<MutantNotice> read_notice(std::span<const std::byte> header,
                                        const model::MutantTable& table,
                                        const MutantControl& control) {
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
                      fmt::format("a work-item ran more than {} loop iterations", control.budget)};
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

std::uint32_t read_iterations(std::span<const std::byte> header) {
  return word(header, GPUTEST_STATE_ITERATIONS);
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
