// Where a program wants to read what is wrong with the code that it loads.
#pragma once

#include <cstddef>
#include <string>

namespace gputest::cuda {

class JitLog {
public:
  JitLog() = default;
  // The options of cuModuleLoadDataEx and its like, by their numbers, which both APIs have in
  // common. All logs are empty from here on.
  template <typename Option> JitLog(unsigned count, const Option* options, void** values) {
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

  void write(const std::string& message) const;

private:
  static constexpr unsigned kInfo = 3, kInfoSize = 4, kError = 5, kErrorSize = 6;
  void take(unsigned option, void* value);

  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  void** written_ = nullptr; // how many bytes are in the buffer
};

} // namespace gputest::cuda
