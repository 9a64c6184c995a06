// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/warps.h"

#include "testgen/concolic/arrivals.h"
#include "testgen/concolic/composed.h"
#include "testgen/concolic/shadow.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::testgen {
namespace {

constexpr unsigned kLanes = GPUTEST_WARP_LANES;

// The labels of a slot's numbers.
template <typename Number> Label label_of(Recorder& recorder, const Number& number) {
  return recorder.load(reinterpret_cast<const std::byte*>(&number), sizeof number);
}

void set_label(const gputest_u64& result, Label label) {
  std::uint32_t* const shadow = shadow_of(&result);
  for (unsigned byte = 0; byte < sizeof result; ++byte)
    shadow[byte] = label ? label | byte << kByteShift : 0;
}

// Two by two, which keeps expressions flat for whoever solves them. There is at least one.
template <typename With> Label together(std::vector<Label> labels, const With& with) {
  while (labels.size() > 1) {
    const std::size_t half = (labels.size() + 1) / 2;
    for (std::size_t i = 0; i + half < labels.size(); ++i)
      labels[i] = with(labels[i], labels[i + half]);
    labels.resize(half);
  }
  return labels[0];
}

bool is_shuffle(unsigned kind) {
  return kind >= GPUTEST_WARP_SHUFFLE && kind <= GPUTEST_WARP_SHUFFLE_XOR;
}

// The lanes that a lane may read, by the distance in a parameter's lower half (source_of() in
// answers.c).
class Reading {
public:
  Reading(unsigned kind, unsigned width, unsigned lane)
      : kind_(kind), width_(width ? width : kLanes), lane_(lane), begin_(lane / width_ * width_) {}

  // The parameter's half that reads lane `from`. If several values of SHUFFLE's parameter do, the
  // lower bits.
  std::optional<std::uint16_t> half_for(unsigned from) const {
    const unsigned end = begin_ + width_;
    switch (kind_) {
    case GPUTEST_WARP_SHUFFLE_XOR:
      return from < end ? std::optional(static_cast<std::uint16_t>(lane_ ^ from)) : std::nullopt;
    default:
      if (from < begin_ || from >= end)
        return std::nullopt;
      return static_cast<std::uint16_t>(kind_ == GPUTEST_WARP_SHUFFLE      ? from - begin_
                                        : kind_ == GPUTEST_WARP_SHUFFLE_UP ? lane_ - from
                                                                           : from - lane_);
    }
  }
  std::uint16_t bits_that_count() const {
    return static_cast<std::uint16_t>(kind_ == GPUTEST_WARP_SHUFFLE ? width_ - 1 : 0xffff);
  }

private:
  unsigned kind_, width_, lane_, begin_;
};

class Answer {
public:
  Answer(Recorder& recorder, const gputest_slots& slots, gputest_u64 first, gputest_u32 lanes)
      : table_(recorder.table), slots_(slots), first_(first), lanes_(lanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (takes_part(lane)) {
        values_[lane] = label_of(recorder, slots.value[first + lane]);
        masks_[lane] = label_of(recorder, slots.mask[first + lane]);
        parameters_[lane] = label_of(recorder, slots.parameter[first + lane]);
        any_ |= values_[lane] | masks_[lane] | parameters_[lane];
        masked_ |= masks_[lane] != 0;
      }
    kind_ = slots.kind[first + static_cast<unsigned>(__builtin_ctz(lanes))];
  }

  void label_results() {
    Label common = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!takes_part(lane))
        continue;
      Label label = 0;
      if (any_ && is_shuffle(kind_))
        label = shuffled(lane);
      else if (any_ && (masked_ || kind_ == GPUTEST_WARP_MATCH_ANY))
        label = answered(lane);
      else if (any_)
        label = common = common ? common : answered(lane);
      set_label(slots_.result[first_ + lane], is_constant(label) ? 0 : label);
    }
  }

private:
  bool takes_part(unsigned lane) const { return lanes_ >> lane & 1; }
  bool is_constant(Label label) const { return label && table_[label].op == Op::Constant; }
  Label number(std::uint64_t value, unsigned bits = 32) { return table_.constant(value, bits); }
  Label both(Label a, Label b) { return table_.make(Op::And, 1, a, b); }
  Label either(Label a, Label b) { return table_.make(Op::Or, 1, a, b); }
  Label choice(Label condition, Label a, Label b) {
    return table_.make(Op::Select, table_[a].bits, condition, a, b);
  }

  Label value(unsigned lane) {
    return values_[lane] ? values_[lane] : number(slots_.value[first_ + lane], 64);
  }
  Label half_of_value(unsigned lane) { return table_.make(Op::Extract, 32, value(lane)); }
  Label says(unsigned lane) {
    return table_.negation(table_.make(Op::Equal, 1, value(lane), number(0, 64)));
  }
  Label equal(unsigned a, unsigned b) { return table_.make(Op::Equal, 1, value(a), value(b)); }

  // Whether the mask of lane `of` names `lane`: everybody is among those that it waits for.
  Label named(unsigned of, unsigned lane) {
    return of == lane || !masks_[of] ? number(1, 1)
                                     : table_.make(Op::Extract, 1, masks_[of], 0, 0, lane);
  }

  // `of_lane` for all that take part, put together by `with`.
  template <typename OfLane, typename With> Label all(const OfLane& of_lane, const With& with) {
    std::vector<Label> labels;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (takes_part(lane))
        labels.push_back(of_lane(lane));
    return together(std::move(labels), with);
  }

  // Bit by bit, 0 of those that do not take part.
  template <typename OfLane> Label word(const OfLane& of_lane) {
    Label result = 0;
    for (unsigned lane = kLanes; lane-- > 0;) {
      const Label bit = takes_part(lane) ? of_lane(lane) : number(0, 1);
      result = result ? table_.make(Op::Concat, kLanes - lane, result, bit) : bit;
    }
    return result;
  }

  Label everybody(unsigned of, bool says_so) {
    return all(
        [&](unsigned lane) {
          return either(table_.negation(named(of, lane)),
                        says_so ? says(lane) : table_.negation(says(lane)));
        },
        [&](Label a, Label b) { return both(a, b); });
  }

  Label reduced(unsigned of, std::uint32_t neutral, auto&& with) {
    return all(
        [&](unsigned lane) {
          return choice(named(of, lane), half_of_value(lane), number(neutral));
        },
        with);
  }
  Label reduced(unsigned of, std::uint32_t neutral, Op op) {
    return reduced(of, neutral, [&](Label a, Label b) { return table_.make(op, 32, a, b); });
  }
  Label reduced(unsigned of, std::uint32_t neutral, Composed operation) {
    return reduced(of, neutral,
                   [&](Label a, Label b) { return compose(table_, operation, 32, {a, b, 0}); });
  }

  // Returns the answer for lane `of`.
  Label answered(unsigned of) {
    const auto is = [&](Label bit) { return table_.make(Op::ZExt, 32, bit); };
    const auto names = [&](unsigned lane) { return named(of, lane); };
    Label label = 0;
    switch (kind_) {
    case GPUTEST_WARP_ALL:
      label = is(everybody(of, true));
      break;
    case GPUTEST_WARP_ANY:
      label = is(table_.negation(everybody(of, false)));
      break;
    case GPUTEST_WARP_UNI:
      label = is(either(everybody(of, true), everybody(of, false)));
      break;
    case GPUTEST_WARP_BALLOT:
      label = word([&](unsigned lane) { return both(named(of, lane), says(lane)); });
      break;
    case GPUTEST_WARP_MATCH_ANY:
      label = word([&](unsigned lane) { return both(named(of, lane), equal(of, lane)); });
      break;
    case GPUTEST_WARP_MATCH_ALL:
      label = choice(all(
                         [&](unsigned lane) {
                           return either(table_.negation(named(of, lane)), equal(of, lane));
                         },
                         [&](Label a, Label b) { return both(a, b); }),
                     word(names), number(0));
      break;
    case GPUTEST_WARP_ADD:
      label = reduced(of, 0, Op::Add);
      break;
    case GPUTEST_WARP_MIN:
      label = reduced(of, 0x7fffffff, Composed::SMin);
      break;
    case GPUTEST_WARP_MAX:
      label = reduced(of, 0x80000000, Composed::SMax);
      break;
    case GPUTEST_WARP_UMIN:
      label = reduced(of, ~0U, Composed::UMin);
      break;
    case GPUTEST_WARP_UMAX:
      label = reduced(of, 0, Composed::UMax);
      break;
    case GPUTEST_WARP_AND:
      label = reduced(of, ~0U, Op::And);
      break;
    case GPUTEST_WARP_OR:
      label = reduced(of, 0, Op::Or);
      break;
    case GPUTEST_WARP_XOR:
      label = reduced(of, 0, Op::Xor);
      break;
    default:
      return 0;
    }
    return table_.make(Op::ZExt, 64, label);
  }

  // A parameter's distance and width; the width is 0 if it depends on no input.
  struct Parameter {
    Label by = 0, width = 0;
  };
  Parameter parameter_of(unsigned lane) {
    const Label whole = parameters_[lane];
    if (!whole)
      return {number(slots_.parameter[first_ + lane] & 0xffff, 16), 0};
    const Node node = table_[whole]; // the header's `by & 0xffff | width << 16`
    const Node half = table_[node.a];
    if (node.op == Op::Or && is_constant(node.b) && half.op == Op::And && is_constant(half.b) &&
        table_[half.b].number == 0xffff)
      return {table_.make(Op::Extract, 16, half.a), 0};
    const Label width = table_.make(Op::Extract, 16, whole, 0, 0, 16);
    return {table_.make(Op::Extract, 16, whole), is_constant(width) ? 0 : width};
  }

  // A lane that does not take part has nothing to read: 0 is read instead.
  Label read_by(unsigned lane, unsigned width, Label by) {
    const Reading reading(kind_, width, lane);
    const Label counts = table_.make(Op::And, 16, by, number(reading.bits_that_count(), 16));
    const Label nothing = number(0, 64);
    Label result = value(lane);
    for (unsigned from = 0; from < kLanes; ++from)
      if (const auto half = reading.half_for(from); half && from != lane)
        result = choice(
            table_.make(Op::Equal, 1, counts, number(*half, 16)),
            takes_part(from) ? choice(named(lane, from), value(from), nothing) : nothing, result);
    return result;
  }

  Label shuffled(unsigned lane) {
    const auto [by, width] = parameter_of(lane);
    const unsigned now = slots_.parameter[first_ + lane] >> 16;
    Label result = read_by(lane, now, by);
    for (unsigned one = 1; one <= kLanes && width; one *= 2)
      if (one != now)
        result = choice(table_.make(Op::Equal, 1, width, number(one, 16)), read_by(lane, one, by),
                        result);
    return result;
  }

  Table& table_;
  const gputest_slots& slots_;
  gputest_u64 first_;
  gputest_u32 lanes_;
  unsigned kind_ = 0;
  std::array<Label, kLanes> values_{}, masks_{}, parameters_{}; // of those that take part
  Label any_ = 0;
  bool masked_ = false;
};

} // namespace

void label_answer(Recorder& recorder, const gputest_slots& slots, gputest_u64 first,
                  gputest_u32 lanes) {
  const auto one = first + static_cast<unsigned>(__builtin_ctz(lanes));
  if (slots.kind[one] != GPUTEST_WARP_ACTIVE) {
    Answer(recorder, slots, first, lanes).label_results();
    return;
  }
  const Label label = label_of_arrivals(recorder, slots.site[one], first, lanes);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (lanes >> lane & 1)
      set_label(slots.result[first + lane], label);
}

void label_votes(Recorder& recorder, const gputest_slots& slots, const gputest_u32* statuses,
                 gputest_u64 items) {
  Table& table = recorder.table;
  std::uint64_t here = 0, counted = 0;
  bool asks = false;
  std::vector<Label> votes;
  for (gputest_u64 item = 0; item < items; ++item) {
    if (!statuses[item])
      continue;
    ++here;
    if (slots.kind[item] != GPUTEST_BLOCK_VOTE)
      continue;
    asks = true;
    if (const Label value = label_of(recorder, slots.value[item]))
      votes.push_back(table.make(
          Op::ZExt, 32, table.negation(table.make(Op::Equal, 1, value, table.constant(0, 64)))));
    else
      counted += slots.value[item] != 0;
  }
  if (!asks)
    return;
  Label label = 0;
  if (!votes.empty()) {
    votes.push_back(table.constant(counted, 32));
    const Label sum =
        together(std::move(votes), [&](Label a, Label b) { return table.make(Op::Add, 32, a, b); });
    label = table.make(Op::Concat, 64, table.constant(here, 32), sum);
  }
  for (gputest_u64 item = 0; item < items; ++item)
    set_label(slots.result[item], label);
}

} // namespace gputest::testgen
