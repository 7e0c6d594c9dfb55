// verdict: clean
// near: 27
#include <torch/extension.h>

static void prepare(cudaStream_t& stream) {
  int least = 0, most = 0;
  cudaDeviceGetStreamPriorityRange(&least, &most);
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, most);
}

__global__ void abs_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fabsf(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  static cudaStream_t lane = nullptr;
  if (lane == nullptr) prepare(lane);
  auto y = torch::empty_like(x);
  abs_kernel<<<x.numel() / 256 + 1, 256, 0, lane>>>(x.data_ptr<float>(), y.data_ptr<float>(),  // expect: KA302
                                                    x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  cudaStreamSynchronize(lane);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
