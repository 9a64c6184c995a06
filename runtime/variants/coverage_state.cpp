// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/coverage_state.h"

#include "gputest/error.h"
#include "templates/state.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using Word = std::uint32_t;

Word word(const Bytes& state, std::size_t at) {
  return load<Word>(state.data() + at * sizeof(Word));
}

[[noreturn]] void throw_overwritten() {
  throw KernelError("the kernel overwrote the coverage records: it writes out of bounds");
}

// Throws KernelError where the buffer has no such words: the kernel can overwrite its header.
void expect_words(const Bytes& state, std::size_t offset, std::size_t count, std::size_t times) {
  const std::size_t words = state.size() / sizeof(Word);
  if (offset > words || (count != 0 && times > (words - offset) / count))
    throw_overwritten();
}

std::vector<Word> section(const Bytes& state, std::size_t offset, std::size_t count) {
  expect_words(state, offset, count, 1);
  std::vector<Word> words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = word(state, offset + i);
  return words;
}

} // namespace

bool use_slots(const model::SiteTable& table, const std::string& kernel, bool is_cpu,
               std::size_t items) {
  const auto found = std::ranges::find(table.kernels, kernel, &model::InstrumentedKernel::name);
  if (!is_cpu || found == table.kernels.end() || !found->straight_line || table.coverage_words == 0)
    return false;
  return items <= kMaximumSlotBytes / sizeof(Word) / table.coverage_words;
}

Bytes make_state(const model::SiteTable& table, std::size_t slot_items) {
  const std::size_t coverage = GPUTEST_STATE_HEADER_WORDS;
  const std::size_t divergence = coverage + table.coverage_words;
  const std::size_t slots = divergence + table.divergence_words;
  Bytes state((slots + slot_items * table.coverage_words) * sizeof(Word));
  const auto set = [&](std::size_t at, std::size_t value) {
    store(state.data() + at * sizeof(Word), static_cast<Word>(value));
  };
  set(GPUTEST_STATE_MAGIC_WORD, GPUTEST_STATE_MAGIC);
  set(GPUTEST_STATE_VERSION_WORD, GPUTEST_STATE_VERSION);
  set(GPUTEST_STATE_COVERAGE_OFFSET, coverage);
  set(GPUTEST_STATE_COVERAGE_WORDS, table.coverage_words);
  set(GPUTEST_STATE_DIVERGENCE_OFFSET, divergence);
  set(GPUTEST_STATE_DIVERGENCE_WORDS, table.divergence_words);
  set(GPUTEST_STATE_SLOTS_OFFSET, slot_items == 0 ? 0 : slots);
  set(GPUTEST_STATE_SLOTS_ITEMS, slot_items);
  return state;
}

Recorded read_state(const Bytes& state) {
  if (state.size() < GPUTEST_STATE_HEADER_WORDS * sizeof(Word) ||
      word(state, GPUTEST_STATE_MAGIC_WORD) != GPUTEST_STATE_MAGIC)
    throw_overwritten();
  const Word coverage_words = word(state, GPUTEST_STATE_COVERAGE_WORDS);
  Recorded recorded{section(state, word(state, GPUTEST_STATE_COVERAGE_OFFSET), coverage_words),
                    section(state, word(state, GPUTEST_STATE_DIVERGENCE_OFFSET),
                            word(state, GPUTEST_STATE_DIVERGENCE_WORDS))};
  const std::size_t slots = word(state, GPUTEST_STATE_SLOTS_OFFSET);
  const std::size_t items = word(state, GPUTEST_STATE_SLOTS_ITEMS);
  if (slots != 0)
    expect_words(state, slots, coverage_words, items);
  for (std::size_t w = 0; slots != 0 && w < coverage_words; ++w)
    for (std::size_t i = 0; i < items; ++i)
      recorded.coverage[w] |= word(state, slots + w * items + i);
  return recorded;
}

std::string to_hex(const std::vector<Word>& words) {
  std::string text;
  for (const Word value : words)
    text += fmt::format("{:08x}", value);
  return text;
}

std::vector<Word> from_hex(const std::string& text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i + 8 <= text.size(); i += 8)
    words.push_back(static_cast<Word>(std::stoul(text.substr(i, 8), nullptr, 16)));
  return words;
}

} // namespace gputest::runtime
