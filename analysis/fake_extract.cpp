// Stands in for kernel-audit-extract in tests: the candidate's name says how it behaves.
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "analysis/extract_protocol.h"
#include "auditor/process/channel.h"

using kernel_audit::Json;

int main() {
  kernel_audit::process::Channel channel{kernel_audit::process::Fd(kernel_audit::analysis::kExtractChannelFd)};
  for (;;) {
    auto request = channel.receive_json(std::chrono::milliseconds(-1));
    if (!request) return 0;
    const std::string name = request->first.value("name", "");
    const Json id = request->first["id"];
    if (name == "crash") std::raise(SIGSEGV);
    if (name == "exit") std::_Exit(3);
    if (name == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
    if (name == "grow") {
      std::vector<std::vector<char>> kept;
      for (int i = 0; i < 400; ++i) kept.emplace_back(1 << 20, 'x');
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
    Json answer = {{"id", id}, {"facts", {{"version", 1}, {"extractor_version", name}}}};
    if (name == "other-id") answer["id"] = 777;

    if (name == "not-json") {
      if (!channel.send("{nonsense").ok()) return 1;
      continue;
    }
    if (name == "error") answer = {{"id", id}, {"error", {{"kind", "limit"}, {"message", "Too large."}}}};
    if (name == "odd-error") answer = {{"id", id}, {"error", {{"message", 5}}}};
    if (!channel.send_json(answer).ok()) return 1;
  }
}
