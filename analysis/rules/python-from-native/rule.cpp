// KA621: C++ code of the extension changes or runs Python.
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{
    "KA621",          "python-from-native", "C++ code changes Python objects, looks into frames or runs Python text",
    Severity::kError, Confidence::kHigh,    Stage::kAnalysis,
    Effect::kCheat,   {22, 80, 94}};

// What is done, or nothing when the name is none of these.
std::string deed(std::string_view name) {
  if (starts_with_any(name, {"PyEval_GetFrame", "PyEval_GetLocals", "PyEval_GetGlobals", "PyEval_GetBuiltins",
                             "PyFrame_", "PyThreadState_GetFrame", "PyEval_GetFrameLocals", "PyEval_GetFrameGlobals"}))
    return "looks into the caller's Python frame";
  if (starts_with_any(name, {"PyRun_", "PyEval_EvalCode", "Py_CompileString"}) ||
      one_of(name, {"pybind11::exec", "pybind11::eval", "pybind11::eval_file"}))
    return "runs Python text";
  if (starts_with_any(name, {"PyObject_SetAttr", "PyObject_GenericSetAttr", "PyModule_AddObject", "PySys_SetObject",
                             "PyFunction_SetCode", "PyCode_", "PyType_Modified", "PyObject_SetItem", "PyMapping_Set"}))
    return "changes a Python object";
  if (starts_with_any(name, {"PyDict_SetItem", "PyDict_DelItem", "PyDict_Update", "PyDict_Merge", "PyDict_Clear"}))
    return "changes a Python dictionary";
  if (starts_with_any(name, {"PyEval_SetTrace", "PyEval_SetProfile", "_PyInterpreterState_SetEvalFrameFunc"}))
    return "hooks the Python interpreter";
  if (starts_with_any(name, {"PyGC_", "PyObject_GC"}) || name == "PyImport_GetModuleDict")
    return "searches the objects of the Python process";
  return "";
}

// A dictionary or module that the candidate has just made itself is its own to fill.
bool own_object(const Model& model, const NativeCall& call) {
  const facts::Statement* statement = model.statement(call.where);
  if (statement == nullptr || statement->args.empty()) return false;
  const facts::Id target = statement->args[0];
  std::vector<facts::Id> values{target};
  const auto& blocks = model.function(call.where.function).blocks;
  for (std::size_t i = 0; i < values.size() && i < 16; ++i) {
    for (const facts::Block& block : blocks) {
      for (const facts::Statement& s : block.statements) {
        if (s.result != values[i]) continue;
        if (s.kind == facts::StatementKind::kCall &&
            one_of(s.callee, {"PyDict_New", "PyDict_Copy", "PyModule_Create", "PyModule_Create2", "PyList_New"}))
          return true;
        if (s.kind != facts::StatementKind::kLoad) continue;
        for (const facts::Block& other : blocks) {
          for (const facts::Statement& store : other.statements) {
            if (store.kind == facts::StatementKind::kStore && store.location.storage == s.location.storage)
              values.push_back(store.value);
          }
        }
      }
    }
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto wanted = [](std::string_view name) { return !deed(name).empty(); };
  for (const NativeCall& call : native_calls(model, wanted)) {
    if (starts_with_any(call.name, {"PyDict_", "PyModule_AddObject"}) && own_object(model, call)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        std::string(caller_text(call)) + " " + deed(call.name) + " with " + call.name + " " + phase_text(call) + ".");
    finding.span = model.span(call.where);
    const auto arguments = model.run().call_arguments.find(call.where);
    for (std::size_t i = 0; arguments != model.run().call_arguments.end() && i < arguments->second.size(); ++i) {
      const auto text = text_argument(model, call, i);
      if (text) finding.notes.push_back({finding.span, "it is given \"" + text->substr(0, 80) + "\""});
    }
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  }
  for (const facts::ForeignStore& store : model.run().foreign_stores) {
    if (!model.native(store.where.function)) continue;
    Finding finding = make_finding(kInfo, policy, "C++ code stores into " + store.name + " of Python.");
    finding.span = model.span(store.where);
    add_route_notes(model, store.where, finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& python_from_native() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
