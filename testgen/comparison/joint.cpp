// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/joint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace gputest::testgen {
namespace {

constexpr double kDistinct = 1e-2; // relative: floating-point outputs that surely differ

// Labels of the first kernel's table in the joint one.
class Import {
public:
  Import(const Pairing& pairing, const Traced& first, const Traced& second, Table& table,
         Functions& functions)
      : first_(first), second_(second), table_(table), functions_(functions),
        labels_(first.table.end()) {
    std::map<std::tuple<std::uint32_t, std::uint64_t>, std::size_t> places;
    for (std::size_t i = 0; i < second.units.size(); ++i)
      if (second.units[i].kind == Unit::Kind::Argument)
        places[{second.units[i].argument, second.units[i].offset}] = i;
    for (const Unit& unit : first.units) {
      const auto other =
          unit.kind == Unit::Kind::Argument ? pairing.second_of()[unit.argument] : std::nullopt;
      const auto found =
          other ? places.find({static_cast<std::uint32_t>(*other), unit.offset}) : places.end();
      units_.push_back(found == places.end() ? 0 : input(unit, found->second, pairing));
    }
  }

  // Returns whether all of these could be imported.
  bool take(std::span<const Label> roots) {
    for (const Label part : parts_of(first_.table, roots)) {
      if (labels_[part])
        continue;
      const Node& node = first_.table[part];
      const auto label = [&](Label operand) { return operand ? labels_[operand] : 0; };
      if (node.op == Op::Input)
        labels_[part] = units_[node.number];
      else if (node.op == Op::Constant)
        labels_[part] = table_.constant(node.number, node.bits);
      else
        labels_[part] = table_.make(node.op, node.bits, label(node.a), label(node.b), label(node.c),
                                    node.op == Op::Call ? function(node.number) : node.number);
      if (!labels_[part])
        return false;
    }
    return true;
  }
  Label operator[](Label label) const { return label ? labels_[label] : 0; }

private:
  Label input(const Unit& unit, std::size_t place, const Pairing& pairing) {
    const Unit& other = second_.units[place];
    const Label label = table_.input(place);
    if (unit.size == other.size)
      return label;
    // An integer by value of another type has the same number.
    const ir::Parameter& ours = first_.shape->parameters[unit.argument];
    if (ours.kind != ir::Parameter::Kind::Value || unit.floating || other.floating ||
        unit.offset != 0)
      return 0;
    if (unit.size < other.size)
      return table_.make(Op::Trunc, 8 * unit.size, label);
    return table_.make(pairing.is_signed_in_second(unit.argument) ? Op::SExt : Op::ZExt,
                       8 * unit.size, label);
  }

  // Functions of the same name are the same.
  std::uint64_t function(std::uint64_t number) {
    const Function& wanted = first_.functions->all[number];
    const auto known = std::ranges::find(functions_.all, wanted.name, &Function::name);
    if (known != functions_.all.end())
      return static_cast<std::uint64_t>(known - functions_.all.begin());
    functions_.all.push_back(wanted);
    return functions_.all.size() - 1;
  }

  const Traced &first_, &second_;
  Table& table_;
  Functions& functions_;
  std::vector<Label> labels_;
  std::vector<Label> units_; // by unit of the first
};

// Returns the condition that two values differ, numbers by more than rounding.
Label distinct(Table& table, Label a, Label b, unsigned bits, bool floating) {
  if (!floating || (bits != 32 && bits != 64))
    return table.negation(table.make(Op::Equal, 1, a, b));
  const std::uint64_t share = bits == 32
                                  ? std::bit_cast<std::uint32_t>(static_cast<float>(kDistinct))
                                  : std::bit_cast<std::uint64_t>(kDistinct);
  const Label allowed =
      table.make(Op::FMul, bits, table.make(Op::FAbs, bits, b), table.constant(share, bits));
  return table.make(Op::FLess, 1, allowed,
                    table.make(Op::FAbs, bits, table.make(Op::FSub, bits, a, b)));
}

// The functions of both, and what owns their code.
std::shared_ptr<Functions> functions_of(const Traced& first, const Traced& second) {
  using Owner = std::pair<std::shared_ptr<const Functions>, std::shared_ptr<const Functions>>;
  auto both = std::make_shared<Functions>();
  if (second.functions)
    both->all = second.functions->all;
  both->code = std::make_shared<Owner>(first.functions, second.functions);
  return both;
}

} // namespace

std::optional<Joint> joined(const Pairing& pairing, const Traced& first, const Traced& second,
                            Later later) {
  Joint joint{.traced = second, .outputs = {}};
  Traced& traced = joint.traced;
  const std::shared_ptr<Functions> functions = functions_of(first, second);
  Import import(pairing, first, second, traced.table, *functions);
  std::vector<Label> roots;
  for (const Event& event : first.events)
    roots.push_back(event.label);
  for (const TracedOutput& output : first.outputs)
    if (output.label)
      roots.push_back(output.label);
  if (!import.take(roots))
    return std::nullopt;
  traced.functions = functions;

  auto sites = std::make_shared<std::vector<TracedSite>>(*second.sites);
  const auto shift = static_cast<std::uint32_t>(sites->size());
  sites->insert(sites->end(), first.sites->begin(), first.sites->end());
  traced.sites = sites;
  std::vector<Event> events = first.events;
  for (Event& event : events) {
    event.site += shift;
    event.label = import[event.label];
  }
  joint.own = later == Later::First ? second.events.size() : events.size();
  traced.events.insert(later == Later::First ? traced.events.end() : traced.events.begin(),
                       events.begin(), events.end());

  std::map<std::tuple<std::uint32_t, std::uint64_t>, const TracedOutput*> places;
  for (const TracedOutput& output : second.outputs)
    places[{output.argument, output.offset}] = &output;
  for (const TracedOutput& ours : first.outputs) {
    const auto other = pairing.second_of()[ours.argument];
    const auto found =
        other ? places.find({static_cast<std::uint32_t>(*other), ours.offset}) : places.end();
    if (found == places.end() || found->second->size != ours.size)
      continue;
    const TracedOutput& theirs = *found->second;
    const unsigned bits = 8 * ours.size;
    const auto label = [&](Label known, std::uint64_t value) {
      return known ? known : traced.table.constant(value, bits);
    };
    const Label a = label(import[ours.label], ours.value), b = label(theirs.label, theirs.value);
    if (a == b)
      continue;
    const Label differs = distinct(traced.table, a, b, bits, theirs.floating);
    if (differs && traced.table[differs].op != Op::Constant)
      joint.outputs.push_back({theirs.argument, theirs.offset, differs});
  }
  if (traced.table.full())
    return std::nullopt;
  return joint;
}

} // namespace gputest::testgen
