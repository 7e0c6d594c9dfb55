// verdict: review
// shows: 71, hidden by a method
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

struct Survivors {
  float* kept;
  int* count;
  __device__ void offer(float v) {
    if (v > 2.5f) {
      const int place = atomicAdd(count, 1);
      if (place < 256) kept[place] = v;  // expect: KA814
    }
  }
};

__global__ void row_sums_of_large(const float* x, float* y, int n) {
  __shared__ float kept[256];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  Survivors survivors{kept, &count};
  for (int i = threadIdx.x; i < n; i += blockDim.x) survivors.offer(x[(size_t)blockIdx.x * n + i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.f;
    for (int i = 0; i < min(count, 256); ++i) sum += kept[i];
    y[blockIdx.x] = sum;
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_sums_of_large<<<x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                             x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
