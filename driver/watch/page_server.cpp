// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/watch/page_server.h"

#include "driver/command_error.h"
#include "model/files.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <fmt/format.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestHead = 16384;
constexpr char kReload = 'r', kEnd = 'e'; // why serve() is woken
constexpr std::string_view kEventsPath = "/gputest-events";
constexpr std::string_view kScript =
    "<script>new EventSource(\"/gputest-events\").onmessage=()=>location.reload();</script>\n";
constexpr std::string_view kNothingYet =
    "<!DOCTYPE html><meta charset=\"utf-8\"><title>gputest watch</title><p>There are no results "
    "yet. This page shows them as soon as a test has run.</p>";

Answer refusal(int status, std::string_view why) {
  return {status, "text/plain; charset=utf-8", fmt::format("{}\n", why)};
}

Answer no_page(const std::string& path) {
  if (path != "/")
    return refusal(404, "There is no such page.");
  return {200, "text/html; charset=utf-8", std::string(kNothingYet) + std::string(kScript)};
}

std::string_view type_of(const fs::path& file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes{{
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".txt", "text/plain; charset=utf-8"},
  }};
  const std::string ending = file.extension().string();
  for (const auto& [known, type] : kTypes)
    if (ending == known)
      return type;
  return "application/octet-stream";
}

// Returns the path with each %41 as a letter; nullopt: it is malformed.
std::optional<std::string> decoded(std::string_view path) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      text += path[i];
      continue;
    }
    if (i + 2 >= path.size() || digit(path[i + 1]) < 0 || digit(path[i + 2]) < 0)
      return std::nullopt;
    text += static_cast<char>(digit(path[i + 1]) * 16 + digit(path[i + 2]));
    i += 2;
  }
  if (text.find('\0') != std::string::npos)
    return std::nullopt;
  return text;
}

// Returns the value of a field of the head, without blanks around it; empty: there is none.
std::string head_field(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const auto same = [](char a, char b) {
      return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
    };
    if (line.size() <= name.size() || line[name.size()] != ':' ||
        !std::ranges::equal(line.substr(0, name.size()), name, same))
      continue;
    std::string_view value = line.substr(name.size() + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    return std::string(value.substr(0, value.find_last_not_of(" \t") + 1));
  }
  return "";
}

// A name that leads to this machine by the browser's own knowledge, and not by somebody's DNS.
bool is_of_this_machine(const std::string& host) {
  const std::string name = host.substr(0, host.rfind(':'));
  return name == "127.0.0.1" || name == "localhost";
}

std::string page_with_script(std::string page) {
  // The page allows itself nothing; it has to hear from this server.
  constexpr std::string_view kNothing = "default-src 'none';";
  if (const std::size_t at = page.find(kNothing); at != std::string::npos)
    page.insert(at + kNothing.size(), " connect-src 'self';");
  page.insert(std::min(page.rfind("</body>"), page.size()), kScript);
  return page;
}

bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string head_of(const Answer& answer) {
  const std::string_view reason = answer.status == 200   ? "OK"
                                  : answer.status == 403 ? "Forbidden"
                                  : answer.status == 404 ? "Not Found"
                                  : answer.status == 405 ? "Method Not Allowed"
                                                         : "Bad Request";
  return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{}Cache-Control: no-store\r\n"
                     "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                     answer.status, reason, answer.type,
                     answer.is_stream ? ""
                                      : fmt::format("Content-Length: {}\r\n", answer.body.size()));
}

} // namespace

Answer answer_to(const std::string& head, const fs::path& folder) {
  const std::string_view line = std::string_view(head).substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  if (first == std::string_view::npos || second == first ||
      !line.substr(second).starts_with(" HTTP/1."))
    return refusal(400, "This is no request of HTTP/1.");
  const std::string_view method = line.substr(0, first);
  if (method != "GET" && method != "HEAD")
    return refusal(405, "Pages can only be read.");
  if (!is_of_this_machine(head_field(head, "host")))
    return refusal(403, "Only 127.0.0.1 and localhost are served.");
  const std::string_view target = line.substr(first + 1, second - first - 1);
  const std::optional<std::string> path = decoded(target.substr(0, target.find_first_of("?#")));
  if (!path || !path->starts_with('/'))
    return refusal(400, "This is no path.");
  if (*path == kEventsPath)
    return {.type = "text/event-stream", .body = "retry: 1000\n\n", .is_stream = true};
  std::error_code failed;
  const fs::path root = fs::canonical(folder, failed);
  if (failed) // there is no folder of results yet
    return no_page(*path);
  const fs::path file =
      fs::weakly_canonical(root / (*path == "/" ? "report.html" : path->substr(1)), failed);
  const fs::path inside = file.lexically_relative(root);
  if (failed || inside.empty() || *inside.begin() == "..")
    return refusal(403, "Only files of the folder of results are served.");
  if (!fs::is_regular_file(file, failed))
    return no_page(*path);
  const std::optional<std::string> text = model::read_text(file);
  if (!text)
    return refusal(404, "The file cannot be read.");
  const std::string type(type_of(file));
  return {200, type, type.starts_with("text/html") ? page_with_script(*text) : *text};
}

PageServer::PageServer(fs::path folder, std::uint16_t port) : folder_(std::move(folder)) {
  listening_ = process::Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1; // a port that a server has just left is free
  ::setsockopt(listening_.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (!listening_ || ::bind(listening_.number(), place, size) != 0 ||
      ::listen(listening_.number(), 16) != 0 ||
      ::getsockname(listening_.number(), place, &size) != 0)
    throw CommandError(fmt::format("error: --port {}: the port is taken, or not allowed: give "
                                   "another one, or leave --port out",
                                   port));
  port_ = ntohs(address.sin_port);
  process::Ends ends = process::pipe_to_us();
  woken_ = std::move(ends.ours);
  wake_ = std::move(ends.theirs);
  thread_ = std::thread([this] { serve(); });
}

PageServer::~PageServer() {
  wake(kEnd);
  thread_.join();
}

void PageServer::reload() {
  wake(kReload);
}

void PageServer::wake(char why) const {
  [[maybe_unused]] const ssize_t written = ::write(wake_.number(), &why, 1);
}

bool PageServer::read(Browser& browser) const {
  std::array<char, 4096> bytes{};
  const ssize_t count = ::recv(browser.socket.number(), bytes.data(), bytes.size(), 0);
  if (count <= 0)
    return false;
  if (browser.is_stream)
    return true; // nothing that it says matters
  browser.request.append(bytes.data(), static_cast<std::size_t>(count));
  const bool is_whole = browser.request.find("\r\n\r\n") != std::string::npos;
  if (!is_whole && browser.request.size() < kLongestHead)
    return true;
  const Answer answer =
      is_whole ? answer_to(browser.request, folder_) : refusal(400, "The request is too long.");
  const bool is_head = browser.request.starts_with("HEAD ");
  browser.is_stream = answer.is_stream && !is_head;
  return send_all(browser.socket.number(), head_of(answer)) &&
         (is_head || send_all(browser.socket.number(), answer.body)) && browser.is_stream;
}

void PageServer::serve() {
  for (bool ends = false; !ends;) {
    std::vector<pollfd> waiting{{listening_.number(), POLLIN, 0}, {woken_.number(), POLLIN, 0}};
    for (const Browser& browser : browsers_)
      waiting.push_back({browser.socket.number(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), -1) < 0)
      continue;
    auto ready = waiting.begin() + 2;
    for (auto browser = browsers_.begin(); browser != browsers_.end(); ++ready)
      browser =
          ready->revents == 0 || read(*browser) ? std::next(browser) : browsers_.erase(browser);
    if (waiting[1].revents != 0) {
      std::array<char, 64> bytes{};
      const ssize_t count = ::read(woken_.number(), bytes.data(), bytes.size());
      const std::string_view why(bytes.data(),
                                 static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      ends = why.find(kEnd) != std::string_view::npos;
      // Before the end as well: what was written last is the newest.
      if (why.find(kReload) != std::string_view::npos)
        std::erase_if(browsers_, [](const Browser& browser) {
          return browser.is_stream && !send_all(browser.socket.number(), "data: reload\n\n");
        });
    }
    if (waiting[0].revents != 0) {
      process::Descriptor socket(::accept4(listening_.number(), nullptr, nullptr, SOCK_CLOEXEC));
      const timeval limit{.tv_sec = 5, .tv_usec = 0}; // a browser that does not read is left
      if (socket) {
        ::setsockopt(socket.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        browsers_.push_back({std::move(socket)});
      }
    }
  }
}

} // namespace gputest::driver
