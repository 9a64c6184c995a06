// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/vector_labels.h"

#include "testgen/concolic/operations.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace gputest::testgen {
namespace {

llvm::Value* element(llvm::IRBuilder<>& builder, llvm::Value* value, std::uint64_t index) {
  return value->getType()->isVectorTy() ? builder.CreateExtractElement(value, index) : value;
}

} // namespace

void VectorLabels::rearrange(llvm::CastInst& cast) {
  llvm::Type &from = *cast.getSrcTy(), &to = *cast.getDestTy();
  const unsigned width = width_of(from), result = width_of(to);
  if (!width || !result || std::max(width, result) % std::min(width, result) != 0)
    return lose(cast, "a conversion of vectors that is not followed");
  llvm::Instruction& where = *cast.getNextNode();
  const Values labels = labels_of(cast.getOperand(0));
  Values all;
  if (width == result) {
    all = labels;
  } else if (width > result) {
    for (llvm::Value* label : labels)
      for (unsigned low = 0; low < width; low += result)
        all.push_back(unary(where, Op::Extract, result, label, low));
  } else {
    const unsigned count = result / width;
    for (std::size_t first = 0; first < labels.size(); first += count) {
      llvm::Value* label = labels[first];
      Builder builder(&where);
      llvm::Value* value = bits(builder, element(builder, cast.getOperand(0), first));
      for (unsigned i = 1; i < count; ++i) {
        Builder here(&where);
        llvm::Value* const high = bits(here, element(here, cast.getOperand(0), first + i));
        label = binary(where, Op::Concat, {width, i * width, (i + 1) * width}, labels[first + i],
                       label, high, value);
        Builder after(&where);
        value = after.CreateOr(after.CreateShl(high, i * width), value);
      }
      all.push_back(label);
    }
  }
  labels_[&cast] = all;
}

bool VectorLabels::visit_parts(llvm::Instruction& instruction) {
  const auto constant_index = [&](const llvm::Value* index) -> std::optional<std::uint64_t> {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(index);
    if (!number)
      lose(instruction, "a component of a vector whose number is computed");
    return number ? std::optional(number->getZExtValue()) : std::nullopt;
  };
  if (auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const Values labels = labels_of(extract->getVectorOperand());
    if (const auto index = constant_index(extract->getIndexOperand());
        index && *index < labels.size())
      set(*extract, labels[*index]);
  } else if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    Values labels = labels_of(insert->getOperand(0));
    if (const auto index = constant_index(insert->getOperand(2)); index && *index < labels.size())
      labels[*index] = label_of(insert->getOperand(1));
    labels_[insert] = labels;
  } else if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    Values both = labels_of(shuffle->getOperand(0));
    const Values second = labels_of(shuffle->getOperand(1));
    both.append(second.begin(), second.end());
    Values labels;
    for (const int from : shuffle->getShuffleMask())
      labels.push_back(from < 0 ? none_ : both[static_cast<std::size_t>(from)]);
    labels_[shuffle] = labels;
  } else if (auto* const member = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const Values labels = labels_of(member->getAggregateOperand());
    if (member->getNumIndices() == 1 && member->getIndices()[0] < labels.size())
      set(*member, labels[member->getIndices()[0]]);
  } else {
    return false;
  }
  return true;
}

} // namespace gputest::testgen
