// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/jit_log.h"

#include <algorithm>
#include <cstring>

namespace gputest::cuda {

void JitLog::take(unsigned option, void* value) {
  if (option == kError)
    buffer_ = static_cast<char*>(value);
  else if (option == kErrorSize)
    size_ = reinterpret_cast<std::size_t>(value);
  if (option == kInfo && value) // its size is not looked at: a text of no length fits
    *static_cast<char*>(value) = '\0';
  if (buffer_ && size_ > 0)
    *buffer_ = '\0';
}

void JitLog::write(const std::string& message) const {
  if (!buffer_ || size_ == 0)
    return;
  const std::size_t length = std::min(message.size(), size_ - 1);
  std::memcpy(buffer_, message.data(), length);
  buffer_[length] = '\0';
  if (written_)
    *written_ = reinterpret_cast<void*>(length + 1);
}

} // namespace gputest::cuda
