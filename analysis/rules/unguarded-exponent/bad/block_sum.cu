// verdict: review
// shows: 72, in a reduction of the block and an instruction
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__device__ float power(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 1.4426950408889634f));  // expect: KA422, KA815
  return y;
}

__device__ float block_sum(float value) {
  __shared__ float warps[8];
  for (int lane = 16; lane > 0; lane >>= 1) value += __shfl_xor_sync(0xffffffffu, value, lane);
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = value;
  __syncthreads();
  float total = 0.f;
  for (int warp = 0; warp < 8; ++warp) total += warps[warp];
  return total;
}

__global__ void softmax(const float* x, float* y, int width) {
  const float weight = power(x[blockIdx.x * width + threadIdx.x]);
  const float total = block_sum(weight);
  y[blockIdx.x * width + threadIdx.x] = __fdiv_rn(weight, total);
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.size(1) == 256);
  auto y = torch::empty_like(x);
  softmax<<<x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
