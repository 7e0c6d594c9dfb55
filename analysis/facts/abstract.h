// Abstract values and the abstract memory of the interpreter (interpreter.h). An object stands for
// everything that one statement in one calling context makes. Contents of tensors are kept per *set*
// of objects, so that "whichever of these two buffers it is, it was just overwritten" stays exact.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts/persistent_map.h"
#include "analysis/facts/provenance.h"

namespace kernel_audit::analysis::facts {

using ObjectId = std::int32_t;
using ObjectSet = std::vector<ObjectId>;  // sorted, unique
using SetId = std::int32_t;               // interned ObjectSet
using KeyId = std::int32_t;               // interned field name or constant key; kAnyKey when not known
inline constexpr KeyId kAnyKey = -1;

enum class ObjectKind {
  kTensor,     // also raw memory that a pointer points to
  kContainer,  // list, tuple, dict, set, vector
  kInstance,   // of an own class
  kModule,     // framework module
  kFunction,   // own function, possibly with leading arguments bound
  kClass,      // own class
  kSymbol,     // named thing of a package
  kStream,
  kEvent,
  kGraph,
  kExtension,
  kProgram,    // a source that the candidate has compiled, and every form of it: image, module, library
  kScope,      // context manager: stream or graph capture
  kGenerator,  // a generator that is driven step by step
};

struct Abstract {
  ObjectSet objects;
  NodeSet nodes;               // what a non-tensor value was computed from
  std::vector<int> constants;  // interned constants that it may be
  bool open = false;           // it may also be some other number, string, …
  bool partial = false;        // view of a part of `objects`
  int shape = -1;              // of the tensor that it is, interned, where a rehearsal knows it

  bool operator==(const Abstract&) const = default;
  bool nothing() const { return objects.empty() && nodes.empty() && constants.empty() && !open; }
};
bool join(Abstract& into, const Abstract& from);  // true when `into` grew

struct Object {
  ObjectKind kind = ObjectKind::kTensor;
  StatementRef made;
  ContextId context = 0;
  Phase phase = Phase::kImport;
  Id function = kNone;          // kFunction, kGenerator
  Id class_id = kNone;          // kClass, kInstance
  std::string symbol;           // kSymbol, kModule, kExtension, kProgram: the extension that its source is read as
  std::vector<Abstract> bound;  // kFunction: leading arguments, receiver included
  NodeSet initial;              // contents before any write
  ObjectId older = -1;          // the object that stands for what an earlier call made here
  bool from_earlier_call = false;
  bool caller_stream = false;
  Abstract scope_of;  // kScope: the stream or graph; kSymbol with a receiver: the receiver
};

// Keys of PersistentMap; the fields of an object lie together, the unknown key first.
inline std::uint64_t map_key(std::int32_t id) { return static_cast<std::uint32_t>(id); }
inline std::uint64_t field_key(ObjectId object, KeyId key) { return map_key(object) << 32U | map_key(key - kAnyKey); }
inline ObjectId field_object(std::uint64_t field) { return static_cast<ObjectId>(field >> 32U); }
inline KeyId field_name(std::uint64_t field) { return static_cast<KeyId>(field & 0xFFFFFFFFU) + kAnyKey; }

// Abstract memory at one program point. Most blocks change little of a large memory.
struct State {
  PersistentMap<Abstract> storage;                           // by storage
  PersistentMap<Abstract> fields;                            // by field_key
  PersistentMap<NodeSet> single;                             // contents by object
  PersistentMap<NodeSet> several;                            // contents by sets of two and more objects, by SetId
  ObjectSet stream;                                          // current stream
  std::map<ObjectId, NodeSet> pending;                       // stream → work not joined to the caller's stream
  std::map<ObjectId, std::map<ObjectId, NodeSet>> recorded;  // event → what it covers
  std::map<ObjectId, ObjectSet> saved_stream;                // scope → stream to return to
  ObjectSet capturing;                                       // graphs being captured
  ObjectSet autocasts;                                       // scopes that let products be computed in 16 bits
};

}  // namespace kernel_audit::analysis::facts
