// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors that have an owner.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gputest::process {

class Descriptor {
public:
  Descriptor() = default; // none
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    other.close();
    return *this;
  }
  ~Descriptor() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; } // -1: none
  void close();
  // Gives the descriptor to the caller, who closes it.
  int release() { return std::exchange(number_, -1); }

private:
  int number_ = -1;
};

// Two ends that are connected. What this program starts does not have them unless it is given them.
struct Ends {
  Descriptor ours, theirs;
};

// Sockets: of a stream, or of packets. Throw std::runtime_error.
Ends stream_sockets();
Ends packet_sockets();
// A pipe, from theirs to ours. Throws std::runtime_error.
Ends pipe_to_us();

// Give descriptors to the process at the other end of a socket, and take them from there. Both
// throw std::runtime_error.
void send_descriptors(int socket, std::span<const int> numbers);
std::vector<Descriptor> receive_descriptors(int socket, std::size_t count);

// Opens a file that programs write to. Throws std::runtime_error with its name and the reason.
Descriptor open_output(const std::string& file);

// Writes all of it. Returns false if nobody reads any more; there is no SIGPIPE at sockets.
bool write_all(int descriptor, const void* bytes, std::size_t size);
// Reads until the other end is closed.
std::string read_all(int descriptor);

} // namespace gputest::process
