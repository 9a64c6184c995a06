// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between processes, as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace gputest::simulator::cuda {

// What messages consist of: members_of() lists the members of a structure in the order in which
// they are sent, for both directions. Numbers, and enumerators with a last_of(), have 8 bytes;
// lists and texts have their length in front, and a variant its alternative's number. A list of
// structures with an is_known() is a text of their bytes.
template <typename T>
concept Message = requires(const T& message) { members_of(&message); };
template <typename T>
concept Packed = requires(const T& message) { is_known(message); };

class Writer {
public:
  Writer& number(std::uint64_t value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Writer& text(std::string_view value) {
    number(value.size());
    text_ += value;
    return *this;
  }
  template <typename T> Writer& put(const T& value) {
    if constexpr (Message<T>)
      std::apply([&](const auto... member) { (put(value.*member), ...); }, members_of(&value));
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
      number(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_same_v<T, std::string>)
      text(value);
    else if constexpr (requires { value.index(); }) {
      number(value.index());
      std::visit([&](const auto& one) { put(one); }, value);
    } else if constexpr (Packed<typename T::value_type>)
      text({reinterpret_cast<const char*>(value.data()), value.size() * sizeof value[0]});
    else {
      if constexpr (requires { value.capacity(); })
        number(value.size());
      for (const auto& one : value)
        put(one);
    }
    return *this;
  }
  const std::string& message() const { return text_; }

private:
  std::string text_;
};

// Throws std::runtime_error if a message ends too early, or has a number that is none of those that
// it may be.
class Reader {
public:
  explicit Reader(std::string_view message) : rest_(message) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  template <typename T> T get() {
    T value{};
    read(value);
    return value;
  }

private:
  // How many entries follow, each of at least one number.
  std::uint64_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size() / sizeof value)
      throw std::runtime_error("a message ends too early");
    return value;
  }
  std::uint64_t up_to(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value > most)
      throw std::runtime_error("a message has a number that nobody knows");
    return value;
  }
  template <typename T> void read(T& value) {
    if constexpr (Message<T>)
      std::apply([&](const auto... member) { (read(value.*member), ...); }, members_of(&value));
    else if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(up_to(static_cast<std::uint64_t>(last_of(value))));
    else if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(up_to(std::numeric_limits<T>::max()));
    else if constexpr (std::is_same_v<T, std::string>)
      value = text();
    else if constexpr (requires { value.index(); })
      read_variant(value, std::make_index_sequence<std::variant_size_v<T>>());
    else if constexpr (Packed<typename T::value_type>)
      read_packed(value);
    else {
      if constexpr (requires { value.capacity(); })
        value.resize(count());
      for (auto& one : value)
        read(one);
    }
  }
  template <typename T, std::size_t... i> void read_variant(T& value, std::index_sequence<i...>) {
    const std::uint64_t index = up_to(sizeof...(i) - 1);
    ((index == i ? read(value.template emplace<i>()) : void()), ...);
  }
  template <typename T> void read_packed(std::vector<T>& list) {
    const std::string_view bytes = take(number());
    list.resize(bytes.size() / sizeof(T));
    if (bytes.size() % sizeof(T) != 0)
      throw std::runtime_error("a message ends too early");
    if (!list.empty())
      std::memcpy(list.data(), bytes.data(), bytes.size());
    for (const T& one : list)
      if (!is_known(one))
        throw std::runtime_error("a message has a number that nobody knows");
  }
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size())
      throw std::runtime_error("a message ends too early");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  std::string_view rest_;
};

} // namespace gputest::simulator::cuda
