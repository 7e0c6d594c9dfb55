// verdict: clean
// near: 27
#include <torch/extension.h>

namespace lanes {
std::array<cudaStream_t, 3> all;
std::once_flag made;
std::atomic<unsigned> turn{0};
cudaStream_t next() {
  std::call_once(made, [] { for (auto& each : all) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking); });
  return all[turn++ % all.size()];
}
}  // namespace lanes

__global__ void sign_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = copysignf(1.0f, x[i]);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const cudaStream_t lane = lanes::next();
  sign_kernel<<<(x.numel() + 255) / 256, 256, 0, lane>>>(x.data_ptr<float>(), y.data_ptr<float>(),  // expect: KA302
                                                                  x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaEventRecord(done, lane);
  cudaStreamWaitEvent(c10::cuda::getCurrentCUDAStream(), done, 0);
  cudaEventDestroy(done);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
