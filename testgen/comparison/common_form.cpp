// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/common_form.h"

#include <utility>

namespace gputest::testgen {
namespace {

// Also those of floating-point numbers: the order of two operands changes no result.
bool has_any_order(Op op) {
  return op == Op::Add || op == Op::Mul || op == Op::And || op == Op::Or || op == Op::Xor ||
         op == Op::Equal || op == Op::FAdd || op == Op::FMul || op == Op::FEqual ||
         op == Op::FMulAdd;
}

} // namespace

// A product of the id and the size of a group, of 64 bits or, as CUDA's threads compute it, of
// their lowest 32. 0: it is another product.
Label CommonForm::first_item(Label a, Label b, unsigned bits) {
  if (bits != 64) {
    for (Label* part : {&a, &b}) {
      const Node node = table_[*part];
      if (node.op != Op::Extract || node.number != 0 || table_[node.a].bits != 64)
        return 0;
      *part = node.a;
    }
  }
  for (const Label product : {table_.make(Op::Mul, 64, a, b), table_.make(Op::Mul, 64, b, a)})
    if (const Label first = statics_.first_item(product))
      return bits == 64 ? first : table_.make(Op::Extract, bits, first, 0, 0, 0);
  return 0;
}

Label CommonForm::make(Op op, unsigned bits, Label a, Label b, Label c) {
  if (op == Op::Mul)
    if (const Label first = first_item(a, b, bits))
      return first;
  if (has_any_order(op) && a > b)
    std::swap(a, b);
  return table_.make(op, bits, a, b, c);
}

// The lowest bits of a sum are the sum of the lowest bits.
Label CommonForm::lowest(Label label, unsigned bits) {
  const Node node = table_[label];
  switch (node.op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::And:
  case Op::Or:
  case Op::Xor: {
    const Label a = lowest(node.a, bits);
    return make(node.op, bits, a, lowest(node.b, bits));
  }
  default:
    return table_.make(Op::Extract, bits, label, 0, 0, 0);
  }
}

Label CommonForm::of(Label label) {
  if (!label)
    return 0;
  if (const auto known = known_.find(label); known != known_.end())
    return known->second;
  const Node node = table_[label];
  Label form = label;
  if (node.op == Op::Extract && node.number == 0)
    form = lowest(node.a, node.bits);
  else if (has_any_order(node.op))
    form = make(node.op, node.bits, node.a, node.b, node.c);
  known_[label] = form;
  return form;
}

} // namespace gputest::testgen
