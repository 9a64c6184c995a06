// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/recorder.h"

#include "cuda/gpu/calls.h"
#include "cuda/records/text.h"
#include "model/mutation/cuda_state.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace gputest::cuda::gpu {
namespace {

constexpr int kNoDevice = 77;
constexpr std::size_t kWord = sizeof(std::uint32_t);

// A stream that waits for no other. While it exists, captures of this thread allow every call.
class OwnStream {
public:
  OwnStream() {
    cudaThreadExchangeStreamCaptureMode(&mode_);
    error_ = cudaStreamCreateWithFlags(&stream_, kNonBlocking);
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() {
    if (stream_)
      cudaStreamDestroy(stream_);
    cudaThreadExchangeStreamCaptureMode(&mode_);
  }

  int copy(void* to, const void* from, std::size_t size, int kind) {
    if (error_ == kSuccess)
      error_ = __real_cudaMemcpyAsync(to, from, size, kind, stream_);
    if (error_ == kSuccess)
      error_ = __real_cudaStreamSynchronize(stream_);
    return error_;
  }

private:
  int mode_ = kCaptureModeRelaxed;
  void* stream_ = nullptr;
  int error_ = kSuccess;
};

[[noreturn]] void probe() {
  int count = 0;
  const int error = cudaGetDeviceCount(&count);
  if (error == kSuccess && count > 0)
    ::_exit(0);
  std::fprintf(stderr, "no GPU: %s\n", error ? cudaGetErrorString(error) : "no device");
  ::_exit(kNoDevice);
}

} // namespace

Recorder& Recorder::get() {
  static Recorder* const recorder = new Recorder; // needed until the very end
  return *recorder;
}

void Recorder::add(const std::string& variant, const std::string& folder, AddressOf address,
                   std::size_t size) {
  if (!environment("GPUTEST_CUDA_PROBE").empty())
    probe();
  const std::lock_guard lock(mutex_);
  if (variant != measured_.variant())
    return;
  measured_.add_unit(folder);
  Unit& unit = units_.emplace_back(Unit{address, std::vector<std::byte>(size)});
  measured_.watch("gputest_" + variant + "_" + folder.substr(folder.rfind('/') + 1),
                  unit.words.data(), size); // this sets the first word, the active mutant
}

void Recorder::before_launch() {
  const std::lock_guard lock(mutex_);
  if (units_.empty())
    return;
  ++launches_;
  int device = 0;
  int error = cudaGetDevice(&device);
  if (error == kSuccess)
    error = prepare(device);
  if (error != kSuccess)
    measured_.lose(cudaGetErrorString(error));
  if (exits_here_)
    return;
  // Registered after CUDA's initialisation, so that CUDA still works when this is called.
  exits_here_ = true;
  std::atexit([] { get().at_exit(); });
}

int Recorder::prepare(int device) {
  std::vector<void*>& addresses = prepared_[device];
  if (addresses.size() == units_.size())
    return kSuccess;
  OwnStream stream;
  while (addresses.size() < units_.size()) {
    Unit& unit = units_[addresses.size()];
    void* address = nullptr;
    int error = unit.address(&address);
    if (error == kSuccess && measured_.variant() == "mutants") {
      std::vector<std::byte> words(unit.words.begin(),
                                   unit.words.begin() + model::kCudaReached * kWord);
      tell_where(words);
      error = stream.copy(address, words.data(), words.size(), kToDevice);
    }
    if (error != kSuccess)
      return error;
    addresses.push_back(address);
  }
  return kSuccess;
}

int Recorder::make_told() {
  void* memory = nullptr;
  const int error = told_ ? kSuccess : __real_cudaHostAlloc(&memory, kWord, kPortableAndMapped);
  if (memory) {
    told_ = static_cast<volatile std::uint32_t*>(memory);
    *told_ = 0;
  }
  return error;
}

// Writes the device's address of told_ to the words, if there is one.
void Recorder::tell_where(std::vector<std::byte>& words) {
  void* address = nullptr;
  if (make_told() == kSuccess &&
      cudaHostGetDevicePointer(&address, const_cast<std::uint32_t*>(told_), 0) == kSuccess)
    std::memcpy(words.data() + model::kCudaTold * kWord, static_cast<const void*>(&address),
                sizeof address);
}

void Recorder::activate(const std::string& mutant, std::uint32_t budget) {
  const std::lock_guard lock(mutex_);
  prepared_.clear();
  if (told_)
    *told_ = 0;
  measured_.activate(mutant, budget);
}

int Recorder::make_ready() {
  const std::lock_guard lock(mutex_);
  return make_told();
}

void Recorder::read(int device) {
  const auto found = prepared_.find(device);
  if (found == prepared_.end())
    return;
  int error = __real_cudaDeviceSynchronize();
  OwnStream stream;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    std::vector<std::byte>& words = units_[i].words;
    std::vector<std::byte> recorded(words.size());
    if (error == kSuccess)
      error = stream.copy(recorded.data(), found->second[i], recorded.size(), kToHost);
    for (std::size_t at = 0; error == kSuccess && at < words.size(); ++at)
      words[at] |= recorded[at];
    if (measured_.variant() != "mutants")
      continue;
    std::memset(words.data() + model::kCudaTold * kWord, 0, 2 * kWord); // an address is meaningless
                                                                        // elsewhere
    if (told_ && *told_ != 0)
      words[model::kCudaEvents * kWord] |= std::byte{model::kCudaBudgetEvent};
  }
  if (error != kSuccess)
    measured_.lose(cudaGetErrorString(error));
  prepared_.erase(found);
}

void Recorder::before_reset() {
  const std::lock_guard lock(mutex_);
  int device = 0;
  if (!units_.empty() && cudaGetDevice(&device) == kSuccess)
    read(device);
  measured_.write(launches_);
}

void Recorder::at_exit() {
  const std::lock_guard lock(mutex_);
  while (!prepared_.empty()) {
    const int device = prepared_.begin()->first;
    cudaSetDevice(device);
    read(device);
  }
  measured_.write(launches_);
}

void Recorder::end() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(ends_, true))
    return; // a call that reads the state
  at_exit();
  ::_exit(1);
}

unsigned Recorder::launch(const std::string& unit, unsigned site) {
  const std::lock_guard lock(mutex_);
  return measured_.launch(unit, site);
}

} // namespace gputest::cuda::gpu

// Is called by instrumented sources when the program is loaded. The next one is called at launches.
extern "C" int gputest_gpu_unit(const char* variant, const char* folder, int (*address)(void**),
                                std::size_t size) {
  gputest::cuda::gpu::Recorder::get().add(variant, folder, address, size);
  return 0;
}
extern "C" unsigned gputest_gpu_launch(const char* unit, unsigned site) {
  return gputest::cuda::gpu::Recorder::get().launch(unit, site);
}
