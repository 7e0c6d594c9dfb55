#include "auditor/worker/build_job.h"

#include <chrono>

#include "auditor/worker/argument_json.h"
#include "auditor/worker/python_module.h"

namespace kernel_audit::worker {

Result<Json> run_build_job(const Json& job) {
  const auto start = std::chrono::steady_clock::now();
  const std::string path = job.value("module", std::string());
  if (path.empty()) return Error{ErrorKind::kUsage, "A build job names a module.", "", "module", ""};
  auto module = PythonModule::load(path, "kernel_audit_candidate");
  if (!module) return module.error();
  Json defines = Json::array();
  for (const char* name : {"ModelNew", "Model"}) {
    if ((*module)->has(name)) defines.push_back(name);
  }
  const std::string class_name = job.value("class", std::string());
  // Some extensions are built by the constructor.
  if (!class_name.empty() && (*module)->has(class_name) && job.contains("init_args")) {
    auto arguments = plain_arguments_from_json(job["init_args"]);
    if (!arguments) return arguments.error();
    auto model = (*module)->construct(class_name, *arguments);
    if (!model) return model.error();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return Json{{"kind", "result"}, {"evidence", {{"defines", std::move(defines)}, {"seconds", seconds.count()}}}};
}

}  // namespace kernel_audit::worker
