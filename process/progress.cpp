// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/progress.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace gputest::process {
namespace {

constexpr const char* kVariable = "GPUTEST_PROGRESS"; // the socket's abstract name
constexpr std::size_t kLongest = 4096;

// Reads "<process>\t<name>\t<text>". nullopt if it is no such message.
std::optional<ProgressMessage> read(std::string_view line) {
  const std::size_t name = line.find('\t'), text = line.find('\t', name + 1);
  if (name == line.npos || text == line.npos)
    return std::nullopt;
  ProgressMessage message;
  const std::string process(line.substr(0, name));
  const char* end = process.data() + process.size();
  if (std::from_chars(process.data(), end, message.process).ptr != end)
    return std::nullopt;
  message.name = line.substr(name + 1, text - name - 1);
  message.text = line.substr(text + 1);
  for (std::string* shown : {&message.name, &message.text})
    std::ranges::replace_if(*shown, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return message;
}

// Returns the connected socket; -1: nobody listens.
int connected() {
  const char* name = std::getenv(kVariable);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (name == nullptr || std::strlen(name) + 1 > sizeof address.sun_path)
    return -1;
  std::memcpy(address.sun_path + 1, name, std::strlen(name)); // abstract: the first byte is 0
  const auto length = offsetof(sockaddr_un, sun_path) + 1 + std::strlen(name);
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket >= 0 && ::connect(socket, reinterpret_cast<const sockaddr*>(&address),
                               static_cast<socklen_t>(length)) == 0)
    return socket;
  ::close(socket);
  return -1;
}

} // namespace

ProgressInbox::ProgressInbox() : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  // Without a name, the system chooses one.
  if (socket_ < 0 || ::bind(socket_, plain, sizeof address.sun_family) != 0 ||
      ::getsockname(socket_, plain, &length) != 0)
    throw std::runtime_error(std::string("cannot make a socket: ") + std::strerror(errno));
  const std::string name(address.sun_path + 1,
                         length - offsetof(sockaddr_un, sun_path) - 1); // hexadecimal digits
  ::setenv(kVariable, name.c_str(), 1);
}

ProgressInbox::~ProgressInbox() {
  ::unsetenv(kVariable);
  ::close(socket_);
}

std::optional<ProgressMessage> ProgressInbox::next() {
  std::array<char, kLongest> bytes;
  for (;;) {
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0)
      return std::nullopt;
    if (auto message = read({bytes.data(), static_cast<std::size_t>(count)}))
      return message;
  }
}

std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  const auto is_inside = [&](std::size_t at) { // a character of several bytes
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  for (; end < text.size(); ++end)
    if (!is_inside(end) && columns-- == 0)
      break;
  return text.substr(0, end);
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

ProgressLine::ProgressLine(std::string name, std::chrono::milliseconds pause)
    : name_(std::move(name)), pause_(pause), is_terminal_(::isatty(STDOUT_FILENO) == 1),
      last_(Clock::now()) {
  if (!is_terminal_)
    socket_ = connected();
  if (is_terminal_ || socket_ >= 0) { // the first text is shown at once
    pause_ = std::chrono::milliseconds(200);
    last_ -= pause_;
  }
}

ProgressLine::~ProgressLine() {
  clear();
  if (socket_ >= 0)
    ::close(socket_);
}

bool ProgressLine::is_due() const {
  return Clock::now() - last_ >= pause_;
}

void ProgressLine::show(const std::string& text) {
  last_ = Clock::now();
  if (!is_terminal_ && socket_ < 0) {
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), text.c_str());
    return;
  }
  is_shown_ = true;
  if (!is_terminal_)
    return tell(text);
  const std::string_view shown = fitting(text, terminal_columns() - 1);
  std::printf("\r\033[K%.*s", static_cast<int>(shown.size()), shown.data());
  std::fflush(stdout);
}

void ProgressLine::clear() {
  if (!is_shown_)
    return;
  is_shown_ = false;
  if (!is_terminal_)
    return tell("");
  std::printf("\r\033[K");
  std::fflush(stdout);
}

void ProgressLine::tell(const std::string& text) const {
  const std::string line = std::to_string(::getpid()) + '\t' + name_ + '\t' + text;
  // A listener that does not read in time misses a message. A listener that is gone is ignored.
  ::send(socket_, line.data(), std::min(line.size(), kLongest), MSG_DONTWAIT | MSG_NOSIGNAL);
}

} // namespace gputest::process
