// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/padding.h"

#include <algorithm>

namespace gputest::ir {
namespace {

class TypeWalk {
public:
  TypeWalk(const llvm::DataLayout& layout, std::uint64_t alignment)
      : layout_(layout), alignment_(alignment) {}

  // Returns a `ByteOf` for each byte.
  std::string bytes(llvm::Type* type) const {
    const std::uint64_t size = layout_.getTypeAllocSize(type).getFixedValue();
    if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      const std::string element = bytes(array->getElementType());
      std::string all;
      for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
        all += element;
      return all;
    }
    std::string all(size, static_cast<char>(ByteOf::Padding));
    auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
    if (!structure)
      fill(all, 0, layout_.getTypeStoreSize(type).getFixedValue(), ByteOf::Value);
    else if (is_union(*structure))
      fill(all, 0, size, ByteOf::Maybe);
    else
      for (unsigned i = 0; i < structure->getNumElements(); ++i) {
        const std::uint64_t begin = offset(*structure, i);
        const std::string element = bytes(structure->getElementType(i));
        all.replace(begin, element.size(), element);
        if (may_be_padding(*structure, i))
          fill(all, begin, element.size(), ByteOf::Maybe);
      }
    return all;
  }

  // Returns false if there are more than `most`.
  bool add_values(llvm::Type* type, std::uint64_t begin, std::size_t most,
                  std::vector<ValueInType>& values) const {
    if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      const std::uint64_t step = layout_.getTypeAllocSize(array->getElementType()).getFixedValue();
      for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
        if (!add_values(array->getElementType(), begin + i * step, most, values))
          return false;
      return true;
    }
    auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
    if (!structure) {
      values.push_back({type, begin});
      return values.size() <= most;
    }
    for (unsigned i = 0; !is_union(*structure) && i < structure->getNumElements(); ++i)
      if (!may_be_padding(*structure, i) &&
          !add_values(structure->getElementType(i), begin + offset(*structure, i), most, values))
        return false;
    return true;
  }

private:
  static void fill(std::string& bytes, std::uint64_t begin, std::uint64_t size, ByteOf what) {
    bytes.replace(begin, size, size, static_cast<char>(what));
  }

  static bool is_union(const llvm::StructType& structure) {
    return structure.hasName() && structure.getName().starts_with("union.");
  }

  std::uint64_t offset(llvm::StructType& structure, unsigned element) const {
    return layout_.getStructLayout(&structure)->getElementOffset(element).getFixedValue();
  }

  // Clang inserts bytes where IR would put the next member, or the end, at an alignment that is too
  // small. It gives a byte to C++'s empty structs.
  bool may_be_padding(llvm::StructType& structure, unsigned element) const {
    llvm::Type* const type = structure.getElementType(element);
    if (const auto* const empty = llvm::dyn_cast<llvm::StructType>(type))
      return empty->getNumElements() == 1 && empty->getElementType(0)->isIntegerTy(8);
    const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type);
    if (element == 0 || !(array ? array->getElementType() : type)->isIntegerTy(8))
      return false;
    const bool is_last = element + 1 == structure.getNumElements();
    const std::uint64_t count = array ? array->getNumElements() : 1,
                        next = is_last ? layout_.getTypeAllocSize(&structure).getFixedValue()
                                       : offset(structure, element + 1);
    llvm::Type* follower = is_last ? &structure : structure.getElementType(element + 1);
    const std::uint64_t natural =
        structure.isPacked() ? 1 : layout_.getABITypeAlign(follower).value();
    while (const auto* const elements = llvm::dyn_cast<llvm::ArrayType>(follower))
      follower = elements->getElementType();
    if (offset(structure, element) + count != next ||
        (!follower->isStructTy() && !structure.isPacked()) ||
        (!array && is_last && !structure.isPacked()))
      return false;
    for (std::uint64_t at = natural * 2; at <= alignment_; at *= 2)
      if (next % at == 0 && count < at)
        return true;
    return false;
  }

  const llvm::DataLayout& layout_;
  std::uint64_t alignment_;
};

} // namespace

std::string bytes_in(llvm::Type* type, const llvm::DataLayout& layout, std::uint64_t alignment) {
  while (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type))
    type = array->getElementType();
  return TypeWalk(layout, alignment).bytes(type);
}

std::vector<ValueInType> values_in(llvm::Type* type, const llvm::DataLayout& layout,
                                   std::uint64_t alignment, std::size_t most) {
  std::vector<ValueInType> values;
  if (!TypeWalk(layout, alignment).add_values(type, 0, most, values))
    values.clear();
  return values;
}

} // namespace gputest::ir
