// Sources that are compiled by other means than an extension's: elementwise kernels, of which the code that CuPy makes
// is put together here, and compilers that run as a process and whose library ctypes loads.
#include <algorithm>
#include <sstream>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

using split::Text;

struct ElementParameter {
  std::string type, name;
  bool raw = false;
};

// "float32 x, raw T y"; nothing when a part of it is not understood.
std::optional<std::vector<ElementParameter>> element_parameters(const std::string& list) {
  static const std::map<std::string, std::string> types = {{"float16", "__half"},
                                                           {"float32", "float"},
                                                           {"float64", "double"},
                                                           {"int8", "signed char"},
                                                           {"int16", "short"},
                                                           {"int32", "int"},
                                                           {"int64", "long long"},
                                                           {"uint8", "unsigned char"},
                                                           {"uint16", "unsigned short"},
                                                           {"uint32", "unsigned int"},
                                                           {"uint64", "unsigned long long"},
                                                           {"bool", "bool"},
                                                           {"float", "float"},
                                                           {"double", "double"},
                                                           {"int", "int"}};
  std::vector<ElementParameter> parameters;
  std::stringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    std::stringstream words(part);
    ElementParameter parameter;
    if (!(words >> parameter.type)) continue;
    parameter.raw = parameter.type == "raw";
    if (parameter.raw) words >> parameter.type;
    std::string more;
    if (!(words >> parameter.name) || words >> more) return std::nullopt;
    // One letter stands for the type of what it is handed.
    const auto known = types.find(parameter.type);
    if (known == types.end() && parameter.type.size() != 1) return std::nullopt;
    parameter.type = known == types.end() ? "float" : known->second;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

bool is_source(const std::string& path) {
  return path.ends_with(".cu") || path.ends_with(".cpp") || path.ends_with(".cc") || path.ends_with(".c");
}

}  // namespace

// ElementwiseKernel(in_params, out_params, operation, name): a kernel that runs the operation for each element.
// ReductionKernel(in_params, out_params, map, reduce, post_map, identity, name): one that does what is done to two.
bool Lowerer::elementwise_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                               const Node* node, Operand& result) {
  const bool reduces = name == "cupy.ReductionKernel";
  if (name != "cupy.ElementwiseKernel" && !reduces) return false;
  const auto folded = [&](std::size_t at, const char* keyword) {
    const Argument* given = argument(args, at, keyword);
    return given == nullptr ? nullptr : folded_text(given->operand.abs);
  };
  const Text* in = folded(0, "in_params");
  const Text* out = folded(1, "out_params");
  const Text* operation = folded(2, reduces ? "map_expr" : "operation");
  const Text* reduce = reduces ? folded(3, "reduce_expr") : operation;
  const Text* after_all = reduces ? folded(4, "post_map_expr") : operation;
  if (in == nullptr || out == nullptr || operation == nullptr || reduce == nullptr || after_all == nullptr)
    return false;
  const auto inputs = element_parameters(in->bytes);
  const auto outputs = element_parameters(out->bytes);
  if (!inputs || !outputs || outputs->empty()) return false;
  const Text* named = folded(reduces ? 6 : 3, "name");
  const std::string kernel = named == nullptr ? "kernel" : named->bytes;
  std::string head, before, after = ";";
  for (const auto* list : {&*inputs, &*outputs}) {
    const bool input = list == &*inputs;
    for (const ElementParameter& each : *list) {
      head += (input ? "const " : "") + each.type + "* " + (each.raw ? "" : "ka_") + each.name + ", ";
      if (each.raw) continue;
      before += each.type + " " + each.name + (input ? " = ka_" + each.name + "[i]; " : "; ");
      if (!input) after += " ka_" + each.name + "[i] = " + each.name + ";";
    }
  }
  const SourceSpan all = span(node);
  Text done = *operation;
  if (reduces) {
    done = split::concat(Text::coarse("auto ka_one = ", all), done);
    done = split::concat(done, Text::coarse("; auto ka_sum = [&](auto a, auto b) { return ", all));
    done = split::concat(split::concat(done, *reduce), Text::coarse("; }(ka_one, ka_one); { auto a = ka_sum; ", all));
    done = split::concat(split::concat(done, *after_all), Text::coarse("; }", all));
  }
  EmbeddedSource source;
  source.what = "operation";
  source.extension = "ext:@" + std::to_string(node->line);
  source.bare_kernel_source = true;
  source.value = text(split::concat(
      split::concat(Text::coarse("extern \"C\" __global__ void " + kernel + "(" + head +
                                     "long long ka_n) { long long i = blockIdx.x * (long long)blockDim.x + "
                                     "threadIdx.x; if (i < ka_n) { " +
                                     before,
                                 all),
                    done),
      Text::coarse(after + " } }\n", all)));
  Atom made = *kernel_object(source.extension, kernel).single();
  made.type.name = "elementwise";
  made.constant = Json::array({inputs->size(), outputs->size()});
  record_source(std::move(source), node);
  result = plain_call(name, callee, kNone, args, make(std::move(made)), node);
  return true;
}

// What the caller passes after the inputs is written; outputs that it does not pass are made and returned.
Operand Lowerer::elementwise_launch(const Atom& kernel, const Operand& callee, const std::vector<Argument>& args,
                                    const Node* node) {
  const std::size_t inputs = kernel.constant[0].get<std::size_t>(),
                    all = inputs + kernel.constant[1].get<std::size_t>();
  std::vector<Argument> given;
  for (const Argument& arg : args) {
    if (arg.keyword.empty() && !arg.star) given.push_back(arg);
  }
  while (given.size() < all) {
    const Operand made = emit_call("torch.empty", {}, typed(TypeKind::kTensor, "torch.Tensor"), node);
    given.push_back({made, "", false, node});
  }
  std::vector<Operand> outputs;
  for (std::size_t i = inputs; i < all; ++i) outputs.push_back(given[i].operand);
  given.push_back({make_value(typed(TypeKind::kInt), node, facts::OriginKind::kComputed), "", false, node});
  launch(kernel, callee, nullptr, given, node);
  if (outputs.size() == 1) return outputs.front();
  return emit_call("builtins.tuple", outputs, typed(TypeKind::kTuple, "torch.Tensor[]"), node);
}

// subprocess.run([nvcc, "-shared", source, "-o", library]): the library is an extension made of the source.
void Lowerer::compiler_run(const std::string& name, const std::vector<Argument>& args, const Node* node) {
  const bool runs = name == "subprocess.run" || name == "subprocess.call" || name == "subprocess.check_call" ||
                    name == "subprocess.check_output" || name == "subprocess.Popen" || name == "os.system";
  const Argument* command = runs ? argument(args, 0, name == "os.system" ? "command" : "args") : nullptr;
  if (command == nullptr) return;
  std::vector<std::string> words, flags;
  const auto add_word = [&](std::string word, bool partial) {
    if (!partial && word.starts_with('-')) flags.push_back(word);
    words.push_back(std::move(word));
  };
  const Atom* line = command->operand.abs.single();
  if (const auto items = sequence_of(command->operand.abs)) {
    for (const Abstract& item : *items) {
      const Atom* word = item.single();
      const bool known = word != nullptr && word->kind == AtomKind::kText;
      add_word(known ? word->text->bytes : std::string(), !known || word->partial);
    }
  } else if (line != nullptr && line->kind == AtomKind::kText) {
    std::stringstream parts(line->text->bytes);
    for (std::string word; parts >> word;) add_word(word, line->partial);
  }
  const auto output = std::find(words.begin(), words.end(), "-o");
  if (output == words.end() || output + 1 == words.end()) return;
  const std::string library = *(output + 1);
  for (const std::string& word : words) {
    if (!is_source(word)) continue;
    bool found = false;
    EmbeddedSource source;
    source.what = word;
    source.language = word.ends_with(".cu") ? facts::UnitLanguage::kCuda : facts::UnitLanguage::kCpp;
    source.extension = "ext:" + library;
    source.build_flags = flags;
    source.value = file_text(word, found);
    if (!found) continue;
    if (built_libraries_.emplace(library, source.extension).second) grew_ = true;
    record_source(std::move(source), node);
  }
}

// Headers that the candidate writes itself stand in its sources where they are included.
void Lowerer::include_written(Abstract& sources) {
  for (AtomPtr& atom : sources.atoms) {
    if (atom->kind != AtomKind::kText) continue;
    Text source = *atom->text;
    std::set<std::string> included;
    for (bool again = true; again;) {
      again = false;
      for (const auto& [path, cell] : written_files_) {
        const Text* header = folded_text(cell.prev);
        const std::string line = "#include \"" + path.substr(path.rfind('/') + 1) + "\"";
        const std::size_t at = header == nullptr ? std::string::npos : source.bytes.find(line);
        if (at == std::string::npos) continue;
        Text whole = source.slice(0, at);
        if (included.insert(path).second) whole.append(*header);
        whole.append(source.slice(at + line.size(), source.bytes.size()));
        source = std::move(whole);
        again = true;
      }
    }
    if (included.empty()) continue;
    Atom full = *atom;
    full.text = std::make_shared<const Text>(std::move(source));
    atom = std::make_shared<const Atom>(std::move(full));
  }
}

// glob("*.cu") over what the candidate writes into a folder.
Abstract Lowerer::written_in(const std::string& folder, const std::string& pattern, const Atom& like,
                             const Node* node) {
  if (!pattern.starts_with('*') || pattern.find_first_of("*?[", 1) != std::string::npos) return {};
  HeapObject object;
  for (const auto& [path, cell] : written_files_) {
    const bool inside = path.starts_with(folder + "/") && path.find('/', folder.size() + 1) == std::string::npos;
    if (!inside || !path.ends_with(pattern.substr(1))) continue;
    Atom found = like;
    found.text = std::make_shared<const Text>(Text::coarse(path, span(node)));
    object.items.push_back(make(std::move(found)));
  }
  return object.items.empty() ? Abstract{} : new_heap(TypeKind::kList, std::move(object), node, kNone).abs;
}

// A library or a source that is written under another name first.
void Lowerer::file_move(const std::string& name, const std::vector<Argument>& args) {
  static const std::set<std::string> moves = {"os.replace",  "os.rename",       "os.link",     "os.symlink",
                                              "shutil.move", "shutil.copyfile", "shutil.copy", "shutil.copy2"};
  if (!moves.contains(name) || args.size() < 2 || args[0].star || args[1].star) return;
  bool partial = false;
  const std::optional<Text> from = to_text(args[0].operand.abs, nullptr, partial);
  const std::optional<Text> to = to_text(args[1].operand.abs, nullptr, partial);
  if (from && to) move_file(from->bytes, to->bytes);
}

void Lowerer::move_file(const std::string& from, const std::string& to) {
  if (const auto library = built_libraries_.find(from); library != built_libraries_.end()) {
    if (built_libraries_.emplace(to, library->second).second) grew_ = true;
  }
  bool found = false;
  const Abstract held = file_text(from, found);
  if (found) write_file(to, held);
}

}  // namespace kernel_audit::analysis::python
