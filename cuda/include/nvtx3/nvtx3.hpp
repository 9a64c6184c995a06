// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVTX for C++: ranges that end with their scope, and marks. They do nothing.
#ifndef GPUTEST_CUDA_NVTX3_HPP
#define GPUTEST_CUDA_NVTX3_HPP

#include "nvtx3/nvToolsExt.h"

#include <cstdint>
#include <string>
#include <utility>

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
};
class rgb {
public:
  constexpr rgb(std::uint8_t, std::uint8_t, std::uint8_t) {}
};
class argb {
public:
  constexpr argb(std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t) {}
};
class color {
public:
  constexpr explicit color(std::uint32_t) {}
  constexpr color(rgb) {}
  constexpr color(argb) {}
};
class category {
public:
  constexpr explicit category(std::uint32_t) {}
};
template <typename D = domain::global> class named_category_in : public category {
public:
  named_category_in(std::uint32_t id, const char*) : category(id) {}
  named_category_in(std::uint32_t id, const wchar_t*) : category(id) {}
};
using named_category = named_category_in<>;
template <typename D = domain::global> class registered_string_in {
public:
  explicit registered_string_in(const char*) {}
  explicit registered_string_in(const wchar_t*) {}
  explicit registered_string_in(const std::string&) {}
};
using registered_string = registered_string_in<>;
class message {
public:
  message(const char*) {}
  message(const wchar_t*) {}
  message(const std::string&) {}
  template <typename D> message(const registered_string_in<D>&) {}
};
class payload {
public:
  template <typename T> explicit payload(T) {}
};
class event_attributes {
public:
  event_attributes() = default;
  explicit event_attributes(const nvtxEventAttributes_t&) {}
  template <typename First, typename... More> explicit event_attributes(const First&, const More&...) {}
};

template <typename D = domain::global> class scoped_range_in {
public:
  scoped_range_in() = default;
  template <typename First, typename... More> explicit scoped_range_in(const First&, const More&...) {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() {} // not trivial, so that compilers do not warn about an unused range
};
using scoped_range = scoped_range_in<>;
template <typename D = domain::global> class unique_range_in {
public:
  unique_range_in() = default;
  template <typename First, typename... More> explicit unique_range_in(const First&, const More&...) {}
  unique_range_in(unique_range_in&&) = default;
  unique_range_in& operator=(unique_range_in&&) = default;
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;

class range_handle {
public:
  bool operator==(range_handle) const { return true; }
};
template <typename D = domain::global, typename... Values> range_handle start_range_in(const Values&...) {
  return {};
}
template <typename... Values> range_handle start_range(const Values&...) {
  return {};
}
template <typename D = domain::global> void end_range_in(range_handle) {}
inline void end_range(range_handle) {}
template <typename D = domain::global, typename... Values> void mark_in(const Values&...) {}
template <typename... Values> void mark(const Values&...) {}

} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range nvtx3_range__(__func__)
#define NVTX3_FUNC_RANGE_IN(D) ::nvtx3::scoped_range_in<D> nvtx3_range__(__func__)
#define NVTX3_FUNC_RANGE_IF(condition) NVTX3_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IF_IN(D, condition) NVTX3_FUNC_RANGE_IN(D)

#endif
