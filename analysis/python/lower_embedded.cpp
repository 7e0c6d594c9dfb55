// Kernel and C++ sources given to a compiler at run time: load_inline, load, RawKernel, NVRTC.
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

bool starts_with(const std::string& text, const char* begin) { return text.rfind(begin, 0) == 0; }

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

facts::UnitLanguage language_of(const std::string& path) {
  return ends_with(path, ".cu") || ends_with(path, ".cuh") ? facts::UnitLanguage::kCuda : facts::UnitLanguage::kCpp;
}

// A cubin, a fatbin or PTX: what the driver loads, not what a compiler reads.
bool is_compiled_code(const Abstract& value) {
  const Atom* atom = value.single();
  if (atom == nullptr || atom->kind != AtomKind::kText) return false;
  const std::string& bytes = atom->text->bytes;
  const bool ptx = bytes.find(".version ") != std::string::npos && bytes.find(".target sm_") != std::string::npos;
  return starts_with(bytes,
                     "\x7f"
                     "ELF") ||
         starts_with(bytes, "\x50\xed\x55\xba") || ptx;
}

}  // namespace

Abstract extension_module(const std::string& symbol_name) {
  Atom atom;
  atom.kind = AtomKind::kExtension;
  atom.type.kind = TypeKind::kExtension;
  atom.symbol = symbol_name;
  return make(std::move(atom));
}

Abstract kernel_object(const std::string& symbol_name, const std::string& kernel) {
  Atom atom;
  atom.kind = AtomKind::kExtension;
  atom.type = {TypeKind::kExtension, "kernel"};
  atom.symbol = symbol_name;
  atom.name = kernel;
  return make(std::move(atom));
}

std::vector<std::string> Lowerer::folded_strings(const Abstract& value, bool& known) {
  std::vector<std::string> strings;
  const auto add = [&](const Abstract& one) {
    for (const AtomPtr& atom : one.atoms) {
      if (atom->kind == AtomKind::kText && !atom->partial)
        strings.push_back(atom->text->bytes);
      else if (atom->kind != AtomKind::kConstant || !atom->constant.is_null())
        known = false;
    }
    known = known && !one.unknown;
  };
  known = known && !value.unknown;
  for (const AtomPtr& atom : value.atoms) {
    Abstract one;
    one.atoms.push_back(atom);
    if (atom->kind == AtomKind::kHeap) {
      const HeapObject object = read_heap(atom->site);
      known = known && object.exact;
      for (const Abstract& item : object.items) add(item);
      for (const auto& [key, item] : object.entries) add(key);
    } else if (atom->kind == AtomKind::kTuple) {
      for (const Abstract& item : atom->items) add(item);
    } else {
      add(one);
    }
  }
  return strings;
}

void Lowerer::record_source(EmbeddedSource source, const Node* node) {
  if (!final_round_) return;
  source.unit = frame_->unit->facts_unit;
  source.span = span(node);
  include_written(source.value);
  sources_.push_back(std::move(source));
}

// Kernels of one name that are made of other sources are others.
std::string Lowerer::label_of_sources(const std::string& label, const std::vector<Argument>& args) {
  std::string sources;
  for (const Argument& arg : args) {
    for (const AtomPtr& atom : arg.operand.abs.atoms) {
      if (atom->kind == AtomKind::kText) sources += atom->text->bytes + '\n';
    }
  }
  std::vector<std::string>& known = labels_[label];
  const auto at = std::find(known.begin(), known.end(), sources) - known.begin();
  if (at == std::ssize(known)) known.push_back(std::move(sources));
  return at == 0 ? label : label + "#" + std::to_string(at + 1);
}

bool Lowerer::extension_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                             const Node* node, Operand& result) {
  const bool inline_build = name == "torch.utils.cpp_extension.load_inline";
  const bool file_build = name == "torch.utils.cpp_extension.load";
  const bool raw_kernel =
      name == "cupy.RawKernel" || name == "cupy._core.raw.RawKernel" || name == "cupy.cuda.RawKernel";
  const bool raw_module = name == "cupy.RawModule" || name == "pycuda.compiler.SourceModule";
  const bool torch_kernel = name == "torch.cuda._compile_kernel" || name == "torch.cuda.compile_kernel";
  const bool program = name == "cuda.bindings.nvrtc.nvrtcCreateProgram" || name == "cuda.nvrtc.nvrtcCreateProgram" ||
                       name == "cupy.cuda.compiler.compile_using_nvrtc" || name == "cupy.ElementwiseKernel" ||
                       name == "cupy.ReductionKernel";
  const bool core_program = name == "cuda.core.Program";
  // As C has it: a pointer to the handle goes first.
  const bool c_program = starts_with(name, "ctypes.") && ends_with(name, ".nvrtcCreateProgram");
  if (!inline_build && !file_build && !raw_kernel && !raw_module && !torch_kernel && !program && !core_program &&
      !c_program)
    return false;

  bool name_known = true;
  const Argument* named =
      argument(args, inline_build || file_build ? 0 : 1, inline_build || file_build || raw_kernel ? "name" : "");
  if (torch_kernel) named = argument(args, 1, "kernel_name");
  std::vector<std::string> names;
  if (named != nullptr && (inline_build || file_build || raw_kernel || torch_kernel))
    names = folded_strings(named->operand.abs, name_known);
  // Two builds of one name are two extensions: the place of the call tells them apart when the name does not fold.
  const std::string label = names.size() == 1 ? names.front() : "@" + std::to_string(node->line);
  const std::string extension = "ext:" + (file_build ? label : label_of_sources(label, args));

  EmbeddedSource common;
  common.extension = extension;
  for (const char* keyword : {"extra_cuda_cflags", "extra_cflags", "extra_ldflags", "options", "nvcc_options",
                              "cuda_include_dirs", "with_cuda"}) {
    const Argument* flags = argument(args, 1u << 30, keyword);
    if (flags == nullptr || std::string(keyword) == "with_cuda") continue;
    const std::vector<std::string> words = folded_strings(flags->operand.abs, common.flags_known);
    common.build_flags.insert(common.build_flags.end(), words.begin(), words.end());
  }
  if (inline_build) {
    const Argument* functions = argument(args, 3, "functions");
    bool functions_known = true;
    if (functions != nullptr) common.bound_functions = folded_strings(functions->operand.abs, functions_known);
    if (!functions_known)
      problem("unfoldable-source", "The list of functions given to load_inline could not be folded.", node);
  }
  if (!common.flags_known)
    problem("unfoldable-flags", "Build flags given to '" + name + "' could not be folded.", node, false);

  const auto add = [&](const Argument* arg, const char* what, facts::UnitLanguage language, bool optional) {
    EmbeddedSource source = common;
    source.what = what;
    source.language = language;
    source.optional = optional;
    source.bare_kernel_source = !inline_build && !file_build;
    if (arg == nullptr) {
      if (!optional)
        problem("unfoldable-source", "'" + name + "' is called without its argument '" + what + "'.", node);
      return;
    }
    std::vector<Abstract> pieces;
    for (const AtomPtr& atom : arg->operand.abs.atoms) {
      Abstract one;
      one.atoms.push_back(atom);
      if (atom->kind == AtomKind::kHeap || atom->kind == AtomKind::kTuple) {
        if (atom->kind == AtomKind::kHeap && !read_heap(atom->site).exact) {
          problem("unfoldable-source", "The list of sources given as '" + std::string(what) + "' is not fully known.",
                  node);
        }
        const auto items = sequence_of(one);
        if (items)
          pieces.insert(pieces.end(), items->begin(), items->end());
        else
          pieces.push_back(elements_of(one));
      } else {
        pieces.push_back(one);
      }
    }
    if (arg->operand.abs.unknown || pieces.empty()) {
      const bool empty = !arg->operand.abs.unknown && !arg->operand.abs.atoms.empty();
      if (!empty) pieces.push_back(unknown(arg->operand.abs.reason));
    }
    for (Abstract& piece : pieces) {
      if (!inline_build && is_compiled_code(piece)) {
        problem("opaque-blob", "'" + name + "' is given compiled code, which the analysis cannot see into.", node);
        continue;
      }
      source.value = std::move(piece);
      record_source(source, node);
    }
  };
  if (inline_build) {
    add(argument(args, 1, "cpp_sources"), "cpp_sources", facts::UnitLanguage::kCpp, true);
    add(argument(args, 2, "cuda_sources"), "cuda_sources", facts::UnitLanguage::kCuda, true);
  } else if (file_build) {
    const Argument* sources = argument(args, 1, "sources");
    bool known = sources != nullptr;
    std::vector<std::string> paths;
    if (sources != nullptr) {
      // Partly folded paths count as well: they name files that the candidate wrote itself.
      const auto add_path = [&](const Abstract& one) {
        const Atom* atom = one.single();
        if (atom != nullptr && atom->kind == AtomKind::kText)
          paths.push_back(atom->text->bytes);
        else
          known = false;
      };
      if (const auto items = sequence_of(sources->operand.abs)) {
        for (const Abstract& item : *items) add_path(item);
      } else if (const Abstract any = elements_of(sources->operand.abs);
                 sources->operand.abs.single() != nullptr && sources->operand.abs.single()->kind == AtomKind::kHeap &&
                 !any.unknown) {
        for (const AtomPtr& atom : any.atoms) {  // filled by a loop
          Abstract one;
          one.atoms.push_back(atom);
          add_path(one);
        }
      } else {
        add_path(sources->operand.abs);
      }
    }
    if (!known) problem("unfoldable-source", "The files given to load() could not be folded.", node);
    for (const std::string& path : paths) {
      bool found = false;
      EmbeddedSource source = common;
      source.what = path;
      source.language = language_of(path);
      source.value = file_text(path, found);
      if (found)
        record_source(source, node);
      else
        problem("unfoldable-source", "The file '" + path + "' given to load() is not among the candidate's files.",
                node);
    }
  } else {
    const char* keyword = raw_kernel || raw_module || core_program ? "code" : torch_kernel ? "kernel_source" : "source";
    const Argument* source = argument(args, c_program ? 1 : 0, keyword);
    if (raw_module && source == nullptr && argument(args, 1u << 30, "path") != nullptr) {
      problem("opaque-blob", "'" + name + "' loads a file of compiled code, which the analysis cannot see into.", node);
    } else {
      add(source, keyword, facts::UnitLanguage::kCuda, false);
    }
  }
  if (program) nvrtc_program_ = nvrtc_program_.empty() || nvrtc_program_ == extension ? extension : "ext:?";
  Abstract value = extension_module(extension);
  if (core_program) {
    Atom made;
    made.type = {TypeKind::kOther, name};
    made.symbol = extension;
    value = make(std::move(made));
  }
  if (raw_kernel || torch_kernel) {
    value = names.empty() ? kernel_object(extension, "?") : kernel_object(extension, names.front());
    if (names.size() != 1 || !name_known)
      problem("dynamic-call", "The name of the kernel given to '" + name + "' could not be folded.", node);
  }
  for (const Argument& arg : args) escape(arg.operand.abs);
  result = plain_call(name, callee, kNone, args, std::move(value), node);
  return true;
}

}  // namespace kernel_audit::analysis::python
