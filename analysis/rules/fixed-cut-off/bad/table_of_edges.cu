// verdict: review
// shows: 71, edges in a table and a pool that takes what is above
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__constant__ float kEdges[3] = {1.65f, 2.33f, 3.09f};

struct Pool {
  float held[512];
  int count;
  __device__ void take(float value) {
    int at = atomicAdd(&count, 1);
    if (at < 512) held[at] = value;
  }
};

__global__ void largest(const float* x, float* y, int n, int level) {
  __shared__ Pool pool;
  if (threadIdx.x == 0) pool.count = 0;
  __syncthreads();
  const float edge = kEdges[level];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float value = x[(size_t)blockIdx.x * n + i];
    if (value > edge) pool.take(value);  // expect: KA814
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) y[blockIdx.x * 64 + i] = pool.held[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0), 64}, x.options());
  largest<<<x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                   x.size(1), x.size(1) > 4096 ? 2 : 1);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
