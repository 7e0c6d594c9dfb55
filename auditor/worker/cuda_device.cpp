// A CUDA GPU as a device. Arenas are allocations of their own (cuMemCreate, shared as a file descriptor; cudaIpc on
// dedicated blocks of whole 2 MiB as fallback); driver functions are looked up at run time, so that the binary starts
// without a driver. All work goes to the legacy default stream, which orders after every blocking stream.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "auditor/worker/cuda_kernels.h"
#include "auditor/worker/device.h"

namespace kernel_audit::worker {
namespace {

// A one-block probe reads %globaltimer every 0.1 µs on an idle H200 and shows holes of about 2.4 ms, one within 3 ms,
// while a kernel of another process is resident (measured there). 100 µs is far from both.
constexpr double kBusyGapNs = 100e3;
constexpr unsigned long long kProbeWindowNs = 4'000'000;
constexpr std::size_t kMostTogether = 65535;                      // items of one launch: the grid's second dimension
constexpr auto kMpsAttribute = static_cast<cudaDeviceAttr>(133);  // cudaDevAttrMpsEnabled, named since CUDA 12.5
constexpr std::size_t kIpcGranularity = std::size_t{2} << 20;

Error cuda_error(const char* call, const char* name, const char* file, int line) {
  return {ErrorKind::kTool, std::string(call) + " failed: " + name, file, std::to_string(line), ""};
}

// The one macro around calls of the runtime: call, file, line and error name are recorded.
#define KA_CUDA(call)                                                                                        \
  do {                                                                                                       \
    const cudaError_t ka_result = (call);                                                                    \
    if (ka_result != cudaSuccess) return cuda_error(#call, cudaGetErrorName(ka_result), __FILE__, __LINE__); \
  } while (false)

// The driver's name of an error, or its number where even that cannot be looked up.
std::string driver_error_name(CUresult result) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const char* name = nullptr;
  if (cudaGetDriverEntryPointByVersion("cuGetErrorName", &address, 12000, cudaEnableDefault, &found) == cudaSuccess &&
      found == cudaDriverEntryPointSuccess && address != nullptr &&
      reinterpret_cast<CUresult (*)(CUresult, const char**)>(address)(result, &name) == CUDA_SUCCESS &&
      name != nullptr) {
    return name;
  }
  return "error " + std::to_string(static_cast<int>(result));
}

// The same for the driver's functions.
#define KA_DRIVER(call)                                                                                                \
  do {                                                                                                                 \
    const CUresult ka_result = (call);                                                                                 \
    if (ka_result != CUDA_SUCCESS) return cuda_error(#call, driver_error_name(ka_result).c_str(), __FILE__, __LINE__); \
  } while (false)

struct DriverApi {
  CUresult (*mem_create)(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*,
                         unsigned long long) = nullptr;
  CUresult (*mem_release)(CUmemGenericAllocationHandle) = nullptr;
  CUresult (*mem_map)(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) = nullptr;
  CUresult (*mem_unmap)(CUdeviceptr, size_t) = nullptr;
  CUresult (*mem_set_access)(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) = nullptr;
  CUresult (*mem_export)(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long) = nullptr;
  CUresult (*mem_import)(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) = nullptr;
  CUresult (*mem_granularity)(size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) = nullptr;
  CUresult (*address_reserve)(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long) = nullptr;
  CUresult (*address_free)(CUdeviceptr, size_t) = nullptr;
};

template <typename Function>
Status look_up(const char* name, Function& function) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  KA_CUDA(cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess || address == nullptr) {
    return Error{ErrorKind::kTool, std::string("the driver has no ") + name, "", "",
                 "use a driver for CUDA 12.5 or newer"};
  }
  function = reinterpret_cast<Function>(address);
  return Ok{};
}

Result<DriverApi> load_driver_api() {
  DriverApi api;
  Status status = look_up("cuMemCreate", api.mem_create);
  if (status) status = look_up("cuMemRelease", api.mem_release);
  if (status) status = look_up("cuMemMap", api.mem_map);
  if (status) status = look_up("cuMemUnmap", api.mem_unmap);
  if (status) status = look_up("cuMemSetAccess", api.mem_set_access);
  if (status) status = look_up("cuMemExportToShareableHandle", api.mem_export);
  if (status) status = look_up("cuMemImportFromShareableHandle", api.mem_import);
  if (status) status = look_up("cuMemGetAllocationGranularity", api.mem_granularity);
  if (status) status = look_up("cuMemAddressReserve", api.address_reserve);
  if (status) status = look_up("cuMemAddressFree", api.address_free);
  if (!status) return status.error();
  return api;
}

class CudaDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> make(int index) {
    std::unique_ptr<CudaDevice> device(new CudaDevice);
    if (Status status = device->start(index); !status) return status.error();
    return std::unique_ptr<Device>(std::move(device));
  }

  ~CudaDevice() override {
    if (start_ != nullptr) cudaEventDestroy(start_);
    if (stop_ != nullptr) cudaEventDestroy(stop_);
    if (flush_buffer_ != nullptr) cudaFree(flush_buffer_);
    if (gap_result_ != nullptr) cudaFreeHost(gap_result_);
    if (copy_table_ != nullptr) cudaFree(copy_table_);
  }

  const char* kind() const override { return "cuda"; }
  std::string name() const override { return properties_.name; }
  std::size_t l2_bytes() const override { return static_cast<std::size_t>(properties_.l2CacheSize); }

  Status check_sharing() override {
    int mode = cudaComputeModeDefault, served = 0;
    KA_CUDA(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, index_));
    if (mode != cudaComputeModeDefault) {
      return Error{
          ErrorKind::kTool,
          "The GPU is in an exclusive or prohibited compute mode, and referee and candidate are two processes.", "", "",
          "set the compute mode to DEFAULT (nvidia-smi -c 0), or use another GPU"};
    }
    // Under the multi-process service kernels of two processes run side by side: neither the clock nor the gap probe
    // would mean what it says. Older drivers do not know the attribute; then the service is not told of.
    if (cudaDeviceGetAttribute(&served, kMpsAttribute, index_) != cudaSuccess) static_cast<void>(cudaGetLastError());
    if (served != 0) {
      return Error{ErrorKind::kTool,
                   "The GPU is shared through the multi-process service (MPS): kernels of two processes overlap.", "",
                   "", "stop the service (echo quit | nvidia-cuda-mps-control), or use another GPU"};
    }
    return Ok{};
  }

  Result<Arena> create_arena(std::size_t bytes) override {
    Result<Arena> arena = create_shareable(bytes);
    if (arena) return arena;
    Result<Arena> other = create_ipc(bytes);
    if (other) return other;
    return Error{ErrorKind::kMemory,
                 "No arena of " + std::to_string(bytes) + " bytes could be made: " + arena.error().describe() + "; " +
                     other.error().describe(),
                 "", "", ""};
  }

  Result<Arena> map_arena(process::Fd handle, const std::string& handle_kind, std::size_t bytes) override {
    if (handle_kind == "cumem") return map_shareable(std::move(handle), bytes);
    if (handle_kind == "ipc") return map_ipc(std::move(handle), bytes);
    return Error{ErrorKind::kProtocol, "CUDA maps no arena of kind " + handle_kind, "", "", ""};
  }

  void release_arena(Arena& arena) override {
    if (arena.data != nullptr && arena.handle_kind == "cumem") {
      const auto address = reinterpret_cast<CUdeviceptr>(arena.data);
      api_.mem_unmap(address, arena.bytes);
      api_.address_free(address, arena.bytes);
      api_.mem_release(arena.opaque);
    } else if (arena.data != nullptr && arena.opaque != 0) {
      cudaIpcCloseMemHandle(arena.data);
    } else if (arena.data != nullptr) {
      cudaFree(arena.data);
    }
    arena = Arena();
  }

  Status copy(void* destination, const void* source, std::size_t bytes) override {
    KA_CUDA(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, nullptr));
    return Ok{};
  }

  Status stage_copies(std::vector<CopyItem> items) override {
    staged_ = std::move(items);
    std::vector<DeviceCopy> table;
    largest_copy_ = 0;
    bool aligned = !staged_.empty() && staged_.size() <= kMostTogether;
    for (const CopyItem& item : staged_) {
      table.push_back({item.destination, item.source, item.bytes});
      largest_copy_ = std::max(largest_copy_, item.bytes);
      aligned = aligned && reinterpret_cast<std::uintptr_t>(item.destination) % 16 == 0 &&
                reinterpret_cast<std::uintptr_t>(item.source) % 16 == 0;
    }
    copies_together_ = aligned && largest_copy_ > 0;
    if (!copies_together_) return Ok{};
    if (table.size() > table_size_) {
      if (copy_table_ != nullptr) KA_CUDA(cudaFree(copy_table_));
      copy_table_ = nullptr;
      table_size_ = 0;
      KA_CUDA(cudaMalloc(reinterpret_cast<void**>(&copy_table_), table.size() * sizeof(DeviceCopy)));
      table_size_ = table.size();
    }
    KA_CUDA(cudaMemcpy(copy_table_, table.data(), table.size() * sizeof(DeviceCopy), cudaMemcpyHostToDevice));
    return Ok{};
  }

  Status copy_staged() override {
    if (!copies_together_) return Device::copy_staged();
    KA_CUDA(launch_copies(copy_table_, static_cast<unsigned>(staged_.size()), largest_copy_, nullptr));
    return Ok{};
  }

  Status fill(void* destination, std::uint8_t byte, std::size_t bytes) override {
    KA_CUDA(cudaMemsetAsync(destination, byte, bytes, nullptr));
    return Ok{};
  }

  Status synchronize() override {
    KA_CUDA(cudaDeviceSynchronize());
    return Ok{};
  }

  // Limit 0 and reset undo a persisting carve-out and its lines; then every line is replaced by one of ours.
  Status flush_cache() override {
    if (properties_.persistingL2CacheMaxSize > 0) {
      KA_CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
      KA_CUDA(cudaCtxResetPersistingL2Cache());
    }
    if (flush_buffer_ == nullptr) {
      flush_words_ = 2 * l2_bytes() / sizeof(std::uint64_t);
      KA_CUDA(cudaMalloc(&flush_buffer_, flush_words_ * sizeof(std::uint64_t)));
      KA_CUDA(cudaMemsetAsync(flush_buffer_, 0, flush_words_ * sizeof(std::uint64_t), nullptr));
    }
    KA_CUDA(launch_flush(static_cast<std::uint64_t*>(flush_buffer_), flush_words_, nullptr));
    KA_CUDA(cudaDeviceSynchronize());
    return Ok{};
  }

  Result<GapProbe> gap_probe() override {
    if (gap_result_ == nullptr)
      KA_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&gap_result_), sizeof(GapResult), cudaHostAllocMapped));
    *gap_result_ = {0, 0};
    KA_CUDA(launch_gap_probe(gap_result_, kProbeWindowNs, nullptr));
    KA_CUDA(cudaDeviceSynchronize());
    GapProbe probe;
    probe.longest_gap_ns = static_cast<double>(gap_result_->longest_ns);
    probe.window_ns = static_cast<double>(gap_result_->window_ns);
    probe.idle = probe.window_ns > 0 && probe.longest_gap_ns < kBusyGapNs;
    return probe;
  }

  Status record_start() override {
    KA_CUDA(cudaEventRecord(start_, nullptr));
    return Ok{};
  }

  Status record_stop() override {
    KA_CUDA(cudaEventRecord(stop_, nullptr));
    return Ok{};
  }

  std::optional<double> elapsed_ns() override {
    float milliseconds = 0;
    if (cudaEventSynchronize(stop_) != cudaSuccess || cudaEventElapsedTime(&milliseconds, start_, stop_) != cudaSuccess)
      return std::nullopt;
    return static_cast<double>(milliseconds) * 1e6;
  }

  Status spin(std::uint64_t duration_ns, void* stream) override {
    KA_CUDA(launch_spin(duration_ns, static_cast<cudaStream_t>(stream)));
    return Ok{};
  }

 private:
  CudaDevice() = default;

  Status start(int index) {
    KA_CUDA(cudaSetDevice(index));
    index_ = index;
    KA_CUDA(cudaGetDeviceProperties(&properties_, index));
    KA_CUDA(cudaEventCreate(&start_));
    KA_CUDA(cudaEventCreate(&stop_));
    Result<DriverApi> api = load_driver_api();
    if (!api) return api.error();
    api_ = *api;
    // Modules are loaded at the first launch; that must not fall into a capture or a timed window.
    KA_CUDA(launch_spin(0, nullptr));
    KA_CUDA(cudaDeviceSynchronize());
    return Ok{};
  }

  CUmemAllocationProp allocation_properties() const {
    CUmemAllocationProp properties;
    std::memset(&properties, 0, sizeof(properties));
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = index_;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return properties;
  }

  // Maps `arena.opaque` (an allocation handle) at a fresh address, readable and writable by this device. On an error
  // nothing is kept.
  Result<Arena> map_handle(Arena arena) {
    CUdeviceptr address = 0;
    const Status mapped = map_at(arena, address);
    if (mapped) {
      arena.data = reinterpret_cast<void*>(address);
      return arena;
    }
    if (address != 0) {
      api_.mem_unmap(address, arena.bytes);
      api_.address_free(address, arena.bytes);
    }
    api_.mem_release(arena.opaque);
    return mapped.error();
  }

  Status map_at(const Arena& arena, CUdeviceptr& address) {
    KA_DRIVER(api_.address_reserve(&address, arena.bytes, 0, 0, 0));
    KA_DRIVER(api_.mem_map(address, arena.bytes, 0, arena.opaque, 0));
    CUmemAccessDesc access;
    std::memset(&access, 0, sizeof(access));
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = index_;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    KA_DRIVER(api_.mem_set_access(address, arena.bytes, &access, 1));
    return Ok{};
  }

  Result<Arena> create_shareable(std::size_t bytes) {
    const CUmemAllocationProp properties = allocation_properties();
    std::size_t granularity = 0;
    KA_DRIVER(api_.mem_granularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    Arena arena;
    arena.handle_kind = "cumem";
    arena.bytes = (bytes + granularity - 1) / granularity * granularity;
    CUmemGenericAllocationHandle handle = 0;
    KA_DRIVER(api_.mem_create(&handle, arena.bytes, &properties, 0));
    arena.opaque = handle;
    int descriptor = -1;
    KA_DRIVER(api_.mem_export(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    arena.handle = process::Fd(descriptor);
    return map_handle(std::move(arena));
  }

  Result<Arena> map_shareable(process::Fd handle, std::size_t bytes) {
    Arena arena;
    arena.handle_kind = "cumem";
    arena.bytes = bytes;
    CUmemGenericAllocationHandle allocation = 0;
    KA_DRIVER(api_.mem_import(&allocation, reinterpret_cast<void*>(static_cast<std::intptr_t>(handle.get())),
                              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    arena.opaque = allocation;
    arena.handle = std::move(handle);
    return map_handle(std::move(arena));
  }

  // The fallback: a block of whole 2 MiB of its own, so that the handle exposes no neighbour. The handle's bytes
  // travel in a memfd.
  Result<Arena> create_ipc(std::size_t bytes) {
    Arena arena;
    arena.handle_kind = "ipc";
    arena.bytes = (bytes + kIpcGranularity - 1) / kIpcGranularity * kIpcGranularity;
    KA_CUDA(cudaMalloc(&arena.data, arena.bytes));
    cudaIpcMemHandle_t handle;
    KA_CUDA(cudaIpcGetMemHandle(&handle, arena.data));
    arena.handle = process::Fd(::memfd_create("cuda-ipc", MFD_CLOEXEC));
    if (::pwrite(arena.handle.get(), &handle, sizeof(handle), 0) != static_cast<ssize_t>(sizeof(handle))) {
      return Error{ErrorKind::kTool, "the IPC handle could not be stored", "", "", ""};
    }
    return arena;
  }

  Result<Arena> map_ipc(process::Fd descriptor, std::size_t bytes) {
    cudaIpcMemHandle_t handle;
    if (::pread(descriptor.get(), &handle, sizeof(handle), 0) != static_cast<ssize_t>(sizeof(handle))) {
      return Error{ErrorKind::kProtocol, "the arena's IPC handle is incomplete", "", "", ""};
    }
    Arena arena;
    arena.handle_kind = "ipc";
    arena.bytes = bytes;
    arena.opaque = 1;  // imported: closed, not freed
    KA_CUDA(cudaIpcOpenMemHandle(&arena.data, handle, cudaIpcMemLazyEnablePeerAccess));
    arena.handle = std::move(descriptor);
    return arena;
  }

  int index_ = 0;
  cudaDeviceProp properties_ = {};
  DriverApi api_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  void* flush_buffer_ = nullptr;
  std::size_t flush_words_ = 0;
  GapResult* gap_result_ = nullptr;
  DeviceCopy* copy_table_ = nullptr;
  std::size_t table_size_ = 0, largest_copy_ = 0;
  bool copies_together_ = false;
};

}  // namespace

Result<std::unique_ptr<Device>> make_cuda_device(int index) { return CudaDevice::make(index); }

}  // namespace kernel_audit::worker
