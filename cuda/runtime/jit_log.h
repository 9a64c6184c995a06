// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log buffers that a program passes for errors in code that it loads.
#pragma once

#include <cstddef>
#include <string>

namespace gputest::cuda {

class JitLog {
public:
  JitLog() = default;
  // Takes the options of cuModuleLoadDataEx() and its like; both APIs have the same numbers.
  // Empties all logs.
  template <typename Option> JitLog(unsigned count, const Option* options, void** values) {
    is_wrong_ = count > 0 && (!options || !values);
    if (is_wrong_)
      return;
    for (unsigned i = 0; i < count; ++i)
      take(static_cast<unsigned>(options[i]), values[i]);
    for (unsigned i = 0; i < count; ++i)
      if (static_cast<unsigned>(options[i]) == kErrorSize)
        written_ = &values[i];
    for (unsigned i = 0; i < count; ++i)
      if (const auto option = static_cast<unsigned>(options[i]);
          option == kInfoSize || option == kErrorSize)
        values[i] = nullptr;
  }

  // Whether there is no list of options where the program says how many there are.
  bool is_wrong() const { return is_wrong_; }

  // Writes a message to the error log, cut to its size.
  void write(const std::string& message) const;

private:
  static constexpr unsigned kInfo = 3, kInfoSize = 4, kError = 5, kErrorSize = 6;
  void take(unsigned option, void* value);

  bool is_wrong_ = false;
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  void** written_ = nullptr; // gets the number of bytes in the buffer
};

} // namespace gputest::cuda
