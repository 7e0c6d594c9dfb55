// verdict: clean
// near: 94
#include <torch/extension.h>
#include <c10/cuda/CUDACachingAllocator.h>

__global__ void partial_sums(const float* x, float* parts, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  atomicAdd(parts + blockIdx.x, sum);
}
__global__ void add_parts(const float* parts, float* out, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += parts[i];
  *out = sum;
}
torch::Tensor forward(torch::Tensor x) {
  int device = 0, blocks = 0;
  C10_CUDA_CHECK(cudaGetDevice(&device));
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
  c10::DataPtr scratch = c10::cuda::CUDACachingAllocator::get()->allocate(blocks * sizeof(float));
  auto* parts = static_cast<float*>(scratch.get());
  auto stream = c10::cuda::getCurrentCUDAStream();
  auto out = torch::empty({}, x.options());
  C10_CUDA_CHECK(cudaMemsetAsync(parts, 0, blocks * sizeof(float), stream));
  partial_sums<<<blocks, 256, 0, stream>>>(x.data_ptr<float>(), parts, x.numel());
  add_parts<<<1, 1, 0, stream>>>(parts, out.data_ptr<float>(), blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
