#include "analysis/rules/native_names.h"

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

std::vector<OpenedFile> opened_files(const Model& model) {
  const auto opens = [](std::string_view name) {
    return one_of(
        name, {"open", "open64", "openat", "fopen", "std::fopen", "std::ifstream::ifstream", "std::ofstream::ofstream",
               "std::fstream::fstream", "std::ifstream::open", "std::ofstream::open"});
  };
  std::vector<OpenedFile> files;
  for (const NativeCall& call : native_calls(model, opens)) {
    const auto arguments = model.run().call_arguments.find(call.where);
    for (std::size_t i = 0; arguments != model.run().call_arguments.end() && i < arguments->second.size(); ++i) {
      if (auto path = text_argument(model, call, i)) files.push_back({call, std::move(*path)});
    }
  }
  return files;
}

}  // namespace kernel_audit::analysis::rules
