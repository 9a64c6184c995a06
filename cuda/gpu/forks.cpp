// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/forks.h"

#include "cuda/gpu/channel.h"
#include "cuda/gpu/recorder.h"
#include "cuda/gpu/remote.h"
#include "cuda/gpu/server.h"
#include "cuda/gpu/shared_memory.h"
#include "cuda/records/fork_server.h"
#include "cuda/records/text.h"
#include "process/child.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <string>

namespace gputest::cuda::gpu {
namespace {

using model::CudaForkResult;

constexpr auto kPatience = std::chrono::seconds(2);     // for work that a program has left running
constexpr auto kForBeginning = std::chrono::minutes(1); // for a server that starts

// Libraries that call the driver themselves, so their calls cannot go to a server.
constexpr const char* kLibrariesOfCuda[] = {
    "libcuda",      "libcudart",   "libcublas", "libcufft",    "libcurand",
    "libcusolver",  "libcusparse", "libcudnn",  "libcutensor", "libcufile",
    "libcudss",     "libnpp",      "libnccl",   "libnvrtc",    "libnvjpeg",
    "libnvJitLink", "libnvinfer",  "libnvblas", "libnvidia-"};

std::string library_of_cuda() {
  std::string found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* name) {
        const std::string path = info->dlpi_name ? info->dlpi_name : "";
        const std::string file = path.substr(path.rfind('/') + 1);
        for (const char* const begin : kLibrariesOfCuda)
          if (file.starts_with(begin))
            *static_cast<std::string*>(name) = file;
        return 0;
      },
      &found);
  return found;
}

class Forks : public ForkServer {
public:
  using ForkServer::ForkServer;

private:
  std::string why_not() override {
    if (const std::string library = library_of_cuda(); !library.empty())
      return "the program has loaded " + library;
    if (is_driver_used())
      return "the program uses the GPU before main()";
    if (!Server::get().refused().empty())
      return "the program has " + Server::get().refused();
    channel_ = Channel::make();
    return channel_ && reserve_shared_memory() ? "" : std::strerror(errno);
  }

  void start() override { start_server(); }

  void start_server() {
    channel_->is_servers = 0;
    channel_->is_endless = 0;
    server_ = process::Child::fork();
    if (!server_.is_here())
      return;
    leave("/dev/null"); // the output of kernels goes there
    Server::get().serve(*channel_);
  }

  void restart_server() {
    server_.end();
    start_server();
  }

  bool begin(const AskedFork& asked, CudaForkResult& result) override {
    channel_->refused[0] = 0;
    if (asked.mutant.size() > Channel::kBytes) {
      refuse_run(result, "too many sources");
      return false;
    }
    channel_->clear();
    std::memcpy(channel_->bytes, asked.mutant.data(), asked.mutant.size());
    channel_->put(asked.mutant.size());
    channel_->put(asked.how.budget);
    if (!channel_->ask(Server::begin, Clock::now() + kForBeginning)) {
      result.is_lost = true;
    } else if (const int error = channel_->take<int>(); error != 0) {
      refuse_run(result, "error " + std::to_string(error) + " before the first launch");
    } else {
      return true;
    }
    restart_server();
    return false;
  }

  void become(const AskedFork& asked) override {
    Recorder::get().activate(asked.mutant, asked.how.budget);
    set_remote(channel_);
  }

  bool is_lost() override { return !server_.runs() || server_.look(); }

  // Prepares the server for the next run, or starts a new one.
  void finish(CudaForkResult& result) override {
    if (channel_->refused[0] != 0)
      std::memcpy(result.refused, channel_->refused, sizeof result.refused);
    result.is_endless = channel_->is_endless != 0;
    bool is_left = false;
    if (!result.is_lost && !result.timed_out) {
      channel_->clear();
      is_left =
          channel_->ask(Server::finish, Clock::now() + kPatience) && channel_->take<int>() == 0;
      result.is_endless |= channel_->is_endless != 0;
    }
    if (!is_left)
      restart_server();
  }

  void end() override { server_.end(); }

  Channel* channel_ = nullptr;
  process::Child server_;
};

} // namespace

void serve_forks() {
  const std::string socket = environment("GPUTEST_CUDA_FORKS");
  if (socket.empty())
    return;
  ::unsetenv("GPUTEST_CUDA_FORKS");
  static auto* const forks = new Forks(std::atoi(socket.c_str())); // forks have it until their end
  forks->serve();
}

} // namespace gputest::cuda::gpu

extern "C" int __real_main(int argc, char** argv, char** environment);
extern "C" int __wrap_main(int argc, char** argv, char** environment) {
  gputest::cuda::gpu::serve_forks();
  return __real_main(argc, argv, environment);
}
