// verdict: clean
// near: 33
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void scaled(const float* x, float* y, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * factor;
}

struct Job {
  int blocks;
  float factors[2];
};

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Job* job = new Job{static_cast<int>((x.numel() + 255) / 256), {2.0f, 3.0f}};
  float* copy = new float[2];
  copy[0] = job->factors[0];
  scaled<<<job->blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(),
                                                                    copy[0]);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  delete[] copy;
  delete job;
  return y;
}
