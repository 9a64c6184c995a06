// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/kept_reads.h"

#include "model/files.h"
#include "runtime/cases/comparison.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes_of(const fs::path& file) {
  const std::string text = model::read_text(file).value_or("");
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

// Whole numbers must be equal. Floating-point numbers may be close.
Tolerance tolerance_of(const model::Type& type, double relative) {
  const bool is_floating = std::ranges::all_of(model::leaves_of(type), [](const model::Leaf& leaf) {
    return model::is_floating(leaf.scalar);
  });
  return is_floating && relative > 0 ? Tolerance{.relative = relative} : Tolerance{};
}

} // namespace

KeptReads kept_reads(const RunRecords& records) {
  KeptReads kept;
  std::vector<std::string> processes;
  for (const RecordedRead& read : records.kept) {
    if (processes.empty() || processes.back() != read.process)
      processes.push_back(read.process);
    kept[{processes.size() - 1, read.index}] = read;
  }
  return kept;
}

ReadValues compare(const KeptReads& launched, const KeptReads& other, double tolerance) {
  ReadValues values;
  bool is_close = false;
  for (const auto& [key, before] : launched) {
    const auto after = other.find(key);
    if (after == other.end())
      continue;
    const auto a = bytes_of(before.file), b = bytes_of(after->second.file);
    if (a == b || a.size() != b.size())
      continue;
    const bool fits =
        before.element && before.element->size != 0 && a.size() % before.element->size == 0;
    const model::Type type = fits ? *before.element : model::scalar_type(model::Scalar::UChar);
    const runtime::Comparison comparison =
        runtime::compare(type, a, b, tolerance_of(type, tolerance));
    if (comparison.equal()) {
      is_close = true;
      continue;
    }
    if (values.differing > 0)
      continue;
    values.buffer = before.argument.value_or(fmt::format("piece {}", key.second + 1));
    values.differing = comparison.differing;
    values.compared = comparison.compared;
    for (const runtime::Mismatch& mismatch : comparison.first)
      values.elements.push_back({.index = mismatch.index,
                                 .path = mismatch.path,
                                 .launched = mismatch.expected,
                                 .scheduled = mismatch.actual});
  }
  values.is_within_tolerance = is_close && values.differing == 0;
  return values;
}

} // namespace gputest::program
