// Runs programs of stream operations that its input describes, a line each (streams.py), and writes
// a line into the file of findings before each program.
#include "../check.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

constexpr int kInts = 1024; // of a buffer: a page

__global__ void fill(int* a, int begin, int end) {
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
    a[i] = i;
}
__global__ void use(const int* a, int begin, int end, int* sum) {
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
    sum[i] = a[i];
}

struct Program {
  std::map<std::string, cudaStream_t> streams;
  std::map<std::string, cudaEvent_t> events;
  std::map<std::string, int*> buffers;
  std::vector<int*> sums;
  int seen = 0;

  ~Program() {
    for (int* const sum : sums)
      cudaFree(sum);
    for (const auto& [name, buffer] : buffers)
      if (name[0] == 'd')
        cudaFree(buffer);
    for (const auto& [name, stream] : streams)
      cudaStreamDestroy(stream);
    for (const auto& [name, event] : events)
      cudaEventDestroy(event);
  }

  int* sum() {
    cudaMalloc(&sums.emplace_back(), kInts * sizeof(int));
    return sums.back();
  }

  cudaStream_t stream(const std::string& name) { return name == "L" ? nullptr : streams.at(name); }

  // <what> <buffer> <begin> <end>
  void put(std::istream& words, cudaStream_t to) {
    std::string what, name;
    int begin = 0, end = 0;
    words >> what >> name >> begin >> end;
    int* const buffer = buffers.at(name);
    const std::size_t size = (end - begin) * sizeof(int);
    if (what == "fill")
      fill<<<1, 32, 0, to>>>(buffer, begin, end);
    else if (what == "use")
      use<<<1, 32, 0, to>>>(buffer, begin, end, sum());
    else if (what == "set")
      cudaMemsetAsync(buffer + begin, 1, size, to);
    else if (what == "copy") { // to another buffer
      std::string other;
      words >> other;
      cudaMemcpyAsync(buffers.at(other) + begin, buffer + begin, size, cudaMemcpyDefault, to);
    } else
      EXPECT(!"a known operation");
  }

  // <count>, then for each node: <what> <buffer> <begin> <end> <count of dependencies> <number>…
  void graph(std::istream& words, cudaStream_t to) {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    std::vector<cudaGraphNode_t> nodes;
    int count = 0;
    for (words >> count; count > 0; --count) {
      std::string what, name;
      int begin = 0, end = 0, dependencies = 0;
      words >> what >> name >> begin >> end >> dependencies;
      std::vector<cudaGraphNode_t> before;
      for (; dependencies > 0; --dependencies) {
        int number = 0;
        words >> number;
        before.push_back(nodes[number]);
      }
      int *buffer = buffers.at(name), *other = what == "use" ? sum() : nullptr;
      void* arguments[] = {&buffer, &begin, &end, &other};
      if (what == "set") {
        cudaMemsetParams params{};
        params.dst = buffer + begin;
        params.elementSize = 4;
        params.width = end - begin;
        params.height = 1;
        cudaGraphAddMemsetNode(&nodes.emplace_back(), graph, before.data(), before.size(), &params);
        continue;
      }
      cudaKernelNodeParams params{};
      params.func = what == "use" ? (void*)use : (void*)fill;
      params.gridDim = 1;
      params.blockDim = 32;
      params.kernelParams = arguments;
      cudaGraphAddKernelNode(&nodes.emplace_back(), graph, before.data(), before.size(), &params);
    }
    launch(graph, to);
  }

  void launch(cudaGraph_t graph, cudaStream_t to) {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, to);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }

  // Four operations, captured: the second and the third come after the first, the last after both.
  void capture(std::istream& words, cudaStream_t to) {
    cudaStream_t first, second;
    cudaEvent_t fork, join;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed); // sum() allocates
    put(words, first);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    put(words, second);
    put(words, first);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(first, join, 0);
    put(words, first);
    cudaGraph_t graph;
    cudaStreamEndCapture(first, &graph);
    launch(graph, to);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }

  void step(std::istream& words) {
    std::string what, name, other;
    words >> what >> name;
    if (what == "stream") {
      words >> other;
      cudaStreamCreateWithFlags(&streams[name], other == "N" ? cudaStreamNonBlocking : 0);
    } else if (what == "event")
      cudaEventCreateWithFlags(&events[name], cudaEventDisableTiming);
    else if (what == "device")
      cudaMalloc(&buffers[name], kInts * sizeof(int));
    else if (what == "pinned")
      cudaMallocHost(&buffers[name], kInts * sizeof(int));
    else if (what == "managed")
      cudaMallocManaged(&buffers[name], kInts * sizeof(int));
    else if (what == "begin") // of the program
      cudaDeviceSynchronize();
    else if (what == "do")
      put(words, stream(name));
    else if (what == "graph")
      graph(words, stream(name));
    else if (what == "capture")
      capture(words, stream(name));
    else if (what == "allocate") {
      words >> other;
      cudaMallocAsync((void**)&buffers[other], kInts * sizeof(int), stream(name));
    } else if (what == "free") {
      words >> other;
      cudaFreeAsync(buffers.at(other), stream(name));
    } else if (what == "record") {
      words >> other;
      cudaEventRecord(events.at(other), stream(name));
    } else if (what == "wait") {
      words >> other;
      cudaStreamWaitEvent(stream(name), events.at(other), 0);
    } else if (what == "sync_event")
      cudaEventSynchronize(events.at(name));
    else if (what == "query_event")
      EXPECT(cudaEventQuery(events.at(name)) == cudaSuccess);
    else if (what == "sync")
      cudaStreamSynchronize(stream(name));
    else if (what == "query")
      EXPECT(cudaStreamQuery(stream(name)) == cudaSuccess);
    else if (what == "sync_device")
      cudaDeviceSynchronize();
    else if (what == "function")
      cudaLaunchHostFunc(stream(name), [](void*) {}, nullptr);
    else if (what == "copy_now") {
      static int from[kInts];
      cudaMemcpy(buffers.at(name), from, sizeof from, cudaMemcpyHostToDevice);
    } else if (what == "set_now")
      cudaMemset(buffers.at(name), 0, kInts * sizeof(int));
    else if (what == "read")
      seen += static_cast<volatile int*>(buffers.at(name))[7];
    else if (what == "write")
      static_cast<volatile int*>(buffers.at(name))[7] = 7;
    else
      EXPECT(!"a known step");
  }
};

int main() {
  Program* program = nullptr;
  const char* const findings = std::getenv("GPUTEST_CUDA_FINDINGS");
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    if (line.rfind("program", 0) == 0) {
      cudaDeviceSynchronize();
      delete program;
      program = new Program;
      if (std::FILE* const file = findings ? std::fopen(findings, "a") : nullptr) {
        std::fprintf(file, "%s\n", line.c_str());
        std::fclose(file);
      }
    } else {
      program->step(words);
      const cudaError_t error = cudaGetLastError();
      if (error != cudaSuccess) {
        std::printf("%s: %s\n", line.c_str(), cudaGetErrorString(error));
        ++wrong;
      }
    }
  }
  cudaDeviceSynchronize();
  return wrong;
}
