#include "auditor/commands/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "auditor/commands/options.h"
#include "auditor/commands/rule_catalogue.h"
#include "auditor/executor/interrupt.h"
#include "auditor/terminal/progress.h"
#include "reports/registry.h"

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
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return Error{ErrorKind::kTool, "the file could not be written" + (problem ? ": " + problem.message() : ""), path,
                 "", "check that its folder exists, its permissions and free space"};
  }
  return Ok{};
}

int finish(reports::Report& report, const std::string& out, const std::string& format, bool interrupted) {
  if (interrupted) report.exit_code = executor::kInterruptedExit;
  for (const DocumentedRule& rule : rule_catalogue()) report.rules.push_back({rule.info, rule.documentation});
  std::string written;
  for (const reports::Writer& writer : reports::writers()) {
    if (out.empty() || (writer.name != "json" && writer.name != "markdown" && writer.name != format)) continue;
    Status status = write_file(out + "/" + writer.file_name, writer.render(report));
    if (!status) return usage_error(status.error());
    written += writer.file_name + ", ";
  }
  if (const reports::Writer* writer = reports::find_writer(format)) {
    std::cout << writer->render(report);
  } else {
    const bool color = terminal::use_color(STDOUT_FILENO);
    std::cout << (report.command == "lint" ? reports::render_diagnostics(report, color)
                                           : reports::render_terminal(report, color, terminal_width()));
    if (!out.empty()) std::cout << "\nWritten to " << out << ": " << written << "journal.jsonl\n";
  }
  std::cout.flush();
  return report.exit_code;
}

}  // namespace kernel_audit::commands
