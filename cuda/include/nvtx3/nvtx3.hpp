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

// Every domain is the global one, whose handle is null, as NVTX has it without a tool.
class domain {
public:
  struct global {};
  domain(const domain&) = delete;
  domain& operator=(const domain&) = delete;
  template <typename D = global> static const domain& get() {
    static const domain instance;
    return instance;
  }
  operator nvtxDomainHandle_t() const { return {}; }

private:
  domain() = default;
};
struct rgb {
  using component_type = std::uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};
struct argb : rgb {
  constexpr argb(component_type a, component_type r, component_type g, component_type b)
      : rgb(r, g, b), alpha(a) {}
  component_type alpha;
};
class color {
public:
  using value_type = std::uint32_t;
  constexpr explicit color(value_type code) : value_(code) {}
  constexpr color(argb c) : value_(code_of(c.alpha, c)) {}
  constexpr color(rgb c) : value_(code_of(0xff, c)) {}
  constexpr value_type get_value() const { return value_; }

private:
  static constexpr value_type code_of(std::uint8_t alpha, rgb c) {
    return value_type(alpha) << 24 | value_type(c.red) << 16 | value_type(c.green) << 8 | c.blue;
  }
  value_type value_;
};
class category {
public:
  using id_type = std::uint32_t;
  constexpr explicit category(id_type id) : id_(id) {}
  constexpr id_type get_id() const { return id_; }

private:
  id_type id_;
};
template <typename D = domain::global> class named_category_in : public category {
public:
  template <typename C> static const named_category_in& get() {
    static const named_category_in instance(C::id, C::name);
    return instance;
  }
  named_category_in(id_type id, const char*) : category(id) {}
  named_category_in(id_type id, const wchar_t*) : category(id) {}
};
using named_category = named_category_in<>;
template <typename D = domain::global> class registered_string_in {
public:
  template <typename M> static const registered_string_in& get() {
    static const registered_string_in instance(M::message);
    return instance;
  }
  explicit registered_string_in(const char*) {}
  explicit registered_string_in(const wchar_t*) {}
  explicit registered_string_in(const std::string&) {}
  explicit registered_string_in(const std::wstring&) {}
  nvtxStringHandle_t get_handle() const { return {}; }
};
using registered_string = registered_string_in<>;
class message {
public:
  message(const char*) {}
  message(const wchar_t*) {}
  message(const std::string&) {}
  message(const std::wstring&) {}
  message(nvtxStringHandle_t) {}
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
  using value_type = nvtxRangeId_t;
  constexpr range_handle() = default;
  constexpr explicit range_handle(value_type id) : id_(id) {}
  constexpr explicit operator bool() const { return id_ != 0; }
  constexpr value_type get_value() const { return id_; }
  friend constexpr bool operator==(range_handle a, range_handle b) { return a.id_ == b.id_; }
  friend constexpr bool operator!=(range_handle a, range_handle b) { return a.id_ != b.id_; }

private:
  value_type id_ = 0;
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

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0
#define NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_V1_FUNC_RANGE_IN(D) const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__(__func__)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, condition) \
  static_cast<void>(condition);                 \
  NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(condition) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, condition)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
