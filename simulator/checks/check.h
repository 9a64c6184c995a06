// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of checks: passes that change a kernel's code, and watches of launches. Each check
// is a file and a row of model/checks.def (CONTRIBUTING.md, "Add … a check").
#pragma once

#include "ir/kernel.h"
#include "ir/lowered_names.h"
#include "simulator/checks/findings.h"
#include "simulator/memory/arena.h"
#include "simulator/memory/native_symbol.h"
#include "templates/simulator/context.h"

#include <llvm/IR/InstrTypes.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::simulator {

// A kernel that gets checks. Checks insert calls before the operations that they check. These
// report findings through native functions, and the kernel goes on.
struct CheckedKernel {
  llvm::Function& item; // the code of one work-item
  ir::KernelShape& shape;
  // The operations that Needs::operation protected from the optimiser. Empty before
  // Stage::Operations.
  std::vector<llvm::BinaryOperator*> operations{};
};

// When a pass runs. Passes of all checks in one stage come before those of the next. Within a
// stage, they run in the order of checks.def.
enum class Stage {
  Written,   // the author's code: variables are memory
  Addresses, // the code is simplified; passes may replace pointers of accesses
  Values,    // for passes that track values; code of later passes is not tracked
  Accesses,  // addresses of accesses are final
  Operations
};

struct Pass {
  Stage stage;
  void (*run)(CheckedKernel& kernel);
};

// Code that the optimiser must not remove (protect.h).
struct Needs {
  bool reads = false;    // reads whose values are unused
  bool branches = false; // branches on which nothing depends
  bool places = false;   // members of structs and components of vectors that are chosen by an index
  bool (*operation)(const llvm::BinaryOperator& operation) = nullptr; // selects the operations that
                                                                      // the check examines
};

// An async copy of a work-group: `count` elements of `size` bytes. Strides are in elements.
struct Copy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint64_t count = 0, size = 0, to_stride = 1, from_stride = 1;
  bool to_local = false; // false: from local memory
};

// The range of accesses out of an object's bounds, in bytes from its begin.
struct Extent {
  std::int64_t begin = 0, end = 0; // the lowest byte, and one past the highest
  bool operator==(const Extent&) const = default;
};

// Bytes of memory that a launch has accessed at one place of its code.
struct Accessed {
  std::uint64_t begin = 0, size = 0; // address; bytes
  unsigned site = 0;
  bool write = false, atomic = false;
};

// The watched launch. All references outlive the launch.
struct WatchedLaunch {
  const ir::KernelShape& shape;
  unsigned dimensions;
  gputest_context& context; // the kernel's context; watches read its group and sizes
  const Arena& arena;
  Region nowhere; // in the arena: replaces memory out of bounds
  Findings& findings;
  std::vector<Extent>& extents; // by number of the object, for objects that the launch places
};

// A check's watch over one launch.
class Watch {
public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  virtual ~Watch() = default;

  virtual void begin_group() {} // the context's group
  // A group that has waited for the others goes on; and all groups have come to a grid barrier.
  virtual void continue_group() { begin_group(); }
  virtual void pass_grid() {}
  // All work-items of the group have come to barriers. `flags`: the fences that all of them have.
  virtual void pass_barrier(unsigned /*site*/, unsigned /*flags*/) {}
  // Lanes of the warp that begins with work-item `first` have waited for each other. `steps`: only
  // because of a volatile access, which a GPU since Volta does not do (ir/cuda/lock_step.h).
  virtual void pass_warp(std::uint64_t /*first*/, std::uint64_t /*lanes*/, bool /*steps*/) {}
  // The running work-item passes a fence; one of the group has waited for the phase of a barrier.
  virtual void pass_fence(ir::FenceKind /*kind*/) {}
  virtual void awaited(std::uint64_t /*item*/, std::uint64_t /*place*/, std::uint64_t /*phase*/) {}

  // Work-item `item` is the first of its group to start a copy, or has waited for it.
  virtual void begin_copy(const Copy& /*copy*/, unsigned /*site*/, std::uint64_t /*event*/,
                          std::uint64_t /*item*/) {}
  virtual void end_copy(std::uint64_t /*event*/, std::uint64_t /*item*/) {}
  // Before the launch: it will be asked which bytes of these regions it has accessed; and after it.
  virtual void keep_accessed(const std::vector<Region>& /*regions*/) {}
  virtual std::vector<Accessed> accessed() { return {}; }

  // Before the launch: neither the host nor an earlier kernel has written these parts of buffers.
  virtual void begin_unwritten(const std::vector<Region>& /*regions*/) {}

  // The launch has ended without a fault, and all its accesses were of regions of the arena. So the
  // watch knows which of its memory was used, and may keep it for the next launch.
  virtual void end_launch() {}

  // Element `index` of a copy has been copied.
  virtual void copied(const Copy& /*copy*/, unsigned /*site*/, std::uint64_t /*index*/) {}
};

struct Check {
  std::string_view name; // its name in checks.def
  // The check that it is a variant of, or null. It takes that check's place in a launch without it.
  const Check* variant_of = nullptr;
  Needs needs{};
  std::vector<Pass> passes{};
  std::string_view text{}; // C that is linked with the kernel (templates/simulator/)
  // Returns the definitions that the text needs, after all passes. nullptr: none.
  std::string (*definitions)(ir::KernelShape& shape) = nullptr;
  std::vector<NativeSymbol> natives{}; // native functions that its code calls
  // Makes the watch of a launch. nullptr: the check has none.
  std::unique_ptr<Watch> (*watch)(const WatchedLaunch& launch) = nullptr;
};

// Each row of checks.def has a check, <name>_check().
#define GPUTEST_CHECK(name, ...) const Check& name##_check();
#include "model/checks.def" // IWYU pragma: keep

} // namespace gputest::simulator
