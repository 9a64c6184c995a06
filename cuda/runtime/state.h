// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of CUDA in this process. There is one, and functions of the API lock it.
#pragma once

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/records/measured.h"
#include "cuda/records/reads.h"
#include "cuda/runtime/connection/simulator.h"
#include "cuda/runtime/handles/live.h"
#include "cuda/runtime/jit_log.h"
#include "cuda/runtime/memory/heap.h"
#include "cuda/runtime/modules.h"

#include <array>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct CUstream_st {
  gputest::cuda::Live<CUstream_st> live{};
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  unsigned long long id = 0;
  cudaGraph_t capture = nullptr;
  bool began_capture = false;          // else the stream has joined it by an event
  std::vector<cudaGraphNode_t> last{}; // captured nodes that the next node depends on
  std::map<int, cudaLaunchAttributeValue> attributes{};
};
struct CUevent_st {
  gputest::cuda::Live<CUevent_st> live{};
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  double seconds = 0;
  cudaGraph_t capture = nullptr; // the graph that was captured when the event was recorded
  std::vector<cudaGraphNode_t> last{};
  std::uint64_t item = 0;            // the item of the queue that records it
  std::vector<std::uint64_t> done{}; // what has ended when it occurs: a Clock (order/operations.h)
};

namespace gputest::ir::cuda {
struct Container;
} // namespace gputest::ir::cuda

namespace gputest::cuda {

struct CodeLine;
struct CodeOfAuthor;
struct HostWork;
struct Operand;
class HostFaults;
class Order;
struct OrderFinding;
class Queue;

// The shape of a launch, in threads and blocks.
struct LaunchShape {
  std::array<std::uint64_t, 3> grid{}, block{};
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  std::array<std::uint64_t, 3> cluster{}; // blocks of a cluster; 0: the kernel decides
};

struct HostRange { // of cudaHostRegister(), or a managed variable
  std::byte* host = nullptr;
  std::size_t size = 0;
  std::uint64_t device = 0;
  MemoryKind kind = MemoryKind::Host;
  int of_device = 0;
  std::vector<std::byte> seen{}; // while a launch waits: the bytes when both were last equal

  std::uint64_t offset_of(const void* pointer) const { // can be any number
    return reinterpret_cast<std::uint64_t>(pointer) - reinterpret_cast<std::uint64_t>(host);
  }
  std::uint64_t device_address(const void* pointer) const { return device + offset_of(pointer); }
};

// The event for which a launch waits, in the simulator's numbers (simulator/cuda/launch.h).
using simulator::cuda::WaitsFor;
struct WaitingLaunch {
  std::uint64_t id = 0;
  WaitsFor waits_for = WaitsFor::Anybody;
  std::chrono::steady_clock::time_point since{};
};

struct ThreadErrors {
  cudaError_t last = cudaSuccess;
  bool called = false; // whether this thread has called the runtime API
};

class State {
public:
  static State& get();
  static ThreadErrors& thread_errors();
  bool called = false; // whether any thread has called the runtime API

  // The number of devices is GPUTEST_CUDA_DEVICES. device() is the one that the thread has chosen.
  // Devices share memory, but each has its own variables.
  int devices() const { return devices_; }
  int warp_size() const { return warp_size_; } // of what users choose; else 32
  bool is_device(int device) const { return device >= 0 && device < devices_; }
  static int device();
  static void choose_device(int device);

  std::recursive_mutex mutex;
  Heap heap;

  // Errors. report() sets the thread's last error and returns it. take_last_error() clears it, also
  // an error of the device, which the next call that needs the device reports again.
  cudaError_t report(cudaError_t error);
  cudaError_t take_last_error();
  cudaError_t last_error() const;
  // Returns the device's error, for calls that may report an error of an earlier launch.
  cudaError_t device_error();
  bool is_broken() const { return sticky_ != cudaSuccess; }
  // Resets the device. As a GPU does, one that has had an error refuses all calls from here on.
  void reset();

  // Writes the output of kernels to stdout.
  void flush();

  // Modules that object files register.
  void** add_module(const void* container);
  RegisteredModule& module_of(void** handle);
  RegisteredModule& last_module() { return modules_.back(); }

  // Loads a module for the program. `image`: a container (ir/cuda/container.h), its text
  // (ir/cuda/image.h) or PTX. Anything else is refused with a message, which also goes to `log`.
  cudaError_t load_image(const void* image, const JitLog& log, CUmod_st*& module);
  cudaError_t load_file(const char* file, const JitLog& log, CUmod_st*& module); // a file with an
                                                                                 // image
  // Returns the image's containers in `containers`. `name`: a name of PTX for messages, or "".
  // `size`: the image's bytes; 0: it ends with a zero.
  cudaError_t containers_of(const void* image, std::size_t size, std::string name,
                            const JitLog& log, std::string& containers);
  // Returns an error unless the containers can be read. `whole`: they must not need others.
  cudaError_t check(const std::string& containers, bool whole, const JitLog& log);
  bool has(const CUmod_st* module) const;
  void unload(CUmod_st& module);

  // Return the kernel or variable on the thread's device, and load its module first if necessary.
  // Null: it is not known. `stub`: the host's function or a CUfunc_st.
  KernelInfo* kernel(const void* stub);
  VariableInfo* variable(const void* symbol);

  // Launches a kernel. `arguments`: the block of argument_block(). If the launch waits,
  // take_waiting() returns it, once.
  cudaError_t launch(KernelInfo& kernel, const LaunchShape& shape, const std::string& arguments);
  std::optional<WaitingLaunch> take_waiting();
  bool go_on(WaitingLaunch& launch);         // resumes it; false: it still waits
  void give_up(const WaitingLaunch& launch); // ends it with an error that stays
  bool is_over(std::chrono::steady_clock::time_point since) const; // exceeds GPUTEST_CUDA_LIMIT
  void end_waiting();   // of a stream for a word: sets an error that stays
  bool may_wait = true; // the caller of launch() can keep a launch that waits
  bool is_lost() const { return is_broken() || pending_ != cudaSuccess; } // launches no longer run
  Queue& queue() { return *queue_; }
  Order* order() const { return order_.get(); }                  // null: races are not checked
  HostFaults* host_faults() const { return host_faults_.get(); } // null: without the check HOST
  // `arguments`: pointers to the kernel's arguments, in order.
  static std::string argument_block(const KernelInfo& kernel, void** arguments);

  // Memory. These also tell the simulator's checks.
  std::uint64_t allocate(std::size_t size, MemoryKind kind, unsigned flags = 0,
                         const std::string& name = "");
  bool free(std::uint64_t address);
  // Maps memory of another process: bytes of its file, which must stay open. 0: it cannot be
  // mapped.
  std::uint64_t import(int file, std::size_t offset, std::size_t size);
  bool map(std::uint64_t begin, std::size_t size, int file, std::size_t offset); // whole pages
  void place(std::uint64_t address, std::size_t size); // at addresses of heap.reserve()
  void displace(std::uint64_t address);
  // Returns the host's address of a place in device memory: in registered memory, or that of
  // heap.view().
  std::byte* place_of_host(const void* pointer) const;
  // Tell the checks what the running work, or the host, has written or copied.
  void written(const void* to, std::size_t size);
  void read(const void* from, std::size_t size) const;
  void copied(const void* to, const void* from, std::size_t size);

  // Does a library's work on the host now (host_work.h). `callers`: return addresses of its call.
  cudaError_t perform(const HostWork& work, std::span<const void* const> callers);
  // Records memory that host and device share, if a launch has ended since the last time.
  void read_shared();

  // For forks in front of main() (forks.cpp). The first loads the code of object files and returns
  // false if that fails; it starts the simulator. The third uses what a fork is given, and returns
  // false if that fails. `noted`: is called with a kernel at its first launch.
  bool load_early();
  bool has_simulator() const { return static_cast<bool>(simulator_); }
  Simulator& simulator() { return simulator(""); }
  bool become(process::Descriptor memory, process::Descriptor socket, std::function<void()> on_loss,
              std::function<void(const KernelInfo&)> noted);
  // Makes the simulator compile or load the code of a kernel.
  void prepare(std::uint64_t module, const std::string& kernel);

  Measured measured{"simulator"};
  ReadBack reads;

  std::list<HostRange> host_ranges;
  const HostRange* host_range_of(const void* pointer) const; // may return null
  CUstream_st default_stream;
  std::map<int, std::size_t> limits;
  // Writes what device code asks of its device (gputest_cuda/device_facts.h).
  void tell_limits();
  unsigned device_flags = 0;

  static void end(); // of the process, if there is a State

private:
  State();
  void load(const std::vector<RegisteredModule*>& modules, int device);
  void load_all(int device);
  void tell_device(const LoadedCode& code, int device) const;
  // `shared`: variables that already have addresses.
  cudaError_t load_code(const std::vector<std::string_view>& containers, const JitLog& log,
                        LoadedCode& code, const std::map<std::string, VariableInfo>& shared = {});
  cudaError_t load_image(const void* image, const std::string& name, const JitLog& log,
                         CUmod_st*& module);
  cudaError_t refuse(cudaError_t error, const std::string& message, const JitLog& log);
  std::string chosen(const ir::cuda::Container& container);
  std::vector<std::pair<LoadedCode, int>> asking_; // code of object files, with its device
  Simulator& simulator(std::string path);
  std::function<void(const KernelInfo&)> noted_;
  // Asks the simulator. nullopt: it has ended, and the message is printed.
  std::optional<std::string> ask(const std::string& path, const simulator::cuda::Writer& request);
  void tell_allocation(std::uint64_t address, std::size_t size, MemoryKind kind,
                       const std::string& name);
  void tell_end(std::uint64_t address);
  void tell_map(std::uint64_t begin, std::size_t size, int file, std::size_t offset);
  std::string with_device_pointers(const KernelInfo& kernel, std::string arguments) const;
  void copy_host_ranges(bool to_device);
  void follow_host_ranges(bool follow);
  simulator::cuda::Writer continued(simulator::cuda::Request request, std::uint64_t launch);
  cudaError_t take_answer(const std::optional<std::string>& answer,
                          const std::optional<WaitingLaunch>& waiting);
  cudaError_t broken(cudaError_t error, const std::string& message);
  // Prints a finding and writes it down. `kind` is empty for a note, which is only printed.
  void tell(const std::string& kind, const std::string& file, std::uint64_t line,
            std::uint64_t column, const std::string& message, std::uint64_t count,
            const std::string& other = "");
  std::string in_words(std::string message) const;
  void tell(const OrderFinding& finding);
  void make_order();
  void choose_checks(); // of the order of operations and of the host
  void end_of_program();
  // The program's own code, not that of a library's header, at a return address; and its line.
  CodeOfAuthor code_of_author(const void* instruction);
  std::optional<CodeLine> line_of_author(const void* instruction);
  // The line at which that code has called what runs now.
  std::optional<CodeLine> line_of_call();
  // Returns the address of the first byte that an operand reads and nobody has written; 0: there is
  // none. `which`: the operand's index.
  std::uint64_t first_unwritten(const std::vector<Operand>& operands, std::size_t& which);
  void touch(const void* at, std::size_t size, bool writes) const;

  void write_down(const std::string& json) const; // appends to the file of findings

  std::list<RegisteredModule> modules_;
  std::list<CUmod_st> loaded_;
  const int process_;  // that has called CUDA first
  unsigned texts_ = 0; // the number of PTX texts without a name
  int devices_ = 1, warp_size_ = 32;
  std::map<const void*, KernelInfo> loaded_kernels_; // kernels of modules that the program has
                                                     // loaded
  std::vector<DeviceCode> of_devices_;
  std::unique_ptr<Simulator> simulator_;
  std::string output_;
  cudaError_t sticky_ = cudaSuccess, pending_ = cudaSuccess;
  simulator::cuda::MemoryChanges changes_; // that the simulator does not know
  unsigned allocations_ = 0;
  std::uint64_t launches_ = 0, read_launches_ = 0; // those before the last read_shared()
  std::uint64_t library_calls_ = 0;                // calls of host_work.h that were made
  std::set<std::string> told_;                     // places and kinds of findings that were printed
  std::string checks_, findings_file_, orders_;
  std::uint64_t limit_ = 0;
  bool follows_definedness_ = false;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Order> order_;
  std::unique_ptr<HostFaults> host_faults_;
  std::string asked_checks_; // of the simulator: those of `checks_`, and what the order needs
  std::optional<WaitingLaunch> waiting_; // the latest launch, if it waits
  std::size_t waiting_launches_ = 0;
};

using Lock = std::lock_guard<std::recursive_mutex>;

} // namespace gputest::cuda
