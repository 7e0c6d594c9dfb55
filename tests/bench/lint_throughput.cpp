// Prints how fast lint is: the cold start on one candidate, candidates per second on a corpus with nothing cached, and
// the same while a cache is filled and from a warm one. Wall time says little on a machine that does other work, so the
// user and system time of all processes is taken too: `lint` with its extractors and their Python, all waited for. The
// rate per core is by that time; the share of their jobs' wall time that the processes really ran shows how loaded the
// machine was.
//   lint_throughput [CORPUS [JOBS]]      default: the corpus in $KERNEL_AUDIT_SHARED or ../shared, a job per usable
//   core
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "auditor/core/cores.h"
#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {
namespace {

struct Run {
  double wall_s = 0, user_s = 0, system_s = 0;
  std::size_t items = 0;
  double processor_s() const { return user_s + system_s; }
};

// Processor time of children that have been waited for, their own children included: user, system.
std::pair<double, double> processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

Run run(std::vector<std::string> arguments, int jobs) {
  arguments.insert(arguments.begin(), "lint");
  arguments.insert(arguments.end(), {"--quiet", "--format", "json", "--jobs", std::to_string(jobs)});
  const auto [user, system] = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  const process::Completed done = run_cli(arguments, std::chrono::seconds(600));
  Run result;
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto [user_after, system_after] = processor_seconds();
  result.user_s = user_after - user;
  result.system_s = system_after - system;
  const Result<Json> json = parse_json(done.standard_output, "stdout");
  if (json && json->contains("items")) result.items = (*json)["items"].size();
  return result;
}

void print_times(const Run& run) {
  std::printf("%.2f s wall, %.2f s user, %.2f s system", run.wall_s, run.user_s, run.system_s);
}

int bench(const std::string& corpus, int jobs) {
  const std::string one = source("analysis/rules/side-stream/bad/cpp_stream.py");
  std::vector<Run> cold;
  for (int i = 0; i < 5; ++i) cold.push_back(run({one}, 1));
  std::sort(cold.begin(), cold.end(), [](const Run& a, const Run& b) { return a.wall_s < b.wall_s; });
  std::printf("cold start, one candidate with CUDA, 1 job, median of %zu: ", cold.size());
  print_times(cold[cold.size() / 2]);
  std::printf("; fastest %.2f s\n", cold.front().wall_s);
  if (read_text(corpus).empty()) {
    std::printf("no corpus at %s: throughput is not measured\n", corpus.c_str());
    return 0;
  }
  std::printf("%d jobs\n", jobs);
  const Scratch scratch;
  const std::string cache = scratch.path("cache");
  for (const auto& [name, arguments] : {std::pair<const char*, std::vector<std::string>>{"no cache", {corpus}},
                                        {"filling a cache", {corpus, "--cache", cache}},
                                        {"all cached", {corpus, "--cache", cache}}}) {
    const Run done = run(arguments, jobs);
    const auto items = static_cast<double>(done.items);
    std::printf("%-16s %zu candidates: ", name, done.items);
    print_times(done);
    std::printf("; %.1f per second of wall time", items / done.wall_s);
    if (done.processor_s() > 0) {
      std::printf(", %.1f per second and core by processor time, of %.0f %% of the jobs' time",
                  items / done.processor_s(), 100 * done.processor_s() / (done.wall_s * jobs));
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace kernel_audit::e2e

int main(int argc, char** argv) {
  return kernel_audit::e2e::bench(
      argc > 1 ? argv[1] : kernel_audit::e2e::shared_folder() + "/corpora/cuda_l1/a100.jsonl",
      argc > 2 ? std::max(1, std::atoi(argv[2])) : kernel_audit::usable_cores());
}
