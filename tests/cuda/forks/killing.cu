// Ends the process that it is a fork of ($KILL is "parent"), or the one that makes its calls.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <string>
#include <unistd.h>

__global__ void put(int* out) { out[threadIdx.x] = 2 * threadIdx.x; }

static std::string program_of(const std::string& process) {
  char name[4096];
  const ssize_t size = readlink(("/proc/" + process + "/exe").c_str(), name, sizeof name);
  return {name, size > 0 ? static_cast<std::size_t>(size) : 0};
}

static int parent_of(const std::string& process) {
  int parent = 0;
  if (FILE* const file = std::fopen(("/proc/" + process + "/stat").c_str(), "r")) {
    if (std::fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1)
      parent = 0;
    std::fclose(file);
  }
  return parent;
}

static void end_another() {
  const std::string parent = std::to_string(getppid());
  if (program_of(parent) != program_of("self"))
    return; // no fork
  if (std::strcmp(std::getenv("KILL"), "parent") == 0)
    kill(getppid(), SIGKILL);
  DIR* const all = opendir("/proc");
  while (const dirent* const one = readdir(all))
    if (const int process = std::atoi(one->d_name);
        process > 0 && process != getpid() && parent_of(one->d_name) == getppid())
      kill(process, SIGKILL);
  closedir(all);
}

int main() {
  int *out, host[16];
  cudaMalloc(&out, sizeof host);
  end_another();
  put<<<1, 16>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return host[3] == 6 ? 0 : 1;
}
