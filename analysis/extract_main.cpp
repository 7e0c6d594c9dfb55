// kernel-audit-extract: source in, Facts out. As a child of kernel-audit it serves requests on a channel
// (extract_protocol.h); from a shell it prints the Facts of the files it is given, for debugging.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "analysis/extract_protocol.h"
#include "analysis/facts/facts_packed.h"
#include "analysis/split/extract.h"
#include "auditor/process/channel.h"

namespace kernel_audit::analysis {
namespace {

std::string version() { return "kernel-audit-extract " + std::to_string(kExtractorVersion); }

// A malformed request is answered, never fatal: the caller decides what to do with the process.
std::string serve_one(const Json& request, std::unique_ptr<python::Interpreter>& interpreter, std::string& python) {
  const Json id = request.is_object() && request.contains("id") ? request["id"] : Json();
  const auto fail = [&](const char* kind, const std::string& message) {
    return dump_json(Json{{"id", id}, {"error", {{"kind", kind}, {"message", message}}}});
  };
  if (!request.is_object() || !request.contains("files") || !request["files"].is_array())
    return fail("protocol", "The request names no files.");
  std::vector<split::CandidateFile> files;
  for (const Json& file : request["files"]) {
    if (!file.is_object() || !file.contains("text") || !file["text"].is_string())
      return fail("protocol", "A file of the request has no text.");
    const auto word = [&](const char* key) {
      return file.contains(key) && file[key].is_string() ? file[key].get<std::string>() : std::string();
    };
    files.push_back({word("file"), word("path"), word("language"), word("text")});
  }
  const std::string asked =
      request.contains("python") && request["python"].is_string() ? request["python"].get<std::string>() : "";
  if (interpreter == nullptr || asked != python) {
    interpreter = std::make_unique<python::Interpreter>(asked);
    python = asked;
  }
  if (const Result<std::string> found = interpreter->version(); !found) return fail("tool", found.error().describe());
  facts::Facts facts = split::extract_candidate(files, {interpreter.get(), 20});
  facts.extractor_version = std::to_string(kExtractorVersion);
  return dump_json(Json{{"id", id}}) + "\n" + facts::packed(facts);
}

int serve() {
  process::Channel channel{process::Fd(kExtractChannelFd)};
  std::unique_ptr<python::Interpreter> interpreter;
  std::string python;
  for (;;) {
    auto message = channel.receive_json(std::chrono::milliseconds(-1));
    if (!message) return message.error().kind == ErrorKind::kExit ? 0 : 2;
    if (!channel.send_large(serve_one(message->first, interpreter, python))) return 2;
  }
}

enum class Form { kJson, kReadable, kPacked };

int print(const std::vector<std::string>& names, const std::string& python, Form form) {
  std::vector<split::CandidateFile> files;
  for (const std::string& name : names) {
    std::ifstream input(name, std::ios::binary);
    if (!input) {
      std::cerr << "kernel-audit-extract: " << name << ": cannot be read\n";
      return 2;
    }
    const std::size_t slash = name.rfind('/');
    files.push_back({name, slash == std::string::npos ? name : name.substr(slash + 1), "",
                     std::string(std::istreambuf_iterator<char>(input), {})});
  }
  python::Interpreter interpreter(python);
  if (const Result<std::string> found = interpreter.version(); !found) {
    std::cerr << "kernel-audit-extract: " << found.error().describe() << "\n";
    return 2;
  }
  facts::Facts facts = split::extract_candidate(files, {&interpreter, 20});
  facts.extractor_version = std::to_string(kExtractorVersion);
  switch (form) {
    case Form::kJson:
      std::cout << dump_json(facts, 1) << "\n";
      break;
    case Form::kReadable:
      std::cout << split::dump(facts);
      break;
    case Form::kPacked:
      std::cout << facts::packed(facts);
      break;
  }
  return 0;
}

int run(int argc, char** argv) {
  std::vector<std::string> names;
  std::string python;
  Form form = Form::kJson;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--version") {
      std::cout << version() << "\n";
      return 0;
    }
    if (word == "--help") {
      std::cout << "Usage: kernel-audit-extract [--python PATH] [--dump|--packed] FILE...\n"
                   "Prints the Facts of a candidate (its entry file first) as JSON, readably with --dump, or with\n"
                   "--packed as kernel-audit reads them.\n"
                   "Without files it serves kernel-audit on descriptor 3.\n";
      return 0;
    }
    if (word == "--python" && i + 1 < argc)
      python = argv[++i];
    else if (word == "--dump")
      form = Form::kReadable;
    else if (word == "--packed")
      form = Form::kPacked;
    else
      names.push_back(word);
  }
  return names.empty() ? serve() : print(names, python, form);
}

}  // namespace
}  // namespace kernel_audit::analysis

int main(int argc, char** argv) { return kernel_audit::analysis::run(argc, argv); }
