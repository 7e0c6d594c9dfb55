// verdict: clean
// near: 64, what a lambda reads for a helper that stands before it
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

template <class F>
__device__ float sum_of(int from, int to, int step, float* shared, F term) {
  float sum = 0.0f;
  for (int i = from; i < to; i += step) sum += term(i);
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}
__global__ void distance(const float* a, const float* b, float* y, int n) {
  __shared__ float shared[256];
  const float* left = a + (long)blockIdx.x * n;
  const float* right = b + (long)blockIdx.x * n;
  float sum = sum_of(threadIdx.x, n, blockDim.x, shared, [=](int i) { return (left[i] - right[i]) * (left[i] - right[i]); });
  if (threadIdx.x == 0) y[blockIdx.x] = sum / n;
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  auto y = torch::empty({a.size(0)}, a.options());
  const float *pa = a.data_ptr<float>(), *pb = b.data_ptr<float>();
  float* py = y.data_ptr<float>();
  int n = a.size(1);
  void* args[] = {&pa, &pb, &py, &n};
  C10_CUDA_CHECK(cudaLaunchCooperativeKernel((void*)distance, dim3(a.size(0)), dim3(256), args, 0, 0));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
