// Facts: the small versioned intermediate form to which both extractors (Python's ast, Clang) lower
// one candidate, and the only thing that rules see. It is three-address code: each expression yields
// a value; variables, attributes, containers and C++ storage are read and written through Load and
// Store of abstract locations; control flow is explicit blocks and edges. Not SSA: reaching
// definitions, dominance, reachability and taint are computed once in analysis/facts/ (model.h).
// Extractors fold what they can (aliases, from-imports, getattr of folded names, constant strings)
// into canonical names (LOWERING.md lists them), and say "unknown" with a reason for what they cannot. They never
// guess.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/source_span.h"

namespace kernel_audit::analysis::facts {

inline constexpr int kFactsVersion = 1;

using Id = std::int32_t;  // index into the vectors of Facts; kNone when absent
inline constexpr Id kNone = -1;

enum class TypeKind {
  kUnknown,
  kTensor,
  kInt,
  kFloat,
  kBool,
  kString,
  kBytes,
  kNoneValue,
  kTuple,
  kList,
  kDict,
  kModule,     // torch.nn.Module instance
  kParameter,  // a weight: parameter or buffer of a module
  kFunction,
  kClass,
  kPackage,
  kStream,
  kEvent,
  kGraph,
  kExtension,
  kPointer,
  kDtype,
  kDevice,
  kOther
};

// Where a value comes from, as far as its own statement tells (taint across statements is computed).
enum class OriginKind {
  kUnknown,   // `reason` says why
  kArgument,  // a parameter of the function it occurs in
  kConstant,
  kComputed,
  kState,  // kState: loaded from storage that outlives the call
  kWeights
};  // module parameter or buffer

struct Type {
  TypeKind kind = TypeKind::kUnknown;
  std::string name;      // class or C++ type when known: "torch.Tensor", "at::Tensor", "float*", "MyModule"
  bool numbers = false;  // C++: a structure of numbers too short to be addresses, and of nothing else
};

struct Value {
  Type type;
  OriginKind origin = OriginKind::kUnknown;
  std::optional<Json> constant;  // folded constant: string, number, bool, null, list of constants
  std::string symbol;   // canonical dotted name when the value denotes a named thing: "torch.matmul", "torch.nn.Linear"
  Id function = kNone;  // when it denotes a function of this candidate
  Id class_id = kNone;  // when it denotes a class of this candidate or an instance of it
  std::string reason;   // why unknown
  SourceSpan span;
};

enum class StorageKind {
  kLocal,              // local variable or parameter of `owner_function`
  kGlobal,             // module-level or namespace-scope variable
  kStaticLocal,        // C++ function-local static
  kClassAttribute,     // on the class object (shared by instances) or static member
  kInstanceAttribute,  // self.x of class `owner_class`; the module instance lives across calls
  kFunctionAttribute,  // f.x
  kDefaultArgument,    // mutable default value of a parameter
  kClosure,            // captured variable of an enclosing function
  kThreadOrContext,    // threading.local, ContextVar, thread_local
  kFile,               // file or other external store; name is the path when folded
  kDeref,              // what a pointer or array points to (C++), base value says which
  kOtherAttribute,     // attribute of a value whose class is not known; base value says which
  kForeign,            // attribute of an imported package: "torch.backends.cuda.matmul.allow_tf32"
  kBlockShared,        // CUDA __shared__: one per thread block, undefined when the block starts
};
enum class Lifetime { kCall, kObject, kStatic, kExternal };  // object: as long as the module instance

struct Storage {
  StorageKind kind = StorageKind::kLocal;
  std::string name;  // "x", "self.cache" is name "cache"; kForeign: the full canonical name
  Lifetime lifetime = Lifetime::kCall;
  Id owner_function = kNone;
  Id owner_class = kNone;
  Type type;
  SourceSpan span;          // of the declaration or first store
  std::int64_t bytes = -1;  // C++: size of the object when it is a constant
};

// A place that is read or written: a storage, optionally an element or field of what it holds.
struct Location {
  Id storage = kNone;
  Id base = kNone;       // value id of the object, container or pointer, for kDeref, attributes and elements
  bool element = false;  // container element: s[key]; whole-container effects use element=false
  Id key = kNone;        // value id of the key or index, kNone when not a single value
};

enum class StatementKind {
  kCall,    // result = callee(args…); operators are calls too: "operator.matmul", "operator.is", "operator.getitem"
  kLoad,    // result = *location
  kStore,   // *location = value   (augmented: in place, old content is also read)
  kLaunch,  // kernel launch
  kReturn,  // return value (kNone: no value); yield counts with `yields` set
  kRaise,
  kPhi,  // result is one of args (conditional expression, and/or, loop-carried expression value)
};

struct Launch {
  Id kernel_function = kNone;  // function in Facts, when defined in this candidate
  std::string kernel_name;     // as written, after macro expansion
  Id grid = kNone, block = kNone, shared_bytes = kNone;
  Id stream = kNone;  // kNone: not given, the default stream
  // Where the stream comes from, decided by the extractor when it can see it:
  // "default", "current" (at::cuda::getCurrentCUDAStream), "created", "per-thread", "argument", "unknown"
  std::string stream_origin;
};

// What a statement is given. Facts come from a process that parsed hostile text: an operand that a call has to have may
// be missing, and asking for it gives kNone.
class Operands : public std::vector<Id> {
 public:
  Operands() = default;
  Operands(std::vector<Id> ids) : std::vector<Id>(std::move(ids)) {}
  Operands(std::initializer_list<Id> ids) : std::vector<Id>(ids) {}

  Id operator[](std::size_t place) const { return place < size() ? std::vector<Id>::operator[](place) : kNone; }
  Id front() const { return (*this)[0]; }
  Id back() const { return empty() ? kNone : std::vector<Id>::back(); }
};

struct Statement {
  StatementKind kind = StatementKind::kCall;
  Id result = kNone;  // value id
  SourceSpan span;
  // kCall
  std::string callee;       // canonical name, "" when unknown. Methods on tensors: "torch.Tensor.matmul" in
                            // Python, "at::Tensor::matmul" in C++; on a value of unknown type: "?.matmul"
  Id callee_value = kNone;  // the value that was called
  Id target = kNone;        // function of this candidate that it resolves to (also across the language border)
  Id receiver = kNone;      // for methods
  Operands args;            // also kLaunch arguments and kPhi operands
  std::vector<std::pair<std::string, Id>> keywords;
  bool star_args = false;  // *args/**kwargs present: arguments not all known
  // kLoad, kStore
  Location location;
  // kStore value, kReturn value, kRaise value
  Id value = kNone;
  bool augmented = false;
  bool yields = false;
  bool in_macro = false;  // C++: came out of a macro expansion (span is the expansion's place in the user's file)
  std::optional<Launch> launch;
};

enum class EdgeKind { kNormal, kTrue, kFalse, kException, kLoopBack };
struct Edge {
  Id to = kNone;  // block index within the function
  EdgeKind kind = EdgeKind::kNormal;
};

struct Block {
  std::vector<Statement> statements;
  Id condition = kNone;  // value decided on when there is a kTrue/kFalse pair
  std::vector<Edge> successors;
  Id handler_of = kNone;  // this block is in an exception handler: id shared by the handler's blocks
  Id in_try = kNone;      // this block is in the body of the try with that id
  bool in_finally = false;
};

enum class UnitLanguage { kPython, kCuda, kCpp, kTriton, kPtx, kOther };

struct Parameter {
  std::string name;
  Type type;
  Id storage = kNone;             // its kLocal storage
  Id value = kNone;               // its value at entry (origin kArgument)
  bool is_const_pointer = false;  // C++: pointee is const
  bool variadic = false;
  Id default_value = kNone;  // its value when the caller leaves it out, where the source says which
};

struct Function {
  std::string name;            // "forward", "fused_kernel"
  std::string qualified_name;  // "ModelNew.forward", "ns::fused_kernel"
  Id unit = kNone;
  Id class_id = kNone;  // method of
  Id enclosing_function = kNone;
  std::vector<Parameter> parameters;
  std::vector<Block> blocks;            // block 0 is the entry; a declaration without body has none
  std::vector<std::string> decorators;  // canonical names: "torch.compile", "triton.jit", "staticmethod", "property"
  bool is_module_body = false;          // Python module level / C++ static initialisation
  bool is_kernel = false;               // __global__ or @triton.jit and its like
  bool is_device = false;               // __device__
  bool is_generator = false;
  bool is_static_method = false, is_class_method = false, is_property = false;
  bool is_constructor_attribute = false;  // __attribute__((constructor))
  SourceSpan span;                        // whole definition
  SourceSpan name_span;
};

struct Class {
  std::string name;
  std::string qualified_name;
  Id unit = kNone;
  std::vector<std::string> bases;                   // canonical: "torch.nn.Module"; own classes by qualified name
  std::vector<Id> base_classes;                     // own classes among them
  std::vector<std::pair<std::string, Id>> methods;  // name → function
  std::vector<std::pair<std::string, Type>>
      attributes;  // instance attributes and their light type, e.g. fc → module torch.nn.Linear
  SourceSpan span;
};

struct Unit {
  std::string name;  // "candidate.py", "candidate.py:cuda_source"
  UnitLanguage language = UnitLanguage::kPython;
  Id parent = kNone;       // the Python unit that embeds it
  Id module_body = kNone;  // function
  std::string sha256;
  bool parsed = false;
  std::vector<std::string> build_flags;  // nvcc, compiler and linker flags given to it
  std::vector<std::string> includes;     // as written
  std::vector<std::string> missing_includes;
  std::string
      extension;  // C++: "ext:fused_ops", the module it is built into; units of one extension link to each other
};

// A Python-visible name that resolves to a C++ or device function (functions=[…], pybind def, torch.ops,
// RawKernel, ctypes, torch.ops.load_library). Used to fill Statement::target across the border.
// A class that Python gets has no function, and kBoundClass before its name in C++; its methods are bound in the
// extension "ext:fused_ops.Name", constructors as "__init__".
inline constexpr const char* kBoundClass = "class ";
struct Binding {
  std::string extension;  // value symbol of the extension module: "ext:fused_ops"
  std::string name;       // attribute name in Python
  Id function = kNone;    // C++ function; kNone when not found in the sources
  std::string cpp_name;
  SourceSpan span;
};

// What an extractor could not tell: never fatal, always with the reason.
struct Problem {
  std::string kind;  // "syntax-error", "unfoldable-source", "missing-include", "opaque-blob", "dynamic-call", "limit"
  std::string message;  // full sentence
  Id unit = kNone;
  SourceSpan span;
  bool blocks_clean = true;  // with it the candidate cannot be `clean`
};

// A comment token that speaks to this program ("# kernel-audit: allow KA301 reason"), never a string. Only `lint` heeds
// it; to every other command it is a remark.
struct Directive {
  std::string text;  // what follows "kernel-audit:" in the comment, trimmed
  SourceSpan span;   // the comment
  int line = 0;      // line of the user's file that it speaks of: its own, or the next code line when it stands alone
};

struct Facts {
  int version = kFactsVersion;
  std::string extractor_version;
  std::string python_version;  // of the interpreter whose ast was used
  std::string clang_version;
  std::vector<Unit> units;
  std::vector<Class> classes;
  std::vector<Function> functions;
  std::vector<Storage> storages;
  std::vector<Value> values;
  std::vector<Binding> bindings;
  std::vector<Problem> problems;
  std::vector<Directive> directives;
  Id entry_class = kNone;     // ModelNew (or Model when there is none)
  Id entry_function = kNone;  // its forward, after inheritance; bare .cu: the bound "forward"
};

void to_json(Json& json, const Facts& facts);
// Checks every id against its vector's size: Facts come from a process that parsed hostile text.
Result<Facts> facts_from_json(const Json& json, const std::string& what);

}  // namespace kernel_audit::analysis::facts
