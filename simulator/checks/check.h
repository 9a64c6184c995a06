// What a check is to the simulator: how it changes the code of a kernel, and what watches a launch.
// Each is a file of its own, and a row of model/checks/checks.def. CONTRIBUTING.md, "Add a check".
#pragma once

#include "ir/kernel.h"
#include "simulator/checks/findings.h"
#include "simulator/execute/arena.h"
#include "templates/simulator/context.h"

#include <llvm/IR/InstrTypes.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::simulator {

// A function or variable of the simulator that kernels call by name.
struct NativeSymbol {
  std::string name;
  void* address;
};

// A kernel whose code gets checks: calls before what they look at. They report through native
// functions, and the kernel goes on.
struct CheckedKernel {
  llvm::Function& item; // the kernel as one work-item runs it
  KernelShape& shape;
  // Those that checks have kept from the optimiser (Needs::operation). Empty before they are
  // needed.
  std::vector<llvm::BinaryOperator*> operations{};
};

// When a pass runs. All checks' passes of a stage come before those of the next one; within a stage
// they run in the order of the table.
enum class Stage {
  Written,   // the kernel as its author wrote it: variables are memory
  Addresses, // it has been simplified. Pointers of accesses may be replaced
  Values,    // what follows values: nothing that comes later is followed
  Accesses,  // where an access happens is final
  Operations
};

struct Pass {
  Stage stage;
  void (*run)(CheckedKernel& kernel);
};

// What the optimiser must leave for the check to see (protect.h).
struct Needs {
  bool reads = false;  // reads whose values nobody uses
  bool places = false; // members of structs, and components of vectors, that an index chooses
  bool (*operation)(const llvm::BinaryOperator& operation) = nullptr; // those it looks at
};

// An async copy of a work-group: `count` elements of `size` bytes each; strides count elements.
struct Copy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint64_t count = 0, size = 0, to_stride = 1, from_stride = 1;
  bool to_local = false; // else from local memory
};

// Bytes from an object's beginning that accesses out of its bounds were made at.
struct Extent {
  std::int64_t begin = 0, end = 0; // the lowest, and past the highest
  bool operator==(const Extent&) const = default;
};

// What is known of a launch that is watched. All of it outlives the launch.
struct WatchedLaunch {
  const KernelShape& shape;
  unsigned dimensions;
  gputest_context& context; // what the kernel sees; its group and sizes are read
  const Arena& arena;
  Region nowhere; // what accesses out of bounds use instead, in the arena
  Findings& findings;
  std::vector<Extent>& extents; // by number of the objects that the launch places
};

// One launch, as a check watches it.
class Watch {
public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  virtual ~Watch() = default;

  virtual void begin_group() {} // the one that the context names
  // CUDA: a group that has waited for the others goes on, and all have come to where they wait.
  virtual void continue_group() { begin_group(); }
  virtual void pass_grid() {}
  // All work-items of the group have come to barriers, and `flags` are the fences of them all.
  virtual void pass_barrier(unsigned /*site*/, unsigned /*flags*/) {}
  // CUDA: those lanes of the warp that begins with work-item `first` have waited for each other.
  virtual void pass_warp(std::uint64_t /*first*/, std::uint32_t /*lanes*/) {}
  // CUDA: the work-item that runs passes a fence; one of the group has waited for a place in
  // memory.
  virtual void pass_fence(bool /*of_device*/) {}
  virtual void awaited(std::uint64_t /*item*/, std::uint64_t /*place*/) {}

  // A copy that work-item `item` is the first of its group to start, or waits for.
  virtual void begin_copy(const Copy& /*copy*/, unsigned /*site*/, std::uint64_t /*event*/,
                          std::uint64_t /*item*/) {}
  virtual void end_copy(std::uint64_t /*event*/, std::uint64_t /*item*/) {}
  // Element `index` of a copy has been copied.
  virtual void copied(const Copy& /*copy*/, unsigned /*site*/, std::uint64_t /*index*/) {}
};

struct Check {
  std::string_view name; // of its row
  Needs needs{};
  std::vector<Pass> passes{};
  std::string_view text{}; // C that is linked with the kernel (templates/simulator/)
  // The definitions that the text needs, after all passes. nullptr: none.
  std::string (*definitions)(KernelShape& shape) = nullptr;
  std::vector<NativeSymbol> natives{}; // what its code calls
  // nullptr: nothing is to be watched while the kernel runs.
  std::unique_ptr<Watch> (*watch)(const WatchedLaunch& launch) = nullptr;
};

// Each row has its check: <name>_check().
#define GPUTEST_CHECK(name, ...) const Check& name##_check();
#include "model/checks/checks.def" // IWYU pragma: keep

} // namespace gputest::simulator
