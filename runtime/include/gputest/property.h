// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A property is a user's C++ function that gets a kernel's arguments from before and after a
// launch. It throws an exception that says what is wrong. Use one where many outputs are right, and
// let it check what these have in common:
//
//     void sort_property(gputest::Change<int> data, int n) {
//       if (!std::ranges::is_sorted(data.after))
//         throw std::runtime_error("'data' is not sorted");
//       if (!std::ranges::is_permutation(data.before, data.after))
//         throw std::runtime_error("'data' does not hold what it held");
//     }
//
// A generated harness passes the arguments as it does to a reference function (reference.h). The
// function's parameters depend on the kernel's arguments:
//
// | kernel's argument         | the function takes                                     |
// |---------------------------|--------------------------------------------------------|
// | pointer                   | gputest::Change<U>; std::span<const U> or const U*: after |
// | scalar, vector, struct    | as a reference function does                           |
// | image                     | gputest::ImageChange; gputest::ImageView: after        |
// | sampler                   | gputest::SamplerView                                   |
//
// __local buffers are zero-filled memory of the same size, before and after.
#pragma once

#include "gputest/reference.h"

#include <span>

namespace gputest {

template <class T> struct Change {
  std::span<const T> before, after;
};

struct ImageChange {
  ImageView before, after;
};

// A buffer before and after the launch, which converts to what the property takes. `Argument` is
// PointerArgument or StructPointerArgument.
template <class Argument> class ChangedPointer {
public:
  ChangedPointer(Argument before, Argument after) : before_(before), after_(after) {}

  template <class U> operator Change<U>() const { return {before_, after_}; }
  template <class U> operator std::span<U>() const {
    static_assert(std::is_const_v<U>, "a property changes nothing: take std::span<const T>");
    return after_;
  }
  template <class U> operator U*() const {
    static_assert(std::is_const_v<U>, "a property changes nothing: take const T*");
    return after_;
  }

private:
  Argument before_, after_;
};

class ChangedImage {
public:
  ChangedImage(ImageView before, ImageView after) : change_{before, after} {}
  operator ImageChange() const { return change_; }
  operator ImageView() const { return change_.after; }

private:
  ImageChange change_;
};

// One kernel launch as a property sees it. Its functions throw std::invalid_argument for names that
// the kernel does not have.
class PropertyCall {
public:
  PropertyCall(const ReferenceCall& before, const ReferenceCall& after)
      : before_(before), after_(after) {}

  const Launch& launch() const { return before_.launch(); }

  template <class T> ChangedPointer<PointerArgument<T>> pointer(const char* name) const {
    return {before_.pointer<T>(name), after_.pointer<T>(name)};
  }
  template <std::size_t Size>
  ChangedPointer<StructPointerArgument<Size>> struct_pointer(const char* name) const {
    return {before_.struct_pointer<Size>(name), after_.struct_pointer<Size>(name)};
  }
  template <class T> T scalar(const char* name) const { return before_.scalar<T>(name); }
  template <std::size_t Size> ValueArgument<Size> value(const char* name) const {
    return before_.value<Size>(name);
  }
  ChangedImage image(const char* name) const { return {before_.image(name), after_.image(name)}; }
  SamplerView sampler(const char* name) const { return before_.sampler(name); }

private:
  ReferenceCall before_, after_;
};

} // namespace gputest
