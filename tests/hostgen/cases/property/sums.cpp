#include <gputest/property.h>

#include <stdexcept>

// Both in one file.
namespace sums {

inline void wanted(int* data, int n, int* /*scratch*/) {
  for (int i = 1; i < n; ++i)
    data[i] += data[i - 1];
}

inline void grow(gputest::Change<int> data, int n, const int* /*scratch*/,
                 const gputest::Launch& launch) {
  for (int i = 0; i < n && launch.dimensions == 1; ++i)
    if (data.after[static_cast<std::size_t>(i)] < data.before[static_cast<std::size_t>(i)])
      throw std::runtime_error("a sum is less than its last summand");
}

} // namespace sums
