// verdict: clean
// near: 63
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

#include <utility>

// A pair from the host: how many blocks, and how many elements each of them takes.
std::pair<int, int> shape_of(int n) { return {(n + 1023) / 1024, 1024}; }

template <class F>
__device__ float block_sum(F value) {
  __shared__ float lanes[8];
  float sum = value();
  for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (threadIdx.x % 32 == 0) lanes[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < 8; ++w) sum += lanes[w];
  return sum;
}

template <int THREADS>
__global__ void sums(const float* x, float* partial, int n, float scale) {
  const float sum = block_sum([&] {
    float own = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) own += x[i];
    return own;
  });
  if (threadIdx.x == 0) partial[blockIdx.x] = sum * scale;
}

template <int THREADS>
void launch(const torch::Tensor& x, torch::Tensor& partial, int blocks) {
  auto kernel = sums<THREADS>;
  kernel<<<blocks, THREADS, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), partial.data_ptr<float>(),
                                                                   x.numel(), 1.0f / sqrtf((float)THREADS));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

torch::Tensor forward(torch::Tensor x) {
  auto [blocks, each] = shape_of(x.numel());
  auto partial = torch::empty({blocks}, x.options());
  launch<256>(x, partial, blocks);
  return partial;
}
