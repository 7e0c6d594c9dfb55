// Stands in for kernel-audit-extract in tests: the candidate's name says how it behaves.
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "analysis/extract_protocol.h"
#include "analysis/facts/facts_packed.h"
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
    kernel_audit::analysis::facts::Facts facts;
    facts.extractor_version = name;
    if (name == "large") facts.problems.push_back({"limit", std::string(1 << 20, 'x')});
    const Json head = {{"id", name == "other-id" ? Json(777) : id}};
    std::string answer = head.dump() + "\n" + kernel_audit::analysis::facts::packed(facts);
    if (name == "not-json") answer = "{nonsense";
    if (name == "no-facts") answer = head.dump();
    if (name == "odd-facts") answer += "x";
    if (name == "error") answer = Json{{"id", id}, {"error", {{"kind", "limit"}, {"message", "Too large."}}}}.dump();
    if (name == "odd-error") answer = Json{{"id", id}, {"error", {{"message", 5}}}}.dump();
    if (!channel.send_large(answer).ok()) return 1;
  }
}
