// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/forks.h"

#include "process/messages.h"
#include "simulator/natives/cuda_errors.h"

#include <chrono>
#include <stdexcept>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gputest::simulator::cuda {

std::optional<Forks::Served> Forks::answer(Request request, Reader& rest, int socket) {
  if (request == Request::Fork)
    return begin(rest, socket);
  end(rest.get<bool>(), socket);
  return std::nullopt;
}

std::optional<Forks::Served> Forks::begin(Reader& request, int socket) {
  Served served;
  served.runs_mutant = request.get<bool>();
  std::vector<process::Descriptor> given = process::receive_descriptors(socket, 2);
  try {
    child_ = process::Child::fork();
  } catch (const std::runtime_error& error) {
    process::send(socket, Writer().number(kLaunchFailure).text(error.what()).message());
    return std::nullopt;
  }
  if (!child_.is_here()) {
    process::send(socket, Writer().number(0).message());
    return std::nullopt;
  }
  ::close(socket); // is the parent's
  served.socket = std::move(given[0]);
  served.memory = std::move(given[1]);
  return served;
}

void Forks::end(bool waits, int socket) {
  constexpr auto kPatience = std::chrono::seconds(5); // for a fork that has lost its connection
  const auto start = std::chrono::steady_clock::now();
  std::optional<process::Ended> ended;
  if (waits && child_.runs())
    ended = child_.wait([&] { return std::chrono::steady_clock::now() - start > kPatience; });
  if (!ended) {
    child_.end();
    ended.emplace();
  }
  process::send(socket, Writer()
                            .number(0)
                            .put(EndedFork{.exit_code = ended->exit_code,
                                           .signal = ended->signal,
                                           .is_unknown = ended->is_unknown})
                            .message());
}

} // namespace gputest::simulator::cuda
