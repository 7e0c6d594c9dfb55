// CUDA runtime, driver and device language, as far as candidates use them: declarations alone.
#pragma once
#include "/stubs/std.h"
#pragma clang force_cuda_host_device begin
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __NVCC__ 1
#define CUDART_CB
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_PI_F 3.141592654f
#define KA_VECTOR(T, n) struct n##1 { T x; }; struct n##2 { T x, y; }; struct n##3 { T x, y, z; }; struct __attribute__((aligned(sizeof(T) * 4 > 16 ? 16 : sizeof(T) * 4))) n##4 { T x, y, z, w; }; \
  n##1 make_##n##1(T); n##2 make_##n##2(T, T); n##3 make_##n##3(T, T, T); n##4 make_##n##4(T, T, T, T);
KA_VECTOR(char, char) KA_VECTOR(unsigned char, uchar) KA_VECTOR(short, short) KA_VECTOR(unsigned short, ushort) KA_VECTOR(int, int) KA_VECTOR(unsigned int, uint)
KA_VECTOR(long, long) KA_VECTOR(unsigned long, ulong) KA_VECTOR(long long, longlong) KA_VECTOR(unsigned long long, ulonglong) KA_VECTOR(float, float) KA_VECTOR(double, double)
struct dim3 { unsigned int x, y, z; constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {} constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {} operator uint3() const; };
extern const uint3 threadIdx, blockIdx; extern const dim3 blockDim, gridDim; extern const int warpSize;
struct CUstream_st; struct CUevent_st; struct CUgraph_st; struct CUgraphExec_st; struct CUgraphNode_st; struct CUfunc_st; struct CUmod_st; struct CUctx_st; struct CUmemPoolHandle_st; struct CUlib_st; struct CUkern_st; struct CUarray_st;
typedef CUstream_st* cudaStream_t; typedef CUevent_st* cudaEvent_t; typedef CUgraph_st* cudaGraph_t; typedef CUgraphExec_st* cudaGraphExec_t; typedef CUgraphNode_st* cudaGraphNode_t; typedef CUmemPoolHandle_st* cudaMemPool_t;
typedef CUstream_st* CUstream; typedef CUevent_st* CUevent; typedef CUfunc_st* CUfunction; typedef CUmod_st* CUmodule; typedef CUctx_st* CUcontext; typedef CUgraph_st* CUgraph; typedef CUgraphExec_st* CUgraphExec; typedef int CUdevice; typedef unsigned long long CUdeviceptr; typedef CUlib_st* CUlibrary; typedef CUkern_st* CUkernel; typedef CUarray_st* cudaArray_t;
enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorNotReady = 600, cudaErrorUnknown = 999 }; typedef cudaError cudaError_t; enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 }; typedef cudaError cudaError_enum;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventDisableTiming 2
#define cudaEventBlockingSync 1
#define cudaMemAttachGlobal 1
#define cudaHostAllocDefault 0
#define cudaHostAllocMapped 2
#define cudaHostRegisterDefault 0
#define CU_STREAM_NON_BLOCKING 1
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed }; enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive }; enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeNonPortableClusterSizeAllowed = 13 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual }; enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitPersistingL2CacheSize = 6 }; enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrL2CacheSize = 38, cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrWarpSize = 10, cudaDevAttrCooperativeLaunch = 95 };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte }; enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 }; enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_C_32F = 4, CUDA_R_32I = 10, CUDA_R_16BF = 14, CUDA_R_8F_E4M3 = 28 }; typedef cudaDataType_t cudaDataType; enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin; int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, memoryBusWidth, persistingL2CacheMaxSize, accessPolicyMaxWindowSize, concurrentKernels, cooperativeLaunch; };
struct cudaAccessPolicyWindow { void* base_ptr; size_t num_bytes; float hitRatio; cudaAccessProperty hitProp, missProp; }; union cudaStreamAttrValue { cudaAccessPolicyWindow accessPolicyWindow; int priority; }; typedef cudaStreamAttrValue cudaLaunchAttributeValue_; enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative, cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension, cudaLaunchAttributeProgrammaticStreamSerialization = 6, cudaLaunchAttributePriority = 8 }; typedef cudaLaunchAttributeID cudaStreamAttrID;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
struct cudaLaunchAttributeValue { cudaAccessPolicyWindow accessPolicyWindow; int cooperative, priority, programmaticStreamSerializationAllowed; struct { unsigned x, y, z; } clusterDim; }; struct cudaLaunchAttribute { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; }; struct cudaLaunchConfig_t { dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; cudaLaunchAttribute* attrs; unsigned numAttrs; };
struct cudaFuncAttributes { size_t sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion; }; struct cudaKernelNodeParams { void* func; dim3 gridDim, blockDim; unsigned sharedMemBytes; void** kernelParams; void** extra; }; struct cudaPointerAttributes { int type, device; void *devicePointer, *hostPointer; }; typedef unsigned long long cudaTextureObject_t; typedef unsigned long long cudaSurfaceObject_t; struct cudaChannelFormatDesc { int x, y, z, w, f; }; struct cudaExtent { size_t width, height, depth; }; struct cudaIpcMemHandle_t { char r[64]; }; typedef void (*cudaHostFn_t)(void*); typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
#define KA_API(n) template <class... A> cudaError_t n(A&&...);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0); extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0); template <class T> cudaError_t cudaLaunchKernel(T*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0); template <class T> cudaError_t cudaLaunchCooperativeKernel(T*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0); template <class F, class... A> cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t*, F*, A&&...); cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*); cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void*, unsigned);
cudaError_t cudaStreamCreate(cudaStream_t*); cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned); cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned, int); cudaError_t cudaStreamDestroy(cudaStream_t); cudaError_t cudaStreamSynchronize(cudaStream_t); cudaError_t cudaStreamQuery(cudaStream_t); cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0); cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode); cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*); cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus*); cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*); cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned = 0); cudaError_t cudaDeviceGetStreamPriorityRange(int*, int*);
cudaError_t cudaEventCreate(cudaEvent_t*); cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned); cudaError_t cudaEventCreate(cudaEvent_t*, unsigned); cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0); cudaError_t cudaEventSynchronize(cudaEvent_t); cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t); cudaError_t cudaEventDestroy(cudaEvent_t); cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned); cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long = 0); cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, cudaGraphNode_t*, char*, size_t); cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long = 0); cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t); cudaError_t cudaGraphExecDestroy(cudaGraphExec_t); cudaError_t cudaGraphDestroy(cudaGraph_t); cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
template <class T> cudaError_t cudaMalloc(T**, size_t); template <class T> cudaError_t cudaMallocAsync(T**, size_t, cudaStream_t); template <class T> cudaError_t cudaMallocManaged(T**, size_t, unsigned = 1); template <class T> cudaError_t cudaMallocHost(T**, size_t, unsigned = 0); template <class T> cudaError_t cudaHostAlloc(T**, size_t, unsigned); template <class T> cudaError_t cudaMallocPitch(T**, size_t*, size_t, size_t); cudaError_t cudaFree(void*); cudaError_t cudaFreeAsync(void*, cudaStream_t); cudaError_t cudaFreeHost(void*); cudaError_t cudaHostRegister(void*, size_t, unsigned); cudaError_t cudaHostUnregister(void*); template <class T> cudaError_t cudaHostGetDevicePointer(T**, void*, unsigned);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind); cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0); cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind); cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0); cudaError_t cudaMemcpyPeerAsync(void*, int, const void*, int, size_t, cudaStream_t = 0); cudaError_t cudaMemset(void*, int, size_t); cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0); template <class T> cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice); template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T&, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0); template <class T> cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost); template <class T> cudaError_t cudaGetSymbolAddress(void**, const T&); cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0); cudaError_t cudaMemGetInfo(size_t*, size_t*); cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
cudaError_t cudaGetLastError(); cudaError_t cudaPeekAtLastError(); const char* cudaGetErrorString(cudaError_t); const char* cudaGetErrorName(cudaError_t); cudaError_t cudaDeviceSynchronize(); cudaError_t cudaThreadSynchronize(); cudaError_t cudaGetDevice(int*); cudaError_t cudaSetDevice(int); cudaError_t cudaGetDeviceCount(int*); cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int); cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int); cudaError_t cudaDeviceSetLimit(cudaLimit, size_t); cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit); cudaError_t cudaCtxResetPersistingL2Cache(); cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache); cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig); cudaError_t cudaDeviceReset(); cudaError_t cudaRuntimeGetVersion(int*); cudaError_t cudaDriverGetVersion(int*); cudaError_t cudaProfilerStart(); cudaError_t cudaProfilerStop();
template <class T> cudaError_t cudaFuncSetAttribute(T*, cudaFuncAttribute, int); template <class T> cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache); template <class T> cudaError_t cudaFuncSetSharedMemConfig(T*, cudaSharedMemConfig); template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, T*); template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int*, int*, T, size_t = 0, int = 0); template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, T, int, size_t); cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*); cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned);
#define KA_DRIVER(X) X(cuInit) X(cuDeviceGet) X(cuDeviceGetCount) X(cuCtxCreate) X(cuCtxGetCurrent) X(cuCtxSetCurrent) X(cuCtxSynchronize) X(cuModuleLoad) X(cuModuleLoadData) X(cuModuleLoadDataEx) X(cuModuleLoadFatBinary) X(cuModuleUnload) X(cuModuleGetFunction) X(cuModuleGetGlobal) X(cuLibraryLoadData) X(cuLaunchKernel) X(cuLaunchKernelEx) X(cuLaunchCooperativeKernel) X(cuLaunchHostFunc) X(cuStreamCreate) X(cuStreamCreateWithPriority) X(cuStreamDestroy) X(cuStreamSynchronize) X(cuStreamWaitEvent) X(cuStreamBeginCapture) X(cuStreamEndCapture) X(cuEventCreate) X(cuEventRecord) X(cuEventSynchronize) X(cuEventElapsedTime) X(cuGraphLaunch) X(cuGraphInstantiate) X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxReset) X(cuCtxPushCurrent) X(cuCtxPopCurrent) X(cuCtxDestroy) X(cuGreenCtxCreate) X(cuLibraryLoadFromFile) X(cuLibraryGetKernel) X(cuLinkCreate) X(cuLinkAddData) X(cuLinkComplete) X(cuCtxSetLimit) X(cuStreamAddCallback) X(cuStreamSetAttribute) X(cuMemAlloc) X(cuMemFree) X(cuMemcpy) X(cuMemcpyAsync) X(cuMemcpyDtoH) X(cuMemcpyHtoD) X(cuMemcpyDtoD) X(cuMemcpyDtoDAsync) X(cuMemsetD8) X(cuMemsetD32) X(cuMemCreate) X(cuMemMap) X(cuPointerGetAttribute) X(cuGetErrorString) X(cuGetErrorName) X(cuFuncSetAttribute) X(cuDeviceGetAttribute) X(cuTensorMapEncodeTiled) X(cuGetProcAddress) X(cuOccupancyMaxActiveBlocksPerMultiprocessor)
#define KA_DRIVER1(n) template <class... A> CUresult n(A&&...);
KA_DRIVER(KA_DRIVER1)
struct CUtensorMap { unsigned long long opaque[16]; };
#include "/stubs/device.h"
#pragma clang force_cuda_host_device end
