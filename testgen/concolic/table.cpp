// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/table.h"

#include "testgen/concolic/evaluate.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>

namespace gputest::testgen {
namespace {

constexpr std::size_t kFirstSlots = 1 << 12, kConstants = 1 << 8;

// The products do not wait for each other.
std::uint64_t hash_of(const Node& node) {
  const std::uint64_t what = std::uint64_t{node.a} << 32 | std::uint64_t{node.bits} << 8 |
                             static_cast<std::uint64_t>(node.op);
  const std::uint64_t others = std::uint64_t{node.b} << 32 | node.c;
  const std::uint64_t hash = what * 0x9e3779b97f4a7c15U ^
                             std::rotl(others * 0xbf58476d1ce4e5b9U, 23) ^
                             std::rotl(node.number * 0x94d049bb133111ebU, 46);
  return hash ^ hash >> 32;
}

bool commutes(Op op) {
  return op == Op::Add || op == Op::Mul || op == Op::And || op == Op::Or || op == Op::Xor ||
         op == Op::Equal || op == Op::FEqual || op == Op::FUnordered;
}

bool is_constant(const Table& table, Label label) {
  return table[label].op == Op::Constant;
}

bool is_number(const Table& table, Label label, std::uint64_t number) {
  return is_constant(table, label) && table[label].number == number;
}

} // namespace

unsigned operands(const Node& node) {
  return node.c ? 3 : node.b ? 2 : node.a ? 1 : 0;
}

Table::Table(std::span<const std::uint8_t> inputs, std::size_t limit)
    : slots_(kFirstSlots), constants_(kConstants), inputs_(inputs.size()),
      limit_(std::min(limit, kMost)) {
  nodes_.resize(1 + inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) { // never looked up: nobody makes one
    nodes_[i + 1].op = Op::Input;
    nodes_[i + 1].bits = inputs[i];
    nodes_[i + 1].number = i;
  }
}

void Table::reserve(std::size_t nodes) {
  nodes_.reserve(std::min(nodes, limit_));
}

Label Table::add_input(unsigned bits) {
  nodes_.push_back({Op::Input, static_cast<std::uint8_t>(bits), 0, 0, 0, inputs_++});
  return end() - 1;
}

void Table::rehash(std::size_t size) {
  slots_.assign(size, 0);
  for (Label label = 1; label < nodes_.size(); ++label) {
    if (nodes_[label].op == Op::Input)
      continue;
    std::size_t at = hash_of(nodes_[label]) & (size - 1);
    while (slots_[at])
      at = (at + 1) & (size - 1);
    slots_[at] = label;
  }
}

Label Table::intern(const Node& node) {
  std::size_t at = hash_of(node) & (slots_.size() - 1);
  for (; slots_[at]; at = (at + 1) & (slots_.size() - 1))
    if (nodes_[slots_[at]] == node)
      return slots_[at];
  if (nodes_.size() >= limit_) {
    full_ = true;
    return 0;
  }
  nodes_.push_back(node);
  slots_[at] = end() - 1;
  if (nodes_.size() * 2 > slots_.size())
    rehash(slots_.size() * 4);
  return end() - 1;
}

Label Table::constant(std::uint64_t number, unsigned bits) {
  number = cut(number, bits);
  Label& known = constants_[(number * 0x9e3779b97f4a7c15U >> 32 ^ bits) & (kConstants - 1)];
  if (const Node& node = nodes_[known]; known && node.bits == bits && node.number == number)
    return known;
  return known = intern({Op::Constant, static_cast<std::uint8_t>(bits), 0, 0, 0, number});
}

// The label of something of the same value, or 0 where the node stays, perhaps changed.
Label Table::simplified(Node& node) {
  const auto number = [&](Label label) { return nodes_[label].number; };
  const unsigned bits = node.bits;
  const std::uint64_t ones = cut(~std::uint64_t{0}, bits);
  if (commutes(node.op) && is_constant(*this, node.a) && !is_constant(*this, node.b))
    std::swap(node.a, node.b);
  const unsigned count = operands(node);
  if (node.op != Op::Call && count > 0 && is_constant(*this, node.a) &&
      (count < 2 || is_constant(*this, node.b)) && (count < 3 || is_constant(*this, node.c)))
    return constant(apply(node, nodes_[node.a].bits, number(node.a), count > 1 ? number(node.b) : 0,
                          count > 2 ? number(node.c) : 0),
                    bits);
  switch (node.op) {
  case Op::Sub:
    if (node.a == node.b)
      return constant(0, bits);
    if (!is_constant(*this, node.b))
      break;
    node = {Op::Add, node.bits, node.a, constant(0 - number(node.b), bits), 0, 0};
    [[fallthrough]];
  case Op::Add:
    if (is_number(*this, node.b, 0))
      return node.a;
    if (is_constant(*this, node.b) && nodes_[node.a].op == Op::Add &&
        is_constant(*this, nodes_[node.a].b))
      return make(Op::Add, bits, nodes_[node.a].a,
                  constant(number(node.b) + number(nodes_[node.a].b), bits));
    break;
  case Op::Mul:
    if (is_number(*this, node.b, 1))
      return node.a;
    if (is_number(*this, node.b, 0))
      return node.b;
    break;
  case Op::And:
    if (is_number(*this, node.b, ones) || node.a == node.b)
      return node.a;
    if (is_number(*this, node.b, 0))
      return node.b;
    break;
  case Op::Or:
    if (is_number(*this, node.b, 0) || node.a == node.b)
      return node.a;
    if (is_number(*this, node.b, ones))
      return node.b;
    break;
  case Op::Xor:
    if (is_number(*this, node.b, 0))
      return node.a;
    if (is_constant(*this, node.b) && nodes_[node.a].op == Op::Xor &&
        is_constant(*this, nodes_[node.a].b))
      return make(Op::Xor, bits, nodes_[node.a].a,
                  constant(number(node.b) ^ number(nodes_[node.a].b), bits));
    break;
  case Op::Shl:
  case Op::LShr:
  case Op::AShr:
    if (is_number(*this, node.b, 0))
      return node.a;
    break;
  case Op::Equal:
    if (node.a == node.b)
      return constant(1, 1);
    if (is_constant(*this, node.b)) {
      const Node left = nodes_[node.a];
      if (left.op == Op::ZExt) { // a condition as a number, and back
        const unsigned narrow = nodes_[left.a].bits;
        if (number(node.b) != cut(number(node.b), narrow))
          return constant(0, 1);
        return make(Op::Equal, 1, left.a, constant(number(node.b), narrow));
      }
      if (left.bits == 1)
        return number(node.b) ? node.a : negation(node.a);
    }
    break;
  case Op::ZExt:
  case Op::SExt:
    if (nodes_[node.a].bits == bits)
      return node.a;
    if (nodes_[node.a].op == Op::ZExt)
      return make(Op::ZExt, bits, nodes_[node.a].a);
    break;
  case Op::Trunc:
    return make(Op::Extract, bits, node.a, 0, 0, 0);
  case Op::Extract: {
    const Node from = nodes_[node.a];
    const std::uint64_t low = node.number;
    if (low == 0 && from.bits == bits)
      return node.a;
    if (from.op == Op::Extract)
      return make(Op::Extract, bits, from.a, 0, 0, low + from.number);
    if (from.op == Op::Concat) {
      const unsigned lower = nodes_[from.b].bits;
      if (low + bits <= lower)
        return make(Op::Extract, bits, from.b, 0, 0, low);
      if (low >= lower)
        return make(Op::Extract, bits, from.a, 0, 0, low - lower);
    }
    if (from.op == Op::ZExt || from.op == Op::SExt) {
      const unsigned narrow = nodes_[from.a].bits;
      if (low + bits <= narrow)
        return make(Op::Extract, bits, from.a, 0, 0, low);
      if (from.op == Op::ZExt && low >= narrow)
        return constant(0, bits);
      if (low == 0)
        return make(from.op, bits, from.a);
    }
    break;
  }
  case Op::Concat: {
    const Node high = nodes_[node.a], low = nodes_[node.b];
    if (high.op == Op::Extract && low.op == Op::Extract && high.a == low.a &&
        high.number == low.number + low.bits)
      return make(Op::Extract, bits, low.a, 0, 0, low.number);
    if (is_number(*this, node.a, 0))
      return make(Op::ZExt, bits, node.b);
    break;
  }
  case Op::Select:
    if (is_constant(*this, node.a))
      return number(node.a) ? node.b : node.c;
    if (node.b == node.c)
      return node.b;
    if (bits == 1 && is_number(*this, node.b, 1) && is_number(*this, node.c, 0))
      return node.a;
    if (bits == 1 && is_number(*this, node.c, 0)) // a && b
      return make(Op::And, 1, node.a, node.b);
    if (bits == 1 && is_number(*this, node.b, 1)) // a || c
      return make(Op::Or, 1, node.a, node.c);
    break;
  default:
    break;
  }
  return 0;
}

Label Table::make(Op op, unsigned bits, Label a, Label b, Label c, std::uint64_t number) {
  Node node{op, static_cast<std::uint8_t>(bits), a, b, c, number};
  if (full_) // operands may be missing
    return 0;
  const Label simpler = simplified(node);
  return simpler || full_ ? simpler : intern(node);
}

namespace {

constexpr std::size_t kLabelsOfPart = 64; // that a pass over labels takes in the time of one part

// Follows the roots part by part. nullopt: they have more parts than `most`.
std::optional<std::vector<Label>> few_parts_of(const Table& table, std::span<const Label> roots,
                                               std::size_t most) {
  std::vector<Label> parts;
  std::unordered_set<Label> seen{0};
  const auto add = [&](Label label) {
    if (seen.insert(label).second)
      parts.push_back(label);
  };
  std::ranges::for_each(roots, add);
  for (std::size_t i = 0; i < parts.size() && parts.size() <= most; ++i) {
    const Node& node = table[parts[i]];
    add(node.a);
    add(node.b);
    add(node.c);
  }
  if (parts.size() > most)
    return std::nullopt;
  std::ranges::sort(parts);
  return parts;
}

} // namespace

std::vector<Label> parts_of(const Table& table, std::span<const Label> roots) {
  std::vector<bool> in;
  Label top = 0;
  for (const Label root : roots)
    top = std::max(top, root);
  if (auto few = few_parts_of(table, roots, top / kLabelsOfPart))
    return std::move(*few);
  in.resize(top + std::size_t{1});
  for (const Label root : roots)
    in[root] = true;
  std::size_t count = 0;
  for (Label label = top; label > 0; --label)
    if (in[label]) {
      const Node& node = table[label];
      in[node.a] = in[node.b] = in[node.c] = true;
      ++count;
    }
  std::vector<Label> parts;
  parts.reserve(count);
  for (Label label = 1; label <= top && top > 0; ++label)
    if (in[label])
      parts.push_back(label);
  return parts;
}

Label replaced(Table& table, Label root, const std::map<Label, Label>& by) {
  std::map<Label, Label> made{{0, 0}};
  for (const Label part : parts_of(table, std::span(&root, 1))) {
    const Node node = table[part];
    const auto given = by.find(part);
    const Label a = made.at(node.a), b = made.at(node.b), c = made.at(node.c);
    made[part] = given != by.end() ? given->second
                 : a == node.a && b == node.b && c == node.c
                     ? part
                     : table.make(node.op, node.bits, a, b, c, node.number);
    if (made[part] == 0)
      return 0;
  }
  return made.at(root);
}

} // namespace gputest::testgen
