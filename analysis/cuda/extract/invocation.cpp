#include "analysis/cuda/extract/invocation.h"

#include <optional>
#include <set>

#include "analysis/cuda/extract/parse.h"
#include "auditor/core/embedded_text.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& cuda_stub_headers();
}

#ifdef __SANITIZE_ADDRESS__
// LLVM's allocators poison their memory in headers, which is ours to instrument, and unpoison it in
// libraries, which are not instrumented.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allow_user_poisoning=0"; }
#endif

namespace kernel_audit::analysis::cuda {
namespace {

void add_file(llvm::vfs::InMemoryFileSystem& files, const std::string& path, llvm::StringRef text) {
  files.addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
}

std::string module_name_of(const split::SourceUnit& unit) {
  std::string name = unit.extension;
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) name.erase(0, colon + 1);
  bool plain = !name.empty();
  for (const char c : name) plain = plain && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
  return plain ? name : "extension_module";
}

// Declarations that stand in for a missing member, of a type that turns into any other.
std::string declaration_of(const MissingMember& member) {
  const std::string kind = member.of_class ? " static" : "", constant = member.of_class ? "" : " const";
  if (member.next == '(')
    return " template <class... A>" + kind + " ka_unknown " + member.name + "(A&&...)" + constant + ";";
  if (member.next == '<') {
    return " template <class T, class... A>" + kind + " ka_unknown " + member.name + "(A&&...)" + constant + ";";
  }
  const bool of_itself = member.class_name == "ka_unknown";  // which has no member of its own type
  return (of_itself ? " static ka_unknown " : " ka_unknown ") + member.name + ";";
}

// A stub with what its classes lack; nothing when it lacks nothing.
std::optional<std::string> with_missing_members(const EmbeddedText& stub, const std::set<MissingMember>& members) {
  std::optional<std::string> result;
  for (const MissingMember& member : members) {
    if (member.stub != stub.name) continue;
    if (!result) result = std::string(stub.text);
    for (const std::string& head : {"struct " + member.class_name, "class " + member.class_name}) {
      for (std::size_t at = result->find(head); at != std::string::npos; at = result->find(head, at + 1)) {
        const std::size_t behind = at + head.size();
        const std::size_t brace = result->find_first_of("{;(", behind);
        const char next = behind < result->size() ? (*result)[behind] : '\0';
        const bool whole_name = next == ' ' || next == '{' || next == '<' || next == ':';
        if (whole_name && brace != std::string::npos && (*result)[brace] == '{')
          result->insert(brace + 1, " public:" + declaration_of(member));
      }
    }
  }
  return result;
}

// Options come as a reference, before Clang 18 as a pointer.
template <typename T>
T& referred(T& options) {
  return options;
}
template <typename T>
T& referred(T* options) {
  return *options;
}

}  // namespace

std::string stub_path(std::string_view name) {
  std::string path = kStubRoot;
  path.append(name);
  return path;
}

std::string unit_path(const split::SourceUnit& unit) {
  // Only the place matters; the name must not collide with a neighbour's.
  return std::string(kUnitRoot) + (unit.language == facts::UnitLanguage::kCpp ? "<unit>.cpp" : "<unit>.cu");
}

std::string neighbour_path(const split::VirtualFile& file) {
  return file.path.empty() || file.path[0] == '/' ? file.path : kUnitRoot + file.path;
}

MemoryFiles stub_files(const AtenDeclarations& aten, const MissingNames& missing) {
  MemoryFiles files(new llvm::vfs::InMemoryFileSystem);
  static_cast<void>(files->setCurrentWorkingDirectory(kUnitRoot));
  for (const EmbeddedText& stub : cuda_stub_headers()) {
    const std::string path = stub_path(stub.name);
    if (const auto text = with_missing_members(stub, missing.members)) {
      add_file(*files, path, *text);
    } else {
      files->addFileNoOwn(path, 0, llvm::MemoryBufferRef(llvm::StringRef(stub.text.data(), stub.text.size()), path));
    }
  }
  add_file(*files, stub_path("aten_functions.inc"), aten.functions);
  add_file(*files, stub_path("aten_methods.inc"), aten.methods);
  std::string undeclared;
  for (const std::string& name : missing.functions) undeclared += "KA_UNDECLARED(" + name + ")\n";
  for (const std::string& name : missing.values) undeclared += "extern ka_unknown " + name + ";\n";
  // Sizes of arrays need a number; Lowering::fold lets none that is made of it count.
  for (const std::string& name : missing.options) undeclared += "inline constexpr int " + name + " = 32;\n";
  for (const std::string& name : missing.option_types) undeclared += "typedef float " + name + ";\n";
  const auto in_space = [&](const std::string& name, const std::string& head, const std::string& tail) {
    const std::size_t colons = name.rfind("::");
    const bool plain = colons == std::string::npos;
    const std::string declared = head + (plain ? name : name.substr(colons + 2)) + tail;
    undeclared += plain ? declared + "\n" : "namespace " + name.substr(0, colons) + " { " + declared + " }\n";
  };
  for (const std::string& name : missing.types) {
    const bool function = name.starts_with("PFN_");  // the driver's typedefs of its own functions
    in_space(name, function ? "typedef CUresult (*" : "typedef ka_unknown ", function ? ")(...);" : ";");
  }
  for (const std::string& name : missing.space_functions)
    in_space(name, "template <class... A> ka_unknown ", "(A&&...);");
  for (const std::string& name : missing.templates) {
    in_space(name, "template <class... T> struct ", " : ka_unknown { using ka_unknown::ka_unknown; };");
  }
  add_file(*files, stub_path("undeclared.inc"), undeclared);
  return files;
}

void add_sources(llvm::vfs::InMemoryFileSystem& files, const split::SourceUnit& unit,
                 const std::vector<split::VirtualFile>& neighbours) {
  const auto add = [&](const std::string& path, const std::string& text) {
    add_file(files, path, text);
    for (const std::string& name : included_names(text)) {
      const std::string stub = stub_for(name);
      if (!stub.empty() && name.find("..") == std::string::npos)
        add_file(files, kAliasRoot + name, "#include \"" + stub_path(stub) + "\"\n");
    }
  };
  // The unit first: a file system keeps the first file of a path.
  add(unit_path(unit), unit.text);
  for (const split::VirtualFile& file : neighbours) add(neighbour_path(file), file.text);
}

MemoryFiles files_for(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                      const MissingNames& missing) {
  std::set<std::string, std::less<>> identifiers;
  collect_identifiers(unit.text, identifiers);
  for (const split::VirtualFile& file : neighbours) collect_identifiers(file.text, identifiers);
  MemoryFiles files =
      stub_files(aten_declarations(identifiers, missing.aten_functions, missing.tensor_methods), missing);
  add_sources(*files, unit, neighbours);
  return files;
}

bool begins_with_torch(const split::SourceUnit& unit) { return !unit.extension.empty() && !unit.bare_kernel_source; }

std::vector<std::string> macro_flags(const split::SourceUnit& unit) {
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < unit.build_flags.size(); ++i) {
    const std::string& flag = unit.build_flags[i];
    if (flag.rfind("-D", 0) != 0 && flag.rfind("-U", 0) != 0) continue;
    if (flag.size() > 2) {
      flags.push_back(flag);
    } else if (i + 1 < unit.build_flags.size()) {
      flags.push_back(flag + unit.build_flags[++i]);
    }
  }
  return flags;
}

std::vector<std::string> language_arguments() {
  return {"-fsyntax-only",
          "-x",
          "cuda",
          "-std=gnu++20",
          "-triple",
          "x86_64-unknown-linux-gnu",
          "-aux-triple",
          "nvptx64-nvidia-cuda",
          "-target-sdk-version=12.3",
          "-fcuda-allow-variadic-functions",
          "-fopenmp",
          "-nostdsysteminc",
          "-nobuiltininc",
          "-resource-dir",
          "/none",
          "-fcxx-exceptions",
          "-fexceptions",
          "-fgnuc-version=12.2.0",
          "-ferror-limit",
          "0",
          "-fno-spell-checking",
          "-w",
          "-Wno-c++11-narrowing",
          "-fbracket-depth",
          "256",
          "-frecovery-ast",
          "-frecovery-ast-type",
          "-disable-pragma-debug-crash",
          "-I",
          kUnitRoot,
          "-internal-isystem",
          kAliasRoot};
}

std::vector<std::string> arguments_for(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                       const char* precompiled) {
  std::vector<std::string> arguments = language_arguments();
  std::set<std::string> folders;
  for (const split::VirtualFile& file : neighbours) {
    const std::string path = neighbour_path(file);
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    if (!folders.insert(folder).second && file.text != unit.text) continue;
    const auto place = file.text == unit.text ? arguments.begin() : arguments.end();
    arguments.insert(place, {"-I", folder});
  }
  if (precompiled != nullptr) {
    arguments.insert(arguments.end(), {"-include-pch", precompiled, "-include", stub_path("allocation.h")});
  } else {
    arguments.insert(arguments.end(), {"-include", stub_path("prelude.h")});
    // torch.utils.cpp_extension puts its own include in front of the sources it is given.
    if (begins_with_torch(unit)) arguments.insert(arguments.end(), {"-include", stub_path("torch.h")});
  }
  arguments.push_back("-DTORCH_EXTENSION_NAME=" + module_name_of(unit));
  // Macros of the build are part of what the candidate is; nothing else in the flags changes how it parses.
  for (std::string& flag : macro_flags(unit)) arguments.push_back(std::move(flag));
  arguments.push_back(unit_path(unit));
  return arguments;
}

std::shared_ptr<clang::CompilerInvocation> invocation_of(const std::vector<std::string>& arguments,
                                                         clang::DiagnosticsEngine& diagnostics) {
  std::vector<const char*> raw;
  raw.reserve(arguments.size());
  for (const std::string& argument : arguments) raw.push_back(argument.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, raw, diagnostics)) return nullptr;
  // Not as arguments, which are spelled otherwise in older versions.
  clang::LangOptions& language = referred(invocation->getLangOpts());
  language.InstantiationDepth = 128;
  language.ConstexprStepLimit = 100'000;
  language.ConstexprCallDepth = 128;
  return invocation;
}

}  // namespace kernel_audit::analysis::cuda
