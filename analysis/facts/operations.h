// What a canonical callee does, as data: framework compute, views, allocation, metadata, copies, vendor
// libraries, streams, graphs. One table serves `torch.relu`, `torch.Tensor.relu`, `torch.nn.functional.relu`,
// `at::relu`, `at::Tensor::relu` and `torch.ops.aten.relu`: they are one operation under several names.
#pragma once

#include <string>
#include <string_view>

namespace kernel_audit::analysis::facts {

enum class OperationKind {
  kUnknown,            // nothing is known of this callee
  kCompute,            // framework work on tensor contents
  kMovement,           // framework work that only moves elements: cat, stack, pad, gather
  kUnclassified,       // a framework callee in none of the lists: treated as compute, with less confidence
  kView,               // result aliases the first tensor, whole
  kPartialView,        // result aliases a part of the first tensor
  kCopy,               // fresh tensor (or alias) with the same contents: clone, to, contiguous, casts
  kCopyInto,           // receiver's contents are replaced by the first argument's: copy_
  kSwap,               // two tensors exchange their contents
  kFillInto,           // receiver's contents are replaced by a constant: zero_, fill_
  kAllocation,         // fresh tensor, contents undefined
  kAllocateInto,       // fresh memory in the pointee of the first argument: cudaMalloc
  kConstant,           // fresh tensor with contents from no tensor: zeros, full, arange
  kRandom,             // fresh tensor with random contents
  kMetadata,           // shape, dtype, device, strides, flags: not contents
  kNoneCheck,          // whether a tensor is there at all: defined()
  kAutocast,           // scope in which the framework computes products in 16 bits, or decorator that makes it one
  kIdentity,           // which tensor it is: id, _version
  kPointer,            // address of the contents, also a way to write them: data_ptr
  kScalarRead,         // contents brought to the host as a number: item, tolist
  kVendor,             // cuBLAS, cuDNN, CUTLASS, CUB, …
  kMemcpy,             // raw memory copy: first argument written from the second
  kMemset,             // raw memory of the first argument set to a constant
  kWrapper,            // returns its function or module argument, wrapped: torch.compile, functools.partial
  kContainer,          // builds a container of its arguments
  kScalar,             // arithmetic on host numbers, no effect
  kSpawn,              // runs its function argument, on another thread or in stream order
  kHarmless,           // no effect on contents: checks, printing, flags, guards
  kStreamCurrent,      // the caller's current stream
  kStreamCreate,       // a new stream as result
  kStreamCreateInto,   // a new stream in the pointee of the first argument
  kStreamEnter,        // result is a context in which a stream is current
  kStreamSet,          // makes the stream current from here on
  kStreamWaitStream,   // receiver waits for the first argument
  kStreamWaitEvent,    // receiver (or first argument in C) waits for an event
  kStreamSynchronize,  // host waits for one stream
  kDeviceSynchronize,  // host waits for everything
  kEventCreate,
  kEventCreateInto,
  kEventRecord,  // event (receiver) records a stream (argument, else the current one)
  kEventSynchronize,
  kEventWait,  // event.wait(stream)
  kGraphCreate,
  kGraphEnter,  // a context that captures into the graph argument
  kGraphReplay,
  kCaptureBegin,      // captures into the receiver, or into a graph that kCaptureEnd hands out
  kCaptureEnd,        // the captured graph is left in the pointee of the second argument
  kGraphInstantiate,  // the pointee of the first argument runs the graph of the second
  kParameter,         // makes a weight
  kModule,            // makes a framework module instance
  kExtensionLoad,     // builds or loads native code
};

struct Operation {
  OperationKind kind = OperationKind::kUnknown;
  bool in_place = false;    // the receiver (or first argument) is written
  std::string_view family;  // "convolution", "cublas", …: for messages; empty when there is none
};

// Whether it makes or calls a whole model of a collection: torchvision.models.resnet18, transformers.BertModel.
bool of_library_model(const std::string& callee);

// `callee` is a canonical name (LOWERING.md). `receiver_is_tensor` decides what `?.name` means.
Operation classify(const std::string& callee, bool receiver_is_tensor = false);
// The C function that is called by way of a library that ctypes has loaded; empty for the rest.
std::string function_of_c_library(const std::string& callee);

// Functions of array packages (numpy, cupy, scipy), for callers that hand them tensors: the same tables by their last
// name; unknown when the callee is of another package.
Operation classify_array_function(const std::string& callee);

// Whether such an operation may look at what the tensors hold that it is handed.
bool reads_contents(OperationKind kind);

// "matmul" of operator.matmul, "or" of operator.or_: what a method for it is named after.
std::string operator_word(const std::string& callee);

// Whether it calls what the framework's own module hands out, which may fill what it is handed.
bool calls_private_object(const std::string& callee);

// What reading attribute `name` of a tensor gives.
Operation classify_tensor_attribute(const std::string& name);

}  // namespace kernel_audit::analysis::facts
