// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This class knows which handles are those of objects that exist. A program may give any pointer,
// and one whose object it has destroyed.
#pragma once

#include <mutex>
#include <unordered_set>

namespace gputest::cuda {

// The first member of an object with a handle: its address is that of the object.
template <typename T> class Live {
public:
  Live() {
    Known& known = all();
    const std::lock_guard lock(known.mutex);
    known.objects.insert(this);
  }
  Live(const Live&) : Live() {}
  Live& operator=(const Live&) { return *this; }
  ~Live() {
    Known& known = all();
    const std::lock_guard lock(known.mutex);
    known.objects.erase(this);
  }

  static bool has(const void* handle) {
    Known& known = all();
    const std::lock_guard lock(known.mutex);
    return known.objects.contains(handle);
  }

private:
  struct Known {
    std::mutex mutex;
    std::unordered_set<const void*> objects;
  };
  static Known& all() {
    static auto* const known = new Known; // NOLINT: lives until the program's last call
    return *known;
  }
};

template <typename T>
concept Handled = requires(T object) { object.live; };

// Whether the object exists. Null is no object's handle.
template <Handled T> bool is_live(const T* handle) {
  return handle && Live<T>::has(handle);
}

} // namespace gputest::cuda
