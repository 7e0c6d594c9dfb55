#include "analysis/rules/native_names.h"

#include <set>

#include "analysis/rules/device_code.h"

namespace kernel_audit::analysis::rules {

using facts::Model;

std::vector<std::string> texts_argument(const Model& model, const NativeCall& call, std::size_t i) {
  const auto found = model.run().call_arguments.find(call.where);
  if (found == model.run().call_arguments.end() || i >= found->second.size()) return {};
  const facts::Abstract& value = found->second[i];
  std::vector<std::string> texts;
  if (value.open || !value.objects.empty()) return texts;
  for (const int constant : value.constants) {
    const Json& json = model.run().constant_at(constant);
    if (!json.is_string()) return {};
    texts.push_back(json.get<std::string>());
  }
  return texts;
}

namespace {

// The constant pieces that an argument of a call is put together from, in the order of the source.
std::string pieces_of(const Model& model, const facts::StatementRef& where, std::size_t argument) {
  const DeviceFlow flow(model, model.function(where.function));
  const facts::Statement* call = model.statement(where);
  std::set<facts::Id> values;
  std::vector<facts::Id> todo;
  if (call != nullptr && argument < call->args.size()) todo.push_back(call->args[argument]);
  while (!todo.empty()) {
    const facts::Id at = todo.back();
    todo.pop_back();
    if (at == facts::kNone || !values.insert(at).second) continue;
    const facts::Statement* made = flow.made(at);
    if (made == nullptr) continue;
    todo.insert(todo.end(), made->args.begin(), made->args.end());
    todo.push_back(made->receiver);
    if (made->kind != facts::StatementKind::kLoad || made->location.storage == facts::kNone) continue;
    for (const facts::Statement* store : flow.stores_to(made->location.storage)) todo.push_back(store->value);
  }
  std::string pieces;
  for (const facts::Id value : values) {
    const auto& constant = model.value(value).constant;
    if (constant && constant->is_string()) pieces += constant->get<std::string>();
  }
  return pieces;
}

}  // namespace

std::vector<OpenedFile> opened_files(const Model& model) {
  const auto opens = [](std::string_view name) {
    return one_of(
        name, {"open", "open64", "openat", "fopen", "std::fopen", "std::ifstream::ifstream", "std::ofstream::ofstream",
               "std::fstream::fstream", "std::ifstream::open", "std::ofstream::open"});
  };
  std::vector<OpenedFile> files;
  for (const NativeCall& call : native_calls(model, opens)) {
    const auto arguments = model.run().call_arguments.find(call.where);
    const std::size_t before = files.size();
    for (std::size_t i = 0; arguments != model.run().call_arguments.end() && i < arguments->second.size(); ++i) {
      if (auto path = text_argument(model, call, i); path && path->find('/') != std::string::npos)
        files.push_back({call, std::move(*path)});
    }
    // "/proc/" + std::to_string(getpid()) + "/cmdline"
    if (files.size() == before) files.push_back({call, pieces_of(model, call.where, call.name == "openat" ? 1 : 0)});
  }
  return files;
}

}  // namespace kernel_audit::analysis::rules
