// Prints how fast lint is: the cold start on one candidate, candidates per second and core on a corpus, and the same
// from a warm cache. Wall time says little on a machine that does other work, so the processor time of all processes
// is taken too.
//   lint_throughput [CORPUS]      default: the corpus in $KERNEL_AUDIT_SHARED or ../shared
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {
namespace {

struct Run {
  double wall_s = 0, processor_s = 0;
  std::size_t items = 0;
};

// Processor time of children that have been waited for, their own children included.
double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Run run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "lint");
  arguments.insert(arguments.end(), {"--quiet", "--format", "json"});
  const double before = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  const process::Completed done = run_cli(arguments, std::chrono::seconds(600));
  Run result;
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.processor_s = processor_seconds() - before;
  const Result<Json> json = parse_json(done.standard_output, "stdout");
  if (json && json->contains("items")) result.items = (*json)["items"].size();
  return result;
}

int bench(const std::string& corpus) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::string one = source("analysis/rules/side-stream/bad/cpp_stream.py");
  std::vector<double> cold;
  for (int i = 0; i < 5; ++i) cold.push_back(run({one}).wall_s);
  std::sort(cold.begin(), cold.end());
  std::printf("cold start, one candidate with CUDA: median %.3f s, fastest %.3f s of %zu\n", cold[cold.size() / 2],
              cold.front(), cold.size());
  if (read_text(corpus).empty()) {
    std::printf("no corpus at %s: throughput is not measured\n", corpus.c_str());
    return 0;
  }
  const Scratch scratch;
  const std::string cache = scratch.path("cache");
  for (const auto& [name, arguments] : {std::pair<const char*, std::vector<std::string>>{"nothing cached", {corpus}},
                                        {"filling a cache", {corpus, "--cache", cache}},
                                        {"all cached", {corpus, "--cache", cache}}}) {
    const Run done = run(arguments);
    const auto items = static_cast<double>(done.items);
    std::printf("%-16s %zu candidates in %.2f s: %.1f per second on %u cores, %.1f per second and core", name,
                done.items, done.wall_s, items / done.wall_s, cores, items / done.wall_s / cores);
    if (done.processor_s > 0)
      std::printf("; %.2f s of processor time, %.1f per processor second", done.processor_s, items / done.processor_s);
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace kernel_audit::e2e

int main(int argc, char** argv) {
  return kernel_audit::e2e::bench(argc > 1 ? argv[1]
                                           : kernel_audit::e2e::shared_folder() + "/corpora/cuda_l1/a100.jsonl");
}
