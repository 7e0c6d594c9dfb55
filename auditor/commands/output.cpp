#include "auditor/commands/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "auditor/commands/options.h"
#include "auditor/terminal/progress.h"

namespace kernel_audit::commands {
namespace {

int terminal_width() {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 120;
}

}  // namespace

Status write_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".tmp";
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code problem;
  if (file) std::filesystem::rename(temporary, path, problem);
  if (!file || problem) {
    return Error{ErrorKind::kTool, "the file could not be written", path, "", "check free space and permissions"};
  }
  return Ok{};
}

int finish(reports::Report& report, const std::string& out, bool json, bool interrupted) {
  if (interrupted) report.exit_code = 130;
  if (!out.empty()) {
    for (const auto& [name, text] : {std::pair<const char*, std::string>{"results.json", reports::render_json(report)},
                                     {"report.md", reports::render_markdown(report)}}) {
      if (Status status = write_file(out + "/" + name, text); !status) return usage_error(status.error());
    }
  }
  if (json) {
    std::cout << reports::render_json(report);
  } else {
    std::cout << reports::render_terminal(report, terminal::use_color(STDOUT_FILENO), terminal_width());
    if (!out.empty()) std::cout << "\nWritten to " << out << ": results.json, report.md, journal.jsonl\n";
  }
  std::cout.flush();
  return report.exit_code;
}

}  // namespace kernel_audit::commands
