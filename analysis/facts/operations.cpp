#include "analysis/facts/operations.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/facts/operation_tables.h"

namespace kernel_audit::analysis::facts {
namespace {

std::vector<std::string_view> words(std::string_view list) {
  std::vector<std::string_view> out;
  std::size_t at = 0;
  while ((at = list.find_first_not_of(' ', at)) != std::string_view::npos) {
    const std::size_t end = list.find(' ', at);
    out.push_back(list.substr(at, end - at));
    if (end == std::string_view::npos) break;
    at = end;
  }
  return out;
}

using Table = std::unordered_map<std::string_view, Operation>;

void add(Table& table, std::string_view list, OperationKind kind, bool in_place = false) {
  for (const auto word : words(list)) table.emplace(word, Operation{kind, in_place, {}});
}

// Operations on tensors, by the last component of the name.
const Table& tensor_table() {
  static const Table table = [] {
    Table t;
    add(t, kMetadataNames, OperationKind::kMetadata);
    add(t, kIdentityNames, OperationKind::kIdentity);
    add(t, kPointerNames, OperationKind::kPointer);
    add(t, kScalarReadNames, OperationKind::kScalarRead);
    add(t, kViewNames, OperationKind::kView);
    add(t, kPartialViewNames, OperationKind::kPartialView);
    add(t, kCopyNames, OperationKind::kCopy);
    add(t, kAllocationNames, OperationKind::kAllocation);
    add(t, kConstantNames, OperationKind::kConstant);
    add(t, kRandomNames, OperationKind::kRandom);
    add(t, kRandomInPlaceNames, OperationKind::kRandom, true);
    add(t, "copy_ __setstate__ set_ set_data", OperationKind::kCopyInto, true);
    add(t, "zero_ fill_ zero fill", OperationKind::kFillInto, true);
    add(t, "defined has_storage", OperationKind::kNoneCheck);
    add(t, "record_stream backward register_hook requires_grad_ __hash__", OperationKind::kHarmless);
    add(t, kMovementNames, OperationKind::kMovement);
    for (const auto family : kComputeFamilies) {
      const auto names = words(family);
      for (std::size_t i = 1; i < names.size(); ++i) {
        t.emplace(names[i], Operation{OperationKind::kCompute, false, names[0]});
      }
    }
    return t;
  }();
  return table;
}

// Whole canonical names.
const Table& exact_table() {
  static const Table table = [] {
    Table t;
    add(t, kWrappers, OperationKind::kWrapper);
    add(t,
        "torch.nn.Parameter torch.nn.parameter.Parameter torch.nn.Buffer torch.nn.parameter.Buffer "
        "torch.nn.UninitializedParameter",
        OperationKind::kParameter);
    add(t,
        "torch.cuda.current_stream torch.cuda.default_stream at::cuda::getCurrentCUDAStream "
        "c10::cuda::getCurrentCUDAStream "
        "at::cuda::getDefaultCUDAStream c10::cuda::getDefaultCUDAStream torch.current_stream",
        OperationKind::kStreamCurrent);
    add(t,
        "torch.cuda.Stream torch.Stream torch.cuda.streams.Stream torch.cuda.ExternalStream "
        "at::cuda::getStreamFromPool "
        "c10::cuda::getStreamFromPool cupy.cuda.Stream cuda.core.Device.create_stream cuda.core.Stream "
        "cuda.core.Stream.from_handle",
        OperationKind::kStreamCreate);
    add(t,
        "cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority cuStreamCreate "
        "cuStreamCreateWithPriority",
        OperationKind::kStreamCreateInto);
    add(t,
        "torch.cuda.stream torch.cuda.StreamContext torch.cuda.streams.StreamContext at::cuda::CUDAStreamGuard "
        "c10::cuda::CUDAStreamGuard at::cuda::CUDAStreamGuard::CUDAStreamGuard "
        "c10::cuda::CUDAStreamGuard::CUDAStreamGuard "
        "at::cuda::CUDAMultiStreamGuard c10::cuda::CUDAMultiStreamGuard c10::StreamGuard c10::StreamGuard::StreamGuard "
        "at::cuda::CUDAMultiStreamGuard::CUDAMultiStreamGuard c10::cuda::CUDAMultiStreamGuard::CUDAMultiStreamGuard",
        OperationKind::kStreamEnter);
    add(t, "torch.cuda.set_stream at::cuda::setCurrentCUDAStream c10::cuda::setCurrentCUDAStream",
        OperationKind::kStreamSet);
    add(t, "torch.cuda.Stream.wait_stream torch.Stream.wait_stream", OperationKind::kStreamWaitStream);
    add(t,
        "torch.cuda.Stream.wait torch.cuda.Stream.wait_event torch.Stream.wait_event cudaStreamWaitEvent "
        "cuStreamWaitEvent",
        OperationKind::kStreamWaitEvent);
    add(t,
        "torch.cuda.Stream.synchronize torch.Stream.synchronize cudaStreamSynchronize "
        "torch.cuda.Stream.sync c10::cuda::CUDAStream::synchronize "
        "at::cuda::CUDAStream::synchronize at::cuda::stream_synchronize c10::cuda::stream_synchronize "
        "cuStreamSynchronize",
        OperationKind::kStreamSynchronize);
    add(t,
        "torch.cuda.synchronize cuda.core.Device.sync cudaDeviceSynchronize torch.accelerator.synchronize "
        "torch::cuda::synchronize "
        "cuCtxSynchronize "
        "at::cuda::device_synchronize c10::cuda::device_synchronize cudaThreadSynchronize",
        OperationKind::kDeviceSynchronize);
    add(t, "torch.cuda.Event torch.Event torch.cuda.streams.Event at::cuda::CUDAEvent at::cuda::CUDAEvent::CUDAEvent",
        OperationKind::kEventCreate);
    add(t, "cudaEventCreate cudaEventCreateWithFlags cuEventCreate", OperationKind::kEventCreateInto);
    add(t,
        "torch.cuda.Event.record torch.cuda.Stream.record torch.Event.record cudaEventRecord "
        "cudaEventRecordWithFlags cuEventRecord cuEventRecordWithFlags "
        "at::cuda::CUDAEvent::record "
        "torch.cuda.Stream.record_event "
        "torch.Stream.record_event",
        OperationKind::kEventRecord);
    add(t,
        "torch.cuda.Event.sync torch.cuda.Event.synchronize torch.Event.synchronize cudaEventSynchronize "
        "cuEventSynchronize "
        "at::cuda::CUDAEvent::synchronize",
        OperationKind::kEventSynchronize);
    add(t, "torch.cuda.Event.wait torch.Event.wait at::cuda::CUDAEvent::block", OperationKind::kEventWait);
    add(t, "torch.cuda.CUDAGraph torch.cuda.graphs.CUDAGraph at::cuda::CUDAGraph at::cuda::CUDAGraph::CUDAGraph",
        OperationKind::kGraphCreate);
    add(t, "torch.cuda.graph torch.cuda.graphs.graph", OperationKind::kGraphEnter);
    add(t,
        "cudaStreamBeginCapture cuStreamBeginCapture torch.cuda.CUDAGraph.capture_begin "
        "at::cuda::CUDAGraph::capture_begin",
        OperationKind::kCaptureBegin);
    add(t, "cudaStreamEndCapture cuStreamEndCapture torch.cuda.CUDAGraph.capture_end at::cuda::CUDAGraph::capture_end",
        OperationKind::kCaptureEnd);
    add(t, "cudaGraphInstantiate cudaGraphInstantiateWithFlags cuGraphInstantiate", OperationKind::kGraphInstantiate);
    add(t,
        "std::thread::thread std::jthread::jthread std::jthread::thread std::async pthread_create cudaLaunchHostFunc "
        "cudaStreamAddCallback cuLaunchHostFunc at::launch at::intraop_launch",
        OperationKind::kSpawn);
    add(t,
        "std::unique_ptr::unique_ptr std::shared_ptr::shared_ptr std::make_unique std::make_shared "
        "std::unique_ptr::get std::shared_ptr::get std::unique_ptr::release std::optional::optional "
        "std::optional::value std::make_optional std::addressof std::launder std::future::get std::shared_future::get "
        "std::any::any std::any_cast std::variant::variant std::variant::emplace std::any::emplace std::atomic::atomic "
        "std::atomic::load std::reference_wrapper::get std::vector::back std::vector::front std::vector::at "
        "std::vector::begin std::vector::end std::vector::rbegin std::vector::rend std::vector::data "
        "std::array::back std::array::front std::array::at std::array::begin std::array::end std::array::data "
        "pybind11::cast pybind11::handle::cast pybind11::object::object pybind11::handle::ptr "
        "pybind11::object::release "
        "std::back_inserter std::inserter pybind11::reinterpret_borrow pybind11::reinterpret_steal "
        "c10::IValue::IValue c10::IValue::toTensor "
        "c10::IValue::to THPVariable_Wrap THPVariable_Unpack std::istreambuf_iterator::istreambuf_iterator "
        "at::cuda::getStreamFromExternal c10::cuda::getStreamFromExternal",
        OperationKind::kView);
    add(t,
        "ctypes.byref ctypes.pointer ctypes.addressof ctypes.cast ctypes.c_void_p ctypes.c_uint64 ctypes.c_ulonglong "
        "ctypes.c_size_t ctypes.c_int64 ctypes.c_longlong",
        OperationKind::kView);
    // Handles, descriptors and addresses of what they are given.
    add(t,
        "torch.utils.dlpack.to_dlpack torch.utils.dlpack.from_dlpack numba.cuda.as_cuda_array "
        "cutlass.cute.runtime.from_dlpack triton.tools.tensor_descriptor.TensorDescriptor "
        "triton.tools.tensor_descriptor.TensorDescriptor.from_tensor warp.from_torch warp.to_torch "
        "warp.stream_from_torch "
        "numpy.intp numpy.uintp numpy.uint64 numpy.int64 cupy.intp cupy.uintp cupy.uint64 cupy.int64 "
        "cupy.cuda.UnownedMemory cupy.cuda.MemoryPointer cupy.ndarray cupy.asarray cupy.from_dlpack cupy.fromDlpack "
        "cuda.bindings.driver.CUstream cuda.cuda.CUstream "
        "cuda.bindings.runtime.cudaStream_t pycuda.driver.ExternalStream cupy.cuda.ExternalStream",
        OperationKind::kView);
    add(t, "cutlass.cute.size cutlass.cute.cosize cutlass.cute.ceil_div cutlass.cute.rank", OperationKind::kMetadata);
    add(t, "std::optional::has_value std::any::has_value std::holds_alternative", OperationKind::kNoneCheck);
    add(t, "std::variant::index std::variant::valueless_by_exception std::any::type pybind11::handle::is_none",
        OperationKind::kIdentity);
    add(t,
        "cudaMalloc cudaMallocAsync cudaMallocManaged cudaMallocHost cudaHostAlloc cudaMallocPitch cuMemAlloc "
        "cudaMallocFromPoolAsync cuMemAllocAsync cuMemAllocFromPoolAsync cuMemAllocManaged cuMemAllocPitch "
        "cuMemAllocHost cuMemHostAlloc",
        OperationKind::kAllocateInto);
    add(t,
        "torch.cuda.CUDAGraph.replay torch.cuda.graphs.CUDAGraph.replay at::cuda::CUDAGraph::replay cudaGraphLaunch "
        "cuGraphLaunch",
        OperationKind::kGraphReplay);
    add(t,
        "cudaMemcpy cudaMemcpyAsync std::memcpy memcpy std::memmove memmove cudaMemcpy2D cudaMemcpy2DAsync "
        "cudaMemcpyPeer cudaMemcpyPeerAsync cuMemcpy cuMemcpyAsync cuMemcpyDtoD cuMemcpyDtoDAsync cuMemcpyHtoD "
        "cuMemcpyHtoDAsync cuMemcpyDtoH cuMemcpyDtoHAsync cuMemcpyPeer cuMemcpyPeerAsync "
        "cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaMemcpyFromSymbol std::copy std::copy_n",
        OperationKind::kMemcpy);
    add(t,
        "cudaMemset cudaMemsetAsync cudaMemset2D cudaMemset2DAsync cuMemsetD8 cuMemsetD16 cuMemsetD32 cuMemsetD8Async "
        "cuMemsetD16Async cuMemsetD32Async std::memset memset std::fill std::fill_n",
        OperationKind::kMemset);
    add(t,
        "warp.empty warp.empty_like c10::Allocator::allocate c10::Allocator::raw_allocate "
        "c10::cuda::CUDACachingAllocator::raw_alloc "
        "c10::cuda::CUDACachingAllocator::raw_alloc_with_stream",
        OperationKind::kAllocation);
    add(t, "c10::Allocator::clone", OperationKind::kCopy);
    add(t,
        "c10::DataPtr::get c10::DataPtr::mutable_get c10::DataPtr::cast_context c10::DataPtr::get_context "
        "c10::DataPtr::release_context c10::DataPtr::DataPtr c10::Storage::data_ptr c10::Storage::mutable_data_ptr "
        "c10::Storage::data c10::Storage::mutable_data c10::StorageImpl::data_ptr c10::StorageImpl::mutable_data_ptr "
        "c10::StorageImpl::mutable_data c10::StorageImpl::data",
        OperationKind::kPointer);
    // What holds a tensor stands for it, and says which it is.
    add(t,
        "at::Tensor::getIntrusivePtr at::Tensor::unsafeGetTensorImpl c10::intrusive_ptr::intrusive_ptr "
        "c10::intrusive_ptr::get c10::intrusive_ptr::release c10::intrusive_ptr::reclaim "
        "c10::weak_intrusive_ptr::weak_intrusive_ptr c10::weak_intrusive_ptr::lock "
        "c10::weak_intrusive_ptr::_unsafe_get_target c10::Storage::unsafeGetStorageImpl std::weak_ptr::lock "
        "std::weak_ptr::weak_ptr",
        OperationKind::kPointer);
    add(t,
        "at::Tensor::expect_contiguous c10::MaybeOwned::borrowed c10::MaybeOwned::owned at::Tensor::storage "
        "c10::TensorImpl::storage c10::TensorImpl::unsafe_storage",
        OperationKind::kView);
    add(t,
        "c10::TensorImpl::version_counter c10::VariableVersion::current_version c10::weak_intrusive_ptr::expired "
        "c10::weak_intrusive_ptr::use_count c10::intrusive_ptr::use_count c10::intrusive_ptr::unique "
        "c10::intrusive_ptr::defined c10::weak_intrusive_ptr::defined std::weak_ptr::expired",
        OperationKind::kIdentity);
    add(t,
        "torch.utils.cpp_extension.load_inline torch.utils.cpp_extension.load cupy.RawModule cupy.RawKernel "
        "ctypes.CDLL "
        "ctypes.cdll.LoadLibrary torch.ops.load_library torch.classes.load_library",
        OperationKind::kExtensionLoad);
    add(t,
        "builtins.list builtins.tuple builtins.dict builtins.set builtins.frozenset builtins.zip builtins.enumerate "
        "builtins.reversed builtins.sorted builtins.map builtins.filter builtins.iter_rest collections.OrderedDict "
        "collections.defaultdict "
        "collections.deque weakref.WeakKeyDictionary weakref.WeakValueDictionary torch.nn.ModuleList "
        "torch.nn.ModuleDict torch.nn.ParameterList torch.nn.ParameterDict "
        "std::vector::vector std::deque::deque std::list::list std::tuple::tuple std::make_tuple std::tie "
        "std::unordered_map::unordered_map "
        "std::map::map "
        "std::pair::pair std::make_pair std::array::array std::vector std::initializer_list types.SimpleNamespace "
        "types.ModuleType collections.ChainMap queue.Queue queue.LifoQueue queue.SimpleQueue "
        "ctypes.Array",
        OperationKind::kContainer);
    add(t, "torch.utils.swap_tensors", OperationKind::kSwap);
    add(t,
        "torch.autocast torch.amp.autocast torch.amp.autocast_mode.autocast torch.cuda.amp.autocast "
        "torch.cuda.amp.autocast_mode.autocast torch.set_autocast_enabled",
        OperationKind::kAutocast);
    add(t, "builtins.id", OperationKind::kIdentity);
    add(t, "builtins.len builtins.isinstance builtins.type builtins.hasattr builtins.callable",
        OperationKind::kMetadata);
    add(t, "builtins.float builtins.int builtins.bool", OperationKind::kScalarRead);
    add(t,
        "builtins.print builtins.super builtins.format builtins.repr builtins.str "
        "contextlib.suppress "
        "torch.nn.Module.__init__ super.__init__ torch.nn.Module.eval torch.nn.Module.train torch.nn.Module.to "
        "torch.nn.Module.cuda torch.nn.Module.half torch.nn.Module.requires_grad_",
        OperationKind::kHarmless);
    add(t, "torch.sqrt_ torch.numel einops.parse_shape", OperationKind::kMetadata);
    add(t, "einops.rearrange einops.layers.torch.Rearrange.__call__", OperationKind::kView);
    add(t, "einops.repeat einops.pack einops.unpack", OperationKind::kMovement);
    add(t,
        "opt_einsum.contract einops.reduce einops.einsum einops.layers.torch.Reduce.__call__ "
        "einops.layers.torch.EinMix.__call__",
        OperationKind::kCompute);
    add(t, "einops.layers.torch.Rearrange einops.layers.torch.Reduce einops.layers.torch.EinMix",
        OperationKind::kModule);
    add(t, "at::parallel_for at::parallel_reduce", OperationKind::kHarmless);
    add(t, "copy.copy copy.deepcopy", OperationKind::kCopy);
    add(t, "torch.nn.functional.pixel_shuffle torch.nn.functional.pixel_unshuffle", OperationKind::kCompute);
    return t;
  }();
  return table;
}

bool has_prefix(const std::string& name, const std::vector<std::string_view>& prefixes) {
  for (const auto prefix : prefixes) {
    if (name.compare(0, prefix.size(), prefix) == 0) return true;
  }
  return false;
}

bool is_vendor(const std::string& name) {
  static const auto prefixes = words(kVendorPrefixes);
  return has_prefix(name, prefixes);
}

bool is_vendor_setup(const std::string& name) {
  static const auto prefixes = words(kVendorSetupPrefixes);
  return has_prefix(name, prefixes);
}

// A function of CUDA's runtime or driver that moves no data, runs nothing and hands out no memory: attributes,
// contexts, handles, pools, flags. Those that do are known one by one, or not at all.
bool is_quiet_cuda(const std::string& name) {
  const std::size_t family = name.starts_with("cuda") ? 4 : name.starts_with("cu") ? 2 : 0;
  if (family == 0 || family >= name.size() || name[family] < 'A' || name[family] > 'Z' ||
      name.find_first_of(".:") != std::string::npos)
    return false;
  static const auto acting = words(kActingCuda);
  return !has_prefix(name.substr(family), acting);
}

bool is_harmless(const std::string& name) {
  static const auto prefixes = words(kHarmlessPrefixes);
  return has_prefix(name, prefixes) || is_quiet_cuda(name);
}

bool is_pure_host(const std::string& name) {
  static const auto prefixes = words(kPureHostPrefixes);
  if (has_prefix(name, prefixes)) return true;
  static const auto groups = words(kGroupPrefixes);
  if (has_prefix(name, groups)) return true;
  static const auto names = words(kPureHostNames);
  static const auto math = words(kMathNames);
  const auto one_of = [](const std::vector<std::string_view>& list, std::string_view wanted) {
    return std::find(list.begin(), list.end(), wanted) != list.end();
  };
  std::string_view plain = name;
  if (one_of(names, plain) || one_of(math, plain)) return true;
  if (plain.ends_with('f') && one_of(math, plain.substr(0, plain.size() - 1))) return true;
  if (plain.starts_with("make_") && plain.back() >= '1' && plain.back() <= '4') return true;  // make_uchar4
  return plain.starts_with("__");
}

std::optional<std::string> tensor_operation_name(const std::string& callee, bool receiver_is_tensor) {
  for (const std::string_view prefix : {"torch.Tensor.",
                                        "at::Tensor::",
                                        "at::TensorBase::",
                                        "torch::Tensor::",
                                        "torch.nn.functional.",
                                        "torch.special.",
                                        "torch.linalg.",
                                        "torch.fft.",
                                        "torch.sparse.",
                                        "torch._C._nn.",
                                        "torch._C._VariableFunctions.",
                                        "torch.nested.",
                                        "torch.ops.aten.",
                                        "torch._VF.",
                                        "at::native::",
                                        "at::_ops::",
                                        "torch::nn::functional::",
                                        "torch::autograd::",
                                        "torch::linalg::",
                                        "torch::special::",
                                        "torch::fft::",
                                        "c10::TensorImpl::",
                                        "at::indexing::",
                                        "at::TensorAccessor::",
                                        "torch.nn.parameter.Parameter.",
                                        "torch.nn.Parameter.",
                                        "torch.cuda."}) {
    if (callee.compare(0, prefix.size(), prefix) == 0) return callee.substr(prefix.size());
  }
  for (const std::string_view prefix : {"at::", "torch::"}) {
    if (callee.compare(0, prefix.size(), prefix) == 0 && callee.find("::", prefix.size()) == std::string::npos) {
      return callee.substr(prefix.size());
    }
  }
  if (callee.compare(0, 6, "torch.") == 0 && callee.find('.', 6) == std::string::npos) return callee.substr(6);
  if (callee.compare(0, 2, "?.") == 0 && receiver_is_tensor) return callee.substr(2);
  return std::nullopt;
}

std::optional<Operation> lookup_tensor(std::string name) {
  // Overloads of the dispatcher: mm.default, add.Tensor, addmm.out.
  bool writes_first = false;
  if (const auto dot = name.find('.'); dot != std::string::npos) name.resize(dot);
  if (const auto colon = name.find("::"); colon != std::string::npos) name.resize(colon);
  const auto find = [](const std::string& key) -> std::optional<Operation> {
    const auto it = tensor_table().find(key);
    if (it == tensor_table().end()) return std::nullopt;
    return it->second;
  };
  if (auto found = find(name)) return found;
  for (const std::string_view suffix : {"_out", "_outf"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
      writes_first = true;
    }
  }
  if (name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_') {
    name.pop_back();
    writes_first = true;
  }
  for (const std::string_view prefix : {"linalg_", "special_", "fft_"}) {
    if (find(name)) break;
    if (name.compare(0, prefix.size(), prefix) == 0) name.erase(0, prefix.size());
  }
  auto found = find(name);
  if (found && writes_first) found->in_place = true;
  return found;
}

std::optional<Operation> classify_operator(const std::string& callee) {
  if (callee.compare(0, 9, "operator.") != 0) return std::nullopt;
  const std::string name = callee.substr(9);
  if (name == "is_" || name == "is_not" || name == "is") return Operation{OperationKind::kIdentity, false, {}};
  if (name == "not_" || name == "contains" || name == "not_contains")
    return Operation{OperationKind::kScalar, false, {}};
  if (name == "addressof" || name == "cast" || name == "new") return Operation{OperationKind::kView, false, {}};
  if (name == "delete") return Operation{OperationKind::kHarmless, false, {}};
  if (name == "getitem") return Operation{OperationKind::kPartialView, false, {}};
  const std::string_view family = name == "matmul" || name == "imatmul" ? "matmul" : "elementwise";
  const bool in_place = name.size() > 3 && name.front() == 'i' && name != "invert" && name != "index";
  return Operation{OperationKind::kCompute, in_place, family};
}

std::string_view vendor_family(const std::string& callee) {
  for (const std::string_view family :
       {"cublas", "cudnn", "cusparse", "cusolver", "cufft", "cutlass", "cute", "cub", "thrust", "curand"}) {
    if (callee.find(family) != std::string::npos) return family;
  }
  return "vendor library";
}

// `?.wait_stream` and its like: methods whose name alone says what they are, whatever the receiver.
std::optional<Operation> classify_unknown_method(const std::string& name) {
  static const Table table = [] {
    Table t;
    add(t, "wait_stream", OperationKind::kStreamWaitStream);
    add(t, "wait_event", OperationKind::kStreamWaitEvent);
    add(t, "record_event", OperationKind::kEventRecord);
    add(t, "replay", OperationKind::kGraphReplay);
    return t;
  }();
  const auto it = table.find(name);
  if (it == table.end()) return std::nullopt;
  return it->second;
}

// Launchers of compiled code below Triton and the framework: what they run may write anything that they are handed.
bool runs_compiled_code(const std::string& callee) {
  static const auto prefixes = words(
      "torch._C._StaticCudaLauncher. torch._inductor.runtime.static_cuda_launcher. triton.compiler.CompiledKernel");
  if (has_prefix(callee, prefixes)) return true;
  return callee.starts_with("triton.") && (callee.ends_with(".load_binary") || callee.ends_with(".launch"));
}

// Making a model of a collection, and calling it.
std::optional<Operation> classify_library_model(const std::string& callee) {
  if (!of_library_model(callee)) return std::nullopt;
  const std::string last = callee.substr(callee.rfind('.') + 1);
  if (last == "__call__" || last == "forward" || last == "generate")
    return Operation{OperationKind::kCompute, false, "module"};
  const bool settings = callee.find("Config") != std::string::npos || callee.find("Tokenizer") != std::string::npos ||
                        callee.ends_with("_Weights") || last == "set_seed";
  return Operation{settings ? OperationKind::kScalar : OperationKind::kModule, false, {}};
}

// A constructor of a structure of CUDA, CUTLASS or CuTe packs what it is given: `Arguments::Arguments`.
bool constructs_structure(const std::string& callee) {
  const std::size_t at = callee.rfind("::");
  const bool ours = callee.starts_with("cutlass::") || callee.starts_with("cute::") ||
                    (callee.starts_with("cuda") && !callee.starts_with("cuda::"));
  if (!ours || at == std::string::npos) return false;
  const std::string_view head = std::string_view(callee).substr(0, at), last = std::string_view(callee).substr(at + 2);
  const std::size_t before = head.rfind("::");
  return head.substr(before == std::string_view::npos ? 0 : before + 2) == last;
}

}  // namespace

bool of_library_model(const std::string& callee) {
  static const auto collections = words("torchvision.models. timm.create_model torch.hub.load transformers.");
  return has_prefix(callee, collections);
}

std::string function_of_c_library(const std::string& callee) {
  for (const std::string_view door : {"ctypes.CDLL.", "ctypes.PyDLL.", "ctypes.cdll.LoadLibrary."}) {
    if (callee.starts_with(door) && callee.find('.', door.size()) == std::string::npos)
      return callee.substr(door.size());
  }
  return {};
}

Operation classify(const std::string& callee, bool receiver_is_tensor) {
  if (callee.empty() || runs_compiled_code(callee)) return {};
  if (const std::string function = function_of_c_library(callee); !function.empty()) return classify(function);
  if (const auto it = exact_table().find(callee); it != exact_table().end()) return it->second;
  if (auto op = classify_operator(callee)) return *op;
  if (constructs_structure(callee)) return Operation{OperationKind::kContainer, false, {}};
  if (is_vendor_setup(callee)) return Operation{OperationKind::kHarmless, false, {}};
  if (is_vendor(callee)) return Operation{OperationKind::kVendor, false, vendor_family(callee)};
  if (callee.compare(0, 9, "torch.nn.") == 0 || callee.compare(0, 11, "torch::nn::") == 0) {
    const bool cpp = callee[5] == ':';
    const std::string rest = callee.substr(cpp ? 11 : 9);
    if (!rest.empty() && rest.front() >= 'A' && rest.front() <= 'Z') {
      const auto dot = rest.find(cpp ? ':' : '.');
      if (dot == std::string::npos) return Operation{OperationKind::kModule, false, {}};
      const std::string method = rest.substr(rest.find_last_of(".:") + 1);
      if (method == "__call__" || method == "forward" || method == "operator()") {
        for (const auto module : words(kViewModules)) {
          if (rest.substr(0, dot) == module) return Operation{OperationKind::kView, false, {}};
        }
        if (rest.compare(0, 7, "Module.") != 0) return Operation{OperationKind::kCompute, false, "module"};
      }
      // A part of a module that is not one of the methods that all have: layer.norm2(x).
      static const auto owners = words(kOwnersOfPlainMethods);
      static const auto methods = words(kModuleMethods);
      const bool plain = cpp || has_prefix(rest.substr(0, dot + 1), owners) || has_prefix(method, methods);
      return plain ? Operation{OperationKind::kHarmless, false, {}}
                   : Operation{OperationKind::kCompute, false, "module"};
    }
  }
  if (auto op = classify_library_model(callee)) return *op;
  const bool function = callee.starts_with("torch._C._nn.") || callee.starts_with("torch._C._VariableFunctions.");
  if (calls_private_object(callee)) return Operation{OperationKind::kUnclassified, false, {}};
  if (!function && is_harmless(callee)) return Operation{OperationKind::kHarmless, false, {}};
  if (const auto name = tensor_operation_name(callee, receiver_is_tensor)) {
    if (auto op = lookup_tensor(*name)) return *op;
    if (receiver_is_tensor || callee.compare(0, 6, "torch.") == 0 || callee.compare(0, 4, "at::") == 0) {
      return Operation{OperationKind::kUnclassified, name->ends_with('_'), {}};
    }
  }
  if (callee.compare(0, 2, "?.") == 0) {
    if (auto op = classify_unknown_method(callee.substr(2))) return *op;
    return {};
  }
  if (callee.compare(0, 10, "torch.ops.") == 0) {
    // Operators of the framework under other names; anything else is somebody's own.
    static const auto spaces = words("aten. prims. prim. inductor. quantized. mkldnn. torchvision. higher_order.");
    if (!has_prefix(callee.substr(10), spaces)) return {};
  }
  if (callee.compare(0, 6, "torch.") == 0 || callee.compare(0, 7, "torch::") == 0) {
    return Operation{OperationKind::kUnclassified, false, {}};
  }
  if (is_pure_host(callee)) return Operation{OperationKind::kScalar, false, {}};
  // CuTe's language: on the host it lays out and tiles what it is handed. The interface to ready-made kernels is none.
  static const auto language = words(kCutlassLanguage);
  if (callee.starts_with("cutlass.") && has_prefix(callee.substr(8), language))
    return Operation{OperationKind::kView, false, {}};
  return {};
}

bool calls_private_object(const std::string& callee) {
  return callee.starts_with("torch._C.") && callee.ends_with(".__call__");
}

Operation classify_array_function(const std::string& callee) {
  bool array = false;
  for (const std::string_view prefix :
       {"numpy.", "cupy.", "scipy.", "cupyx.", "jax.numpy.", "jax.nn.", "jax.lax.", "jax.scipy."}) {
    array = array || callee.compare(0, prefix.size(), prefix) == 0;
  }
  if (!array || callee.find(".cuda.") != std::string::npos || callee.find(".testing.") != std::string::npos ||
      callee.find(".char.") != std::string::npos)
    return {};
  const std::string name = callee.substr(callee.rfind('.') + 1);
  if (callee.find(".random.") != std::string::npos) {
    static const auto settings = words("seed default_rng get_state set_state RandomState Generator shuffle");
    const bool draws = std::find(settings.begin(), settings.end(), name) == settings.end();
    return draws ? Operation{OperationKind::kRandom, false, {}} : Operation{OperationKind::kScalar, false, {}};
  }
  if (name == "array" || name == "ascontiguousarray" || name == "asnumpy" || name == "astype")
    return Operation{OperationKind::kCopy, false, {}};
  // These share the memory of what they are given: a kernel that writes to them writes to the tensor.
  if (name == "asarray" || name == "asanyarray" || name == "fromDlpack" || name == "frombuffer")
    return Operation{OperationKind::kView, false, {}};
  if (const auto known = lookup_tensor(name)) {
    Operation operation = *known;
    operation.in_place = false;
    return operation;
  }
  return Operation{OperationKind::kUnclassified, false, {}};
}

Operation classify_tensor_attribute(const std::string& name) {
  if (const auto op = lookup_tensor(name)) return *op;
  return Operation{OperationKind::kMetadata, false, {}};
}

bool reads_contents(OperationKind kind) {
  switch (kind) {
    case OperationKind::kView:
    case OperationKind::kPartialView:
    case OperationKind::kAllocation:
    case OperationKind::kMetadata:
    case OperationKind::kNoneCheck:
    case OperationKind::kIdentity:
    case OperationKind::kContainer:
    case OperationKind::kHarmless:
      return false;
    default:
      return true;
  }
}

std::string operator_word(const std::string& callee) {
  std::string word = callee.substr(std::string_view("operator.").size());
  if (word.ends_with('_')) word.pop_back();
  return word;
}

}  // namespace kernel_audit::analysis::facts
