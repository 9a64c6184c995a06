// NumPy's .npy files (format versions 1 to 3; numpy/lib/format.py describes them), little endian
// and C order, as the elements of a kernel argument.
#pragma once

#include "model/type.h"
#include "runtime/cases/bytes.h"

#include <filesystem>
#include <span>

namespace gputest::runtime {

// The elements of `file` laid out as `element` is on the device. Scalars: any shape. Vectors: the
// last dimension is the width. Structs: a structured dtype with the same members at the same
// offsets,
// "|V<size>", or "|u1" with a last dimension of the size. Throws UsageError naming the file and
// what is wrong with it.
Bytes read_npy(const std::filesystem::path& file, const model::Type& element);

// How many elements read_npy() would give; throws what it throws, having read the header alone.
std::size_t npy_elements(const std::filesystem::path& file, const model::Type& element);

// Writes whole elements, one-dimensional (vectors: (n, width); structs: "|V<size>").
void write_npy(const std::filesystem::path& file, const model::Type& element,
               std::span<const std::byte> elements);

} // namespace gputest::runtime
