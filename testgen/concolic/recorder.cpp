// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/recorder.h"

#include "simulator/execute/steps.h"
#include "simulator/memory/guard.h"
#include "testgen/concolic/composed.h"
#include "testgen/concolic/warps.h"

#include <algorithm>
#include <cstring>

namespace gputest::testgen {
namespace {

// Functions called by name have no object: the one place for what they need.
Recorder* running = nullptr; // NOLINT

// Labels of what the context says of the launch's sizes, by its words.
std::array<Label, kLaunchWords> launch_labels; // NOLINT

constexpr Label kNode = (Label{1} << kByteShift) - 1;

// Launches with more nodes and events take a little longer.
constexpr std::size_t kUsualNodes = 1 << 16, kUsualEvents = 1 << 17;

// What KnownOperations tells operations apart by: the operation, its widths, and which of its
// operands have labels.
constexpr std::uint32_t what_of(Op op, std::uint32_t bits, bool a = true, bool b = true) {
  return static_cast<std::uint32_t>(op) | bits << 8 | std::uint32_t{a} << 15 |
         std::uint32_t{b} << 23;
}
constexpr std::uint32_t kDecision = 0x80; // with an operation: 0 instead of a constant

void put(std::uint32_t* shadow, Label label, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    shadow[i] = label | i << kByteShift;
}

std::uint64_t number_at(const std::byte* address, unsigned bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, address, bytes);
  return number;
}

} // namespace

Recorder::Recorder(const ir::KernelShape& shape, const Code& traced, const std::vector<Unit>& units,
                   Table start, Limits limits)
    : table(std::move(start)), code(traced), shape_(shape), units_(units), limits_(limits) {
  running = this;
  launch_labels = {};
  table.reserve(table.end() + kUsualNodes);
  events.reserve(std::min(limits.events, kUsualEvents));
}

Recorder::~Recorder() {
  running = nullptr;
}

Label Recorder::unary(Op op, unsigned bits, Label a, std::uint64_t number) {
  return known_.find(what_of(op, bits), {a, number},
                     [&] { return table.make(op, bits, a, 0, 0, number); });
}

Label Recorder::binary(Op op, std::uint32_t bits, Label a, Label b, std::uint64_t value_a,
                       std::uint64_t value_b) {
  return known_.find(what_of(op, bits, a, b), {a ? a : value_a, b ? b : value_b},
                     [&] { return make(op, bits, a, b, value_a, value_b); });
}

Label Recorder::make(Op op, std::uint32_t bits, Label a, Label b, std::uint64_t value_a,
                     std::uint64_t value_b) {
  const Label first = a ? a : table.constant(value_a, bits & 0xff);
  const Label second = b ? b : table.constant(value_b, bits >> 8 & 0xff);
  return table.make(op, bits >> 16, first, second);
}

Label Recorder::chain(std::uint32_t number, const std::array<Label, Chain::kMostInputs>& labels,
                      const ChainOperands& values) {
  ChainOperands operands = values;
  std::uint32_t what = number + 1;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    what = what << 1 | (labels[i] != 0);
    if (labels[i])
      operands[i] = labels[i];
  }
  return known_chains_.find(what, operands,
                            [&] { return make(code.chains[number], labels, values); });
}

Label Recorder::make(const Chain& chain, const std::array<Label, Chain::kMostInputs>& labels,
                     const ChainOperands& values) {
  struct Part {
    Label label = 0;
    std::uint64_t value = 0;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < chain.inputs; ++i)
    parts.push_back({labels[i], values[i]});
  const auto part_of = [&](const Chain::Operand& operand) {
    return operand.is_constant ? Part{0, operand.value} : parts[operand.place];
  };
  for (const Chain::Step& step : chain.steps) {
    const Part a = part_of(step.a), b = step.operands == 2 ? part_of(step.b) : Part{};
    Part result;
    if (a.label || b.label) { // else it is a number, like the kernel's
      const auto label_of = [&](const Part& part, unsigned bits) {
        return part.label ? part.label : table.constant(part.value, bits);
      };
      const Label first = label_of(a, step.a.bits);
      result.label =
          table.make(step.op, step.bits, first, step.operands == 2 ? label_of(b, step.b.bits) : 0);
    } else {
      const Node node{.op = step.op, .bits = step.bits};
      result.value =
          apply(node, step.a.bits, cut(a.value, step.a.bits), cut(b.value, step.b.bits), 0);
    }
    parts.push_back(result);
  }
  return parts.back().label;
}

void Recorder::add_event(std::uint32_t site, std::uint32_t item, Label label, std::uint32_t object,
                         std::uint64_t value, std::uint32_t bytes) {
  if (!label)
    return;
  if (events.size() == limits_.events) {
    complete = false;
    return;
  }
  Event& event = events.emplace_back(); // in place: a copy would wait for its parts
  event.site = site;
  event.item = item;
  event.label = label;
  event.object = object;
  event.value = value;
  event.bytes = bytes;
}

void Recorder::record(const Event& event) {
  add_event(event.site, event.item, unless_constant(event.label), event.object, event.value,
            event.bytes);
}

void Recorder::decide(std::uint32_t site, std::uint32_t item, std::uint64_t value, Op op,
                      std::uint32_t bits, Label a, Label b, std::uint64_t value_a,
                      std::uint64_t value_b) {
  const Label label =
      known_.find(what_of(op, bits, a, b) | kDecision, {a ? a : value_a, b ? b : value_b},
                  [&] { return unless_constant(make(op, bits, a, b, value_a, value_b)); });
  add_event(site, item, label, Event::kNoObject, value, 0);
}

// Where arguments lie is known when the first work-item begins.
void Recorder::begin_launch(gputest_context& context, std::byte* arguments) {
  context_ = &context;
  buffers_.assign(shape_.parameters.size(), nullptr);
  for (std::size_t i = 0; i < shape_.objects.size() && i < context.object_count; ++i) {
    const ir::Object& object = shape_.objects[i];
    if (object.kind == ir::Object::Kind::Argument && !shape_.is_local(object))
      buffers_[object.parameter] = reinterpret_cast<std::byte*>(context.objects[i].begin);
  }
  std::array<Label, 3> global{}, local{};
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const Unit& unit = units_[i];
    const Label label = table.input(i);
    if (unit.kind == Unit::Kind::GlobalSize)
      launch_labels[unit.offset] = global[unit.offset] = label;
    if (unit.kind == Unit::Kind::LocalSize)
      launch_labels[3 + unit.offset] = local[unit.offset] = label;
    if (unit.kind == Unit::Kind::GlobalOffset)
      launch_labels[9 + unit.offset] = label;
    if (unit.kind != Unit::Kind::Argument)
      continue;
    const ir::Parameter& parameter = shape_.parameters[unit.argument];
    std::byte* const begin = parameter.kind == ir::Parameter::Kind::Value
                                 ? arguments + parameter.offset
                                 : buffers_[unit.argument];
    if (begin)
      put(shadow_of(begin + unit.offset), label, unit.size);
  }
  local_sizes_ = local;
  for (unsigned i = 0; i < 3; ++i)
    if (global[i] || local[i]) { // groups: rounded up
      const auto size = [&](Label label, std::uint64_t number) {
        return label ? label : table.constant(number, 64);
      };
      const Label width = size(local[i], context.enqueued_local_size[i]);
      const Label last = table.make(Op::Add, 64, size(global[i], context.global_size[i]),
                                    table.make(Op::Add, 64, width, table.constant(~0ULL, 64)));
      launch_labels[6 + i] = table.make(Op::UDiv, 64, last, width);
    }
}

std::uint32_t Recorder::begin_item(gputest_context& context, std::byte* arguments,
                                   std::uint64_t item) {
  if (!began_)
    begin_launch(context, arguments);
  began_ = true;
  const std::uint64_t group =
      (context.group_id[2] * context.num_groups[1] + context.group_id[1]) * context.num_groups[0] +
      context.group_id[0];
  if (group != group_) // nobody has written __local memory yet
    for (std::size_t i = 0; i < shape_.objects.size() && i < context.object_count; ++i)
      if (shape_.is_local(shape_.objects[i]) && context.objects[i].begin)
        std::memset(shadow_of(context.objects[i].begin), 0, 4 * context.objects[i].size);
  if (group != group_) // a group that is not full has the size that is left
    for (unsigned i = 0; i < 3; ++i)
      launch_labels[kLaunchWords - 3 + i] =
          context.local_size[i] == context.enqueued_local_size[i] ? local_sizes_[i] : 0;
  const std::uint64_t full = context.enqueued_local_size[0] * context.enqueued_local_size[1] *
                             context.enqueued_local_size[2];
  if (group != group_) {
    events_begin = events.size();
    items_begin = static_cast<std::uint32_t>(group * full);
  }
  group_ = group;
  return items_begin + static_cast<std::uint32_t>(item);
}

Label Recorder::load(const std::uint32_t* shadow, const std::byte* copy, unsigned bytes) {
  const Label first = shadow[0];
  bool whole = first != 0 && first >> kByteShift == 0 && table[first].bits == 8 * bytes;
  Label any = first;
  for (unsigned i = 1; i < bytes; ++i) {
    any |= shadow[i];
    whole = whole && shadow[i] == (first | i << kByteShift);
  }
  if (whole || !any)
    return first;
  Label label = 0; // runs of bytes of one node, the highest first
  for (unsigned end = bytes; end > 0;) {
    unsigned begin = end - 1;
    const Label node = shadow[begin] & kNode;
    while (begin > 0 && (node ? shadow[begin - 1] == shadow[begin] - (Label{1} << kByteShift) &&
                                    shadow[begin] >> kByteShift != 0
                              : shadow[begin - 1] == 0))
      --begin;
    const Label run = node
                          ? table.make(Op::Extract, 8 * (end - begin), node, 0, 0,
                                       8 * (shadow[begin] >> kByteShift))
                          : table.constant(number_at(copy + begin, end - begin), 8 * (end - begin));
    label = label ? table.make(Op::Concat, 8 * (bytes - begin), label, run) : run;
    if (!label) // the table is full
      return 0;
    end = begin;
  }
  return label;
}

std::uint32_t Recorder::access(std::uint32_t site, std::uint32_t item, Label place,
                               const std::byte* address, unsigned bytes) {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  for (std::uint32_t i = 0; i < context_->object_count; ++i) {
    const auto& object = context_->objects[i];
    const auto begin = reinterpret_cast<std::uint64_t>(object.begin);
    if (!begin || at - begin >= object.size)
      continue;
    Offset& known = offsets_[place % kOffsets];
    if (known.address != place || known.begin != begin)
      known = {place,
               unless_constant(table.make(Op::Add, 64, place, table.constant(0 - begin, 64))),
               begin};
    add_event(site, item, known.label, i, at - begin, bytes);
    return i;
  }
  add_event(site, item, unless_constant(place), Event::kNoObject, at, bytes);
  return Event::kNoObject;
}

Label Recorder::read(std::uint32_t site, std::uint32_t item, Label place, const std::byte* address,
                     unsigned bytes, const std::byte* begin, std::uint64_t size) {
  const Label here = load(address, bytes);
  if (!place)
    return here;
  const std::uint32_t number = access(site, item, place, address, bytes);
  if (number != Event::kNoObject) {
    begin = reinterpret_cast<const std::byte*>(context_->objects[number].begin);
    size = context_->objects[number].size;
  }
  if (!begin || size / bytes > limits_.table_reads ||
      static_cast<std::uint64_t>(address - begin) % bytes != 0)
    return here;
  // Any element: offset == 0 ? first : offset == bytes ? second : …
  const Label offset = table.make(Op::Add, 64, place,
                                  table.constant(0 - reinterpret_cast<std::uint64_t>(begin), 64));
  Label label = here ? here : table.constant(number_at(address, bytes), 8 * bytes);
  for (std::uint64_t at = 0; at + bytes <= size; at += bytes) {
    if (begin + at == address)
      continue;
    Label element = load(begin + at, bytes);
    if (!element)
      element = table.constant(number_at(begin + at, bytes), 8 * bytes);
    label = table.make(Op::Select, 8 * bytes,
                       table.make(Op::Equal, 1, offset, table.constant(at, 64)), element, label);
  }
  return label;
}

namespace {

Label or_constant(Label label, std::uint64_t number, unsigned bits) {
  return label ? label : running->table.constant(number, bits);
}

constexpr std::int64_t kStepsOfCall = 64; // an iteration is one

// The recorder, for a call from the kernel's code.
[[gnu::always_inline]] inline Recorder& called(std::int64_t steps = kStepsOfCall) {
  if ((simulator::steps_left -= steps) < 0)
    simulator::end_endless(__builtin_return_address(0));
  return *running;
}

extern "C" {
std::uint32_t gputest_label_begin(gputest_context* context, std::byte* arguments,
                                  std::uint64_t item, const void* const* calls) {
  Recorder& recorder = called(1);
  recorder.calls = calls;
  return recorder.begin_item(*context, arguments, item);
}
Label gputest_label_unary(std::uint32_t op, std::uint32_t bits, Label a, std::uint64_t number) {
  return called().unary(static_cast<Op>(op), bits, a, number);
}
Label gputest_label_binary(std::uint32_t op, std::uint32_t bits, Label a, Label b,
                           std::uint64_t value_a, std::uint64_t value_b) {
  return called().binary(static_cast<Op>(op), bits, a, b, value_a, value_b);
}
Label gputest_label_chain(std::uint32_t number, Label a, Label b, Label c, Label d,
                          std::uint64_t value_a, std::uint64_t value_b, std::uint64_t value_c,
                          std::uint64_t value_d) {
  return called().chain(number, {a, b, c, d}, {value_a, value_b, value_c, value_d});
}
// A comparison that only a branch uses, which goes the way `value`.
void gputest_label_decision(std::uint32_t op, std::uint32_t bits, Label a, Label b,
                            std::uint64_t value_a, std::uint64_t value_b, std::uint64_t value,
                            std::uint32_t site, std::uint32_t item) {
  called().decide(site, item, value, static_cast<Op>(op), bits, a, b, value_a, value_b);
}
Label gputest_label_ternary(std::uint32_t op, std::uint32_t bits, Label a, Label b, Label c,
                            std::uint64_t value_a, std::uint64_t value_b, std::uint64_t value_c) {
  Table& table = called().table;
  if (static_cast<Op>(op) == Op::Select && !a)
    return value_a ? b : c;
  const unsigned first = static_cast<Op>(op) == Op::Select ? 1 : bits;
  return table.make(static_cast<Op>(op), bits, or_constant(a, value_a, first),
                    or_constant(b, value_b, bits), or_constant(c, value_c, bits));
}
Label gputest_label_composed(std::uint32_t operation, std::uint32_t bits, Label a, Label b, Label c,
                             std::uint64_t value_a, std::uint64_t value_b, std::uint64_t value_c) {
  return compose(called().table, static_cast<Composed>(operation), bits,
                 {or_constant(a, value_a, bits), or_constant(b, value_b, bits),
                  or_constant(c, value_c, bits)});
}
// `bits`: of the operands, 8 each, the first lowest, and above them those of the result.
Label gputest_label_call(std::uint32_t number, std::uint32_t bits, Label a, Label b, Label c,
                         std::uint64_t value_a, std::uint64_t value_b, std::uint64_t value_c) {
  const auto operand = [&](Label label, std::uint64_t value, unsigned shift) {
    const unsigned width = bits >> shift & 0xff;
    return width ? or_constant(label, value, width) : 0;
  };
  return called().table.make(Op::Call, bits >> 24, operand(a, value_a, 0), operand(b, value_b, 8),
                             operand(c, value_c, 16), number);
}
Label gputest_label_load(const std::byte* address, std::uint32_t bytes) {
  return called().load(address, bytes);
}
Label gputest_label_read(const std::byte* address, std::uint32_t bytes, Label place,
                         std::uint32_t site, std::uint32_t item, const std::byte* begin,
                         std::uint64_t size) {
  return called().read(site, item, place, address, bytes, begin, size);
}
void gputest_label_access(const std::byte* address, std::uint32_t bytes, Label place,
                          std::uint32_t site, std::uint32_t item) {
  called().access(site, item, place, address, bytes);
}
void gputest_label_event(std::uint32_t site, std::uint32_t item, Label label, std::uint64_t value) {
  called().record({.site = site, .item = item, .label = label, .value = value});
}
void gputest_label_move(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  std::memmove(shadow_of(to), shadow_of(from), 4 * bytes);
}
void gputest_label_fill(std::byte* to, Label label, std::uint64_t bytes) {
  std::fill_n(shadow_of(to), bytes, label);
}
void gputest_label_answer(const gputest_slots* slots, gputest_u64 first, gputest_u64 lanes) {
  label_answer(called(), *slots, first, static_cast<gputest_u32>(lanes));
}
void gputest_label_votes(const gputest_slots* slots, const gputest_u32* statuses,
                         gputest_u64 items) {
  label_votes(called(), *slots, statuses, items);
}
}

} // namespace

std::vector<simulator::NativeSymbol> recorder_symbols() {
  return {{"gputest_label_begin", reinterpret_cast<void*>(&gputest_label_begin)},
          {"gputest_label_unary", reinterpret_cast<void*>(&gputest_label_unary)},
          {"gputest_label_binary", reinterpret_cast<void*>(&gputest_label_binary)},
          {"gputest_label_chain", reinterpret_cast<void*>(&gputest_label_chain)},
          {"gputest_label_decision", reinterpret_cast<void*>(&gputest_label_decision)},
          {"gputest_label_ternary", reinterpret_cast<void*>(&gputest_label_ternary)},
          {"gputest_label_composed", reinterpret_cast<void*>(&gputest_label_composed)},
          {"gputest_label_call", reinterpret_cast<void*>(&gputest_label_call)},
          {"gputest_label_load", reinterpret_cast<void*>(&gputest_label_load)},
          {"gputest_label_read", reinterpret_cast<void*>(&gputest_label_read)},
          {"gputest_label_access", reinterpret_cast<void*>(&gputest_label_access)},
          {"gputest_label_event", reinterpret_cast<void*>(&gputest_label_event)},
          {"gputest_label_move", reinterpret_cast<void*>(&gputest_label_move)},
          {"gputest_label_fill", reinterpret_cast<void*>(&gputest_label_fill)},
          {"gputest_label_answer", reinterpret_cast<void*>(&gputest_label_answer)},
          {"gputest_label_votes", reinterpret_cast<void*>(&gputest_label_votes)},
          {"gputest_launch_labels", launch_labels.data()}};
}

} // namespace gputest::testgen
