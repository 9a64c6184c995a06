// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/forks.h"

#include "cuda/records/fork_server.h"
#include "cuda/records/text.h"
#include "cuda/runtime/state.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <link.h>
#include <set>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gputest::cuda {
namespace {

namespace fs = std::filesystem;
using model::CudaForkResult;

constexpr const char* kVariable = "GPUTEST_CUDA_SIMULATOR_FORKS";

// What a fork tells the process that it is a fork of. Both share this memory.
struct ForkReport {
  std::atomic<bool> is_lost; // its simulator has ended
  std::atomic<std::uint32_t> size;
  char kernels[std::size_t{1} << 16]; // a line for each that it has launched: module and name

  void note(const KernelInfo& kernel) {
    const std::string line = std::to_string(kernel.module) + ' ' + kernel.name + '\n';
    const std::uint32_t at = size;
    if (line.size() > sizeof kernels - at)
      return;
    line.copy(kernels + at, line.size());
    size = at + static_cast<std::uint32_t>(line.size());
  }
};

// Whether this code is in the program, and not in a library that it loads.
bool is_of_program() {
  struct Found {
    std::uintptr_t wanted;
    bool found;
  } search{reinterpret_cast<std::uintptr_t>(&is_of_program), false};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) { // the program is the first
        auto* const here = static_cast<Found*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (const auto& part = info->dlpi_phdr[i]; part.p_type == PT_LOAD)
            here->found |= here->wanted - (info->dlpi_addr + part.p_vaddr) < part.p_memsz;
        return 1;
      },
      &search);
  return search.found;
}

// A program has what its parent has given it, and what it has opened itself.
std::string opened_by_itself(const std::set<int>& known) {
  const std::string parent = "/proc/" + std::to_string(::getppid()) + "/fd/";
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", error)) {
    const std::string name = entry.path().filename().string();
    if (const int number = std::atoi(name.c_str()); number <= 2 || known.contains(number))
      continue;
    const fs::path here = fs::read_symlink(entry.path(), error);
    if (error || here == "/proc/" + std::to_string(::getpid()) + "/fd") // that of this loop
      continue;
    if (const fs::path there = fs::read_symlink(parent + name, error); error || there != here)
      return here.string();
  }
  return "";
}

// Memory that forks would share. `known`: the name of the device's.
std::string shared_memory(const std::string& known) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode, name;
    words >> range >> rights >> offset >> device >> inode;
    std::getline(words >> std::ws, name);
    if (rights.size() == 4 && rights[1] == 'w' && rights[3] == 's' && !name.starts_with(known))
      return name.empty() ? "shared memory" : name;
  }
  return "";
}

class SimulatedForks : public ForkServer {
public:
  explicit SimulatedForks(int socket) : ForkServer(socket), socket_(socket) {}

private:
  std::string why_not() override {
    State& state = State::get();
    const Lock lock(state.mutex);
    if (!is_of_program())
      return "CUDA's runtime is in a library that the program loads";
    if (state.called)
      return "the program calls CUDA before main()";
    std::error_code error;
    if (std::distance(fs::directory_iterator("/proc/self/task", error), {}) != 1)
      return "the program has a thread before main()";
    std::set<int> known{socket_, state.heap.descriptor()};
    if (state.has_simulator()) // for managed variables
      known.insert(state.simulator().descriptor());
    if (const std::string opened = opened_by_itself(known); !opened.empty())
      return "the program has opened " + opened + " before main()";
    if (const std::string shared = shared_memory("/memfd:gputest-cuda"); !shared.empty())
      return "the program shares " + shared + " before main()";
    void* const memory = ::mmap(nullptr, sizeof(ForkReport), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return std::strerror(errno);
    report_ = new (memory) ForkReport;
    return state.load_early() ? "" : "its device code cannot be loaded";
  }

  bool begin(const AskedFork& asked, CudaForkResult& result) override {
    State& state = State::get();
    report_->is_lost = false;
    report_->size = 0;
    const bool is_original = asked.mutant.starts_with("-:");
    try {
      memory_ = state.heap.copy();
      connection_ = state.simulator().begin_fork(memory_.number(), !is_original);
    } catch (const std::runtime_error& error) {
      lose(result, error.what());
      return false;
    }
    return true;
  }

  void become(const AskedFork& asked) override {
    ForkReport* const report = report_;
    State& state = State::get();
    if (!state.become(
            std::move(memory_), std::move(connection_), [report] { report->is_lost = true; },
            [report](const KernelInfo& kernel) { report->note(kernel); }))
      ::_exit(process::kEndedByOthers);
    state.measured.activate(asked.mutant, asked.how.budget);
  }

  void finish(CudaForkResult& result) override {
    connection_.close();
    memory_.close();
    try {
      const process::Ended ended = State::get().simulator().end_fork(report_->is_lost);
      if (report_->is_lost && ended.by_others() && !result.is_lost) {
        result.is_lost = true;
        refuse_run(result, "its simulator was " + ended.text());
      }
      prepare_launched();
    } catch (const std::runtime_error& error) {
      lose(result, error.what());
    }
  }

  void lose(CudaForkResult& result, const std::string& why) {
    result.is_lost = true;
    refuse_run(result, why);
    if (!State::get().simulator().is_there())
      stop();
  }

  // Later forks of the simulator have the code of these kernels.
  void prepare_launched() {
    std::istringstream lines(std::string(report_->kernels, report_->size));
    for (std::string line; std::getline(lines, line);)
      if (prepared_.insert(line).second)
        State::get().prepare(std::strtoull(line.c_str(), nullptr, 10),
                             line.substr(line.find(' ') + 1));
  }

  int socket_;
  ForkReport* report_ = nullptr;
  process::Descriptor memory_, connection_; // of the next fork
  std::set<std::string> prepared_;
};

} // namespace

bool State::load_early() {
  load_all(0);
  return !is_lost() && simulator().is_there();
}

bool State::become(process::Descriptor memory, process::Descriptor socket,
                   std::function<void()> on_loss, std::function<void(const KernelInfo&)> noted) {
  simulator().become(std::move(socket), std::move(on_loss));
  noted_ = std::move(noted);
  return heap.move_to(std::move(memory));
}

void State::prepare(std::uint64_t module, const std::string& kernel) {
  simulator::cuda::Writer request;
  request.put(simulator::cuda::Request::Prepare)
      .put(simulator::cuda::PreparedKernel{.module = module, .kernel = kernel, .checks = checks_});
  ask("", request); // without its code, forks load it
}

void serve_simulated_forks() {
  const std::string socket = environment(kVariable);
  if (socket.empty())
    return;
  ::unsetenv(kVariable);
  static auto* const forks = new SimulatedForks(std::atoi(socket.c_str())); // until forks end
  forks->serve();
}

} // namespace gputest::cuda
