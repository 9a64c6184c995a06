// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang calls a text in memory, unless a #line says another name.
#pragma once

namespace gputest::frontend {

inline constexpr const char* kFlatFile = "/gputest/flat.cl";

} // namespace gputest::frontend
