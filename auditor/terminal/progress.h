// Progress on stderr: one status line with ETA on a terminal, plain lines elsewhere; NO_COLOR and
// TERM=dumb are respected. Machine output (stdout) never passes through here.
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace kernel_audit::terminal {

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void start(const std::string& title, int total_items) = 0;
  virtual void begin_item(const std::string& name) = 0;                         // "2/66 · filter"
  virtual void end_item(const std::string& name, const std::string& outcome) = 0;
  virtual void message(const std::string& text) = 0;                            // printed above the line
  virtual void finish() = 0;
};

std::unique_ptr<Progress> make_progress(int stderr_fd, bool quiet);
bool use_color(int fd);

}  // namespace kernel_audit::terminal
