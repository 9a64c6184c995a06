// A process whose calls another one makes uses no driver: there is none here, and nobody looks for one.
#include "cuda/gpu/remote.h"
#include "cuda/gpu/server.h"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

#define main calls_main
#include "tests/cuda/forks/calls.cu"
#undef main

int main() {
  using namespace gputest::cuda::gpu;
  Channel* const channel = Channel::make();
  const pid_t server = fork();
  if (server == 0)
    Server::get().serve(*channel);
  const pid_t caller = fork();
  if (caller == 0) {
    set_remote(channel);
    // Each fails, as there is no GPU, but in the other process.
    int count = 0, *memory = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaGetErrorString(cudaGetLastError());
    cudaGetErrorName(cudaPeekAtLastError());
    cudaGetDeviceCount(&count);
    cudaSetDevice(0);
    cudaGetDeviceProperties(&properties, 0);
    cudaMalloc(&memory, 64);
    cudaMallocManaged(&memory, 64);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    cudaMemcpy(memory, &count, sizeof count, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factors, &count, sizeof count);
    add<<<1, 1, 0, stream>>>(memory, Pair{}, 1);
    cudaFuncGetAttributes(&attributes, add);
    cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    _exit(cudaDeviceSynchronize() == cudaSuccess ? 3 : 0);
  }
  int status = 0;
  waitpid(caller, &status, 0);
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
  std::printf("refused: '%s', status %d\n", channel->refused, status);
  return channel->refused[0] || (status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 3));
}
