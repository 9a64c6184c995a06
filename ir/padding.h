// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells which bytes of a type are those of values, as far as IR shows it.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::ir {

enum class ByteOf : char {
  Value = 'v',
  Padding = 'p',
  Maybe = '?' // of a union, or bytes that Clang inserts for an alignment that IR does not know;
              // members of type char may look the same
};

// Returns a `ByteOf` for each byte of an object that begins at `alignment`; of an array for those
// of an element, since all are alike.
std::string bytes_in(llvm::Type* type, const llvm::DataLayout& layout, std::uint64_t alignment);

// Whether all bytes are those of values.
inline bool has_values_only(const std::string& bytes) {
  return bytes.find_first_not_of(static_cast<char>(ByteOf::Value)) == std::string::npos;
}

struct ValueInType {
  llvm::Type* type; // no array and no struct
  std::uint64_t offset;
};

// Returns the values that the type consists of, without unions; none if they are more than `most`.
std::vector<ValueInType> values_in(llvm::Type* type, const llvm::DataLayout& layout,
                                   std::uint64_t alignment, std::size_t most);

} // namespace gputest::ir
