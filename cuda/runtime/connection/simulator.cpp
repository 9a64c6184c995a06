// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/connection/simulator.h"

#include "process/command.h"
#include "process/messages.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

// Is defined by gputest-cuda when it links a program without kernels.
extern "C" __attribute__((weak)) const char gputest_cuda_simulator[];

namespace gputest::cuda {

namespace {

// Returns the simulator of the toolkit that this shared library is in, or of the toolkit that has
// linked the program, or the one in $PATH, or that of the installation.
std::string found_simulator() {
  Dl_info self{};
  if (::dladdr(reinterpret_cast<const void*>(&found_simulator), &self) != 0 && self.dli_fname) {
    const std::string library = self.dli_fname;
    const std::string programs = library.substr(0, library.rfind('/') + 1) + "../bin/";
    std::ifstream stream(programs + "gputest-simulator.path");
    std::string path;
    if (std::getline(stream, path))
      return path.starts_with('/') ? path : programs + path;
  }
  if (const char* const said = gputest_cuda_simulator; said && ::access(said, X_OK) == 0)
    return said;
  return process::find_program("gputest-simulator").value_or(GPUTEST_INSTALLED_SIMULATOR);
}

} // namespace

Simulator::Simulator(const std::string& program, int memory) {
  const char* const named = std::getenv("GPUTEST_SIMULATOR");
  const std::string path = named && *named ? named : program.empty() ? found_simulator() : program;
  try {
    process::Ends ends = process::stream_sockets();
    const int theirs = ends.theirs.number();
    child_ = process::Child::start(
        {.words = {path, "--serve-cuda", std::to_string(theirs), std::to_string(memory)},
         .descriptors = {{theirs, theirs}, {memory, memory}},
         .ends_with_us = false});
    socket_ = std::move(ends.ours);
  } catch (const std::runtime_error&) {
    std::fprintf(stderr,
                 "gputest-cuda: error: the simulator %s cannot be started; set the environment "
                 "variable GPUTEST_SIMULATOR to the path of gputest-simulator\n",
                 path.c_str());
  }
}

Simulator::~Simulator() {
  child_.let_go(); // it ends by itself, when the socket is closed
}

std::optional<std::string> Simulator::ask(const simulator::cuda::Writer& request) {
  if (!socket_)
    return std::nullopt;
  try {
    process::send(socket_.number(), request.message());
    if (std::optional<std::string> reply = process::receive(socket_.number()))
      return reply;
  } catch (const process::ConnectionLost&) { // the caller reports it
  }
  socket_.close();
  if (on_loss_)
    on_loss_();
  else if (const process::Ended ended = child_.wait(); ended.by_others())
    ended_by_others_ = ended.is_unknown ? "in a way that is not known"
                                        : "by " + process::signal_name(ended.signal);
  return std::nullopt;
}

process::Descriptor Simulator::begin_fork(int memory, bool runs_mutant) {
  process::Ends ends = process::stream_sockets();
  const int given[] = {ends.theirs.number(), memory};
  simulator::cuda::Writer request;
  request.put(simulator::cuda::Request::Fork).put(runs_mutant);
  process::send(socket_.number(), request.message());
  process::send_descriptors(socket_.number(), given);
  const std::optional<std::string> answer = process::receive(socket_.number());
  if (!answer)
    throw process::ConnectionLost();
  if (simulator::cuda::Reader reply(*answer); reply.number() != 0)
    throw std::runtime_error(reply.text());
  return std::move(ends.ours);
}

process::Ended Simulator::end_fork(bool waits) {
  simulator::cuda::Writer request;
  request.put(simulator::cuda::Request::Ended).put(waits);
  const std::optional<std::string> answer = ask(request);
  if (!answer)
    throw process::ConnectionLost();
  simulator::cuda::Reader reply(*answer);
  reply.number();
  const auto told = reply.get<simulator::cuda::EndedFork>();
  process::Ended ended;
  ended.exit_code = told.exit_code;
  ended.signal = told.signal;
  ended.is_unknown = told.is_unknown;
  return ended;
}

void Simulator::become(process::Descriptor socket, std::function<void()> on_loss) {
  child_.let_go();
  socket_ = std::move(socket);
  on_loss_ = std::move(on_loss);
}

} // namespace gputest::cuda
