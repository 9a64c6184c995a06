// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves the pages of a folder to browsers of this machine, and makes open pages load again.
#pragma once

#include "process/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <string>
#include <thread>

namespace gputest::driver {

// The answer to a request.
struct Answer {
  int status = 200;
  std::string type, body;
  bool is_stream = false; // an event for each reload() follows, until the browser closes it
};

// Returns the answer to the head of a request of HTTP. Files are those of `folder`, which no path
// leaves, not by a link either. "/" is report.html. Only names of this machine are answered, so
// that no page of another site reads results. HTML gets a script that waits for reload().
Answer answer_to(const std::string& head, const std::filesystem::path& folder);

class PageServer {
public:
  // Listens at 127.0.0.1. `port` 0: any that is free. Throws CommandError for a port that is taken.
  PageServer(std::filesystem::path folder, std::uint16_t port);
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;
  ~PageServer(); // the connections end

  std::uint16_t port() const { return port_; }
  void reload(); // all open pages load again

private:
  struct Browser {
    process::Descriptor socket;
    std::string request{};
    bool is_stream = false;
  };
  void serve();
  void wake(char why) const;
  // Returns whether the connection stays open.
  bool read(Browser& browser) const;

  std::filesystem::path folder_;
  std::uint16_t port_ = 0;
  process::Descriptor listening_, wake_, woken_; // a byte in the pipe wakes serve()
  std::list<Browser> browsers_;                  // of serve()
  std::thread thread_;                           // the last: it uses all the others
};

} // namespace gputest::driver
