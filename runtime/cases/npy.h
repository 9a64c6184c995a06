// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes NumPy's .npy files as the elements of a kernel argument: format versions 1 to 3
// (numpy/lib/format.py describes them), little endian, in C order.
#pragma once

#include "model/type.h"
#include "runtime/cases/bytes.h"

#include <filesystem>
#include <span>

namespace gputest::runtime {

// Returns the elements of `file`, laid out as `element` is on the device. Scalars may have any
// shape. For vectors, the last dimension is the width. For structs, the dtype has the same members
// at the same offsets, or is "|V<size>", or "|u1" with a last dimension of the size. Throws
// UsageError naming the file and what is wrong with it.
Bytes read_npy(const std::filesystem::path& file, const model::Type& element);

// Returns the number of elements that read_npy() would return. Reads the header alone. Throws what
// read_npy() throws.
std::size_t npy_elements(const std::filesystem::path& file, const model::Type& element);

// Writes whole elements as a one-dimensional array. Vectors have the shape (n, width), and structs
// the dtype "|V<size>".
void write_npy(const std::filesystem::path& file, const model::Type& element,
               std::span<const std::byte> elements);

} // namespace gputest::runtime
