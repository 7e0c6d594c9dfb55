#include "auditor/executor/doctor.h"

#include <cstdlib>

#include "auditor/executor/eval_stage.h"
#include "auditor/executor/limits.h"
#include "auditor/executor/paths.h"
#include "auditor/executor/plan.h"
#include "auditor/executor/zygote.h"
#include "auditor/process/tree.h"
#include "auditor/sandbox/sandbox.h"

namespace kernel_audit::executor {
namespace {

Check ok(std::string name, std::string detail) { return {std::move(name), CheckState::kOk, std::move(detail), ""}; }

// The extractor, and the interpreter whose ast it uses.
void examine_extractor(std::vector<Check>& checks) {
  Result<std::string> extract = sibling_binary("kernel-audit-extract");
  if (!extract) {
    checks.push_back({"lint", CheckState::kMissing, extract.error().message, extract.error().remedy});
    return;
  }
  process::SpawnOptions options;
  options.argv = {*extract, "--version"};
  options.limits.wall = std::chrono::seconds(20);
  Result<process::Completed> done = process::run(options);
  const bool runs = done && done->exit.reason == process::ExitReason::kExited && done->exit.code == 0;
  if (!runs) {
    checks.push_back({"lint", CheckState::kMissing,
                      *extract + " does not run: " + (done ? done->exit.describe() : done.error().message),
                      "build it on this machine"});
    return;
  }
  std::string version = done->standard_output;
  while (!version.empty() && version.back() == '\n') version.pop_back();
  checks.push_back(ok("lint", version));
  const char* python = std::getenv("KERNEL_AUDIT_PYTHON");
  options.argv = {"/usr/bin/env", python != nullptr ? python : "python3", "-I", "-c",
                  "import ast, sys; print(sys.version.split()[0], sys.executable)"};
  done = process::run(options);
  if (done && done->exit.reason == process::ExitReason::kExited && done->exit.code == 0) {
    version = done->standard_output;
    while (!version.empty() && version.back() == '\n') version.pop_back();
    checks.push_back(ok("Python for lint", version));
  } else {
    checks.push_back({"Python for lint", CheckState::kMissing,
                      "no python3 was found: candidates in Python are inconclusive",
                      "install python3 or set KERNEL_AUDIT_PYTHON"});
  }
}

void examine_worker(std::vector<Check>& checks) {
  Result<std::unique_ptr<Zygote>> zygote = Zygote::start(true);
  if (!zygote) {
    checks.push_back({"filter and eval", CheckState::kMissing, zygote.error().message, zygote.error().remedy});
    return;
  }
  const Json& hello = (*zygote)->hello();
  checks.push_back(
      ok("filter and eval", "torch " + hello.value("torch", "?") + ", Python " + hello.value("python", "?")));
  if (hello.value("cuda_usable", false)) {
    checks.push_back(ok("CUDA", hello.value("device", "?") + ", driver " + hello.value("driver", "?")));
  } else {
    checks.push_back({"CUDA", CheckState::kLimited,
                      hello.value("cuda_missing", "not usable") + ": tasks and candidates run on the CPU",
                      "use a machine with an NVIDIA GPU and build the worker with a CUDA toolkit of 12.4 or newer"});
  }
}

void examine_isolation(std::vector<Check>& checks) {
  for (const sandbox::LayerState& layer : sandbox::probe_sandbox().layers) {
    checks.push_back({std::string("sandbox: ") + sandbox::to_string(layer.layer),
                      layer.active ? CheckState::kOk : CheckState::kLimited,
                      layer.detail.empty() ? "active" : layer.detail, layer.remedy});
  }
  const std::string root = process::cgroup2_root();
  if (root.empty()) {
    checks.push_back({"freezing", CheckState::kLimited, "no writable cgroup v2: SIGSTOP is used, which is slower",
                      "run as root, or delegate a cgroup"});
  } else {
    checks.push_back(ok("freezing", "cgroup.freeze below " + root));
  }
}

}  // namespace

std::vector<Check> examine_machine() {
  std::vector<Check> checks;
  const Environment host = host_environment();
  checks.push_back({"processor", host.cpu_cores >= 2 ? CheckState::kOk : CheckState::kLimited,
                    host.cpu_model + ", " + std::to_string(host.cpu_cores) + " cores",
                    "referee and candidate need a core each; times on one core are noisy"});
  examine_extractor(checks);
  examine_worker(checks);
  examine_isolation(checks);
  return checks;
}

Result<Json> measure_machine() {
  ZygotePair zygotes;
  Result<Zygote*> zygote = zygotes.trusted();
  if (!zygote) return zygote.error();
  MeasureOptions options;
  options.device = (*zygote)->hello().value("cuda_usable", false) ? "cuda" : "cpu";
  options.time_limit_s = 300;
  return measure_spin_table(zygotes, options);
}

}  // namespace kernel_audit::executor
