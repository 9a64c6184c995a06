// All that a CUDA program's calls change. There is one, and its functions lock it.
#pragma once

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/records/measured.h"
#include "cuda/runtime/heap.h"
#include "cuda/runtime/jit_log.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/simulator.h"

#include <array>
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  unsigned long long id = 0;
  cudaGraph_t capture = nullptr;
  std::vector<cudaGraphNode_t> last{}; // of what is captured: what comes next depends on them
  std::map<int, cudaLaunchAttributeValue> attributes{};
};
struct CUevent_st {
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  double seconds = 0;
  cudaGraph_t capture = nullptr; // was recorded while that was captured
  std::vector<cudaGraphNode_t> last{};
  std::uint64_t item = 0; // that records it, in the queue
};

namespace gputest::cuda {

struct Container;
class Queue;

struct LaunchShape {
  std::array<std::uint64_t, 3> grid{}, block{};
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  std::array<std::uint64_t, 3> cluster{}; // blocks of one; 0: as the kernel says
};

struct HostRange { // cudaHostRegister
  std::byte* host = nullptr;
  std::size_t size = 0;
  std::uint64_t device = 0;
  std::vector<std::byte> seen{}; // while a launch waits: what both have had
};

// For whom a launch waits, as the simulator says it (simulator/cuda/launch.h).
enum class WaitsFor : std::uint64_t { Ended, Nobody, Launches, Host, Anybody };
struct WaitingLaunch {
  std::uint64_t id = 0;
  WaitsFor waits_for = WaitsFor::Anybody;
  std::chrono::steady_clock::time_point since{};
};

struct ThreadErrors {
  cudaError_t last = cudaSuccess;
  bool called = false; // this thread has called the runtime API
};

class State {
public:
  static State& get();
  static ThreadErrors& thread_errors();
  bool called = false; // a thread has called the runtime API

  // Devices: as many as GPUTEST_CUDA_DEVICES says, and which of them the thread has chosen. They
  // share the memory, and each has variables of its own.
  int devices() const { return devices_; }
  bool is_device(int device) const { return device >= 0 && device < devices_; }
  static int device();
  static void choose_device(int device);

  std::recursive_mutex mutex;
  Heap heap;

  // Errors. `report` sets the thread's last error and gives it back; an error of the device stays.
  cudaError_t report(cudaError_t error);
  cudaError_t take_last_error();
  cudaError_t last_error() const;
  // What an earlier launch has left, for calls that may tell it.
  cudaError_t device_error();
  bool is_broken() const { return sticky_ != cudaSuccess; }

  // Prints what kernels have printed.
  void flush();

  // What object files say.
  void** add_module(const void* container);
  RegisteredModule& module_of(void** handle);
  RegisteredModule& last_module() { return modules_.back(); }

  // What the program loads itself. `image`: a container (ir/cuda/container.h), its text
  // (ir/cuda/image.h) or PTX; anything else is refused with a message, which `log` gets, too.
  cudaError_t load_image(const void* image, const JitLog& log, CUmod_st*& module);
  cudaError_t load_file(const char* file, const JitLog& log, CUmod_st*& module); // that is an image
  // The image's containers. `name` is that of PTX for people, or empty; `size` its bytes, or 0: it
  // ends with a zero.
  cudaError_t containers_of(const void* image, std::size_t size, std::string name,
                            const JitLog& log, std::string& containers);
  // Whether they can be read; `whole`: and need no others.
  cudaError_t check(const std::string& containers, bool whole, const JitLog& log);
  bool has(const CUmod_st* module) const;
  void unload(CUmod_st& module);

  // Null: not known. Loads what the thread's device has not loaded yet. `stub`: the host's
  // function, or a CUfunc_st.
  KernelInfo* kernel(const void* stub);
  VariableInfo* variable(const void* symbol);

  // `arguments`: pointers to the kernel's arguments, in order. The launch may be one that waits:
  // take_waiting() says so, once.
  cudaError_t launch(KernelInfo& kernel, const LaunchShape& shape, const std::string& arguments);
  std::optional<WaitingLaunch> take_waiting();
  bool go_on(WaitingLaunch& launch);         // false: it still waits
  void give_up(const WaitingLaunch& launch); // it ends with an error that stays
  bool is_over(std::chrono::steady_clock::time_point since) const; // GPUTEST_CUDA_LIMIT
  void end_waiting();   // of a stream for a word, with an error that stays
  bool may_wait = true; // whoever asks for a launch can keep it
  bool is_lost() const { return is_broken() || pending_ != cudaSuccess; } // no launch runs any more
  Queue& queue() { return *queue_; }
  static std::string argument_block(const KernelInfo& kernel, void** arguments);

  // Memory, for the simulator's checks.
  std::uint64_t allocate(std::size_t size, MemoryKind kind, unsigned flags = 0,
                         const std::string& name = "");
  bool free(std::uint64_t address);
  // Memory of another process: bytes of its file, which stays open. 0: it cannot be had.
  std::uint64_t import(int file, std::size_t offset, std::size_t size);
  bool map(std::uint64_t begin, std::size_t size, int file, std::size_t offset); // whole pages
  void place(std::uint64_t address, std::size_t size); // of addresses that were reserved
  void displace(std::uint64_t address);
  // Where the host has a place of the device's memory: in registered memory, or as heap.view().
  std::byte* place_of_host(const void* pointer) const;
  void written(const void* to, std::size_t size);
  void copied(const void* to, const void* from, std::size_t size);

  Measured measured{"simulator"};

  std::list<HostRange> host_ranges;
  CUstream_st default_stream;
  std::map<int, std::size_t> limits;
  unsigned device_flags = 0;

private:
  State();
  void load(const std::vector<RegisteredModule*>& modules, int device);
  void load_all(int device);
  // `shared`: variables that have places already.
  cudaError_t load_code(const std::vector<std::string_view>& containers, const JitLog& log,
                        LoadedCode& code, const std::map<std::string, VariableInfo>& shared = {});
  cudaError_t load_image(const void* image, const std::string& name, const JitLog& log,
                         CUmod_st*& module);
  cudaError_t refuse(cudaError_t error, const std::string& message, const JitLog& log);
  std::string chosen(const Container& container);
  Simulator& simulator(std::string path);
  void tell_allocation(std::uint64_t address, std::size_t size, MemoryKind kind,
                       const std::string& name);
  void tell_end(std::uint64_t address);
  void tell_map(std::uint64_t begin, std::size_t size, int file, std::size_t offset);
  std::string with_device_pointers(const KernelInfo& kernel, std::string arguments) const;
  void copy_host_ranges(bool to_device);
  void follow_host_ranges(bool follow);
  std::optional<std::string> ask_with_changes(simulator::cuda::Writer& request);
  cudaError_t take_answer(const std::optional<std::string>& answer,
                          const std::optional<WaitingLaunch>& waiting);
  cudaError_t broken(cudaError_t error, const std::string& message);
  void tell(const std::string& kind, const std::string& file, std::uint64_t line,
            std::uint64_t column, const std::string& message, std::uint64_t count);

  void write_down(const std::string& json) const; // to the file of findings

  std::list<RegisteredModule> modules_;
  std::list<CUmod_st> loaded_;
  unsigned texts_ = 0; // of PTX that had no name
  int devices_ = 1;
  std::map<const void*, KernelInfo> loaded_kernels_; // those of what programs load themselves
  std::vector<DeviceCode> of_devices_;
  std::unique_ptr<Simulator> simulator_;
  std::string output_;
  cudaError_t sticky_ = cudaSuccess, pending_ = cudaSuccess;
  simulator::cuda::Writer changes_;
  std::uint64_t change_count_ = 0;
  unsigned allocations_ = 0;
  std::uint64_t launches_ = 0;
  std::set<std::string> told_; // places and kinds of findings
  std::string checks_, findings_file_, orders_;
  std::uint64_t limit_ = 0;
  bool follows_definedness_ = false;
  std::unique_ptr<Queue> queue_;
  std::optional<WaitingLaunch> waiting_; // the launch that was asked for last
  std::size_t waiting_launches_ = 0;
};

using Lock = std::lock_guard<std::recursive_mutex>;

} // namespace gputest::cuda
