// verdict: review
// shows: 61, hidden by swapped pointers
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void step(const float* source, float* target, int width, int distance) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= width) return;
  const float* from = source + blockIdx.y * width;
  target[blockIdx.y * width + at] = from[at] + (at >= distance ? from[at - distance] : 0.f);
}

torch::Tensor forward(torch::Tensor x) {
  const int rows = x.size(0), width = x.size(1);
  auto y = torch::empty_like(x);
  auto source = x, target = y;
  for (int distance = 1; distance < width; distance *= 2) {
    step<<<dim3((width + 255) / 256, rows), 256, 0, at::cuda::getCurrentCUDAStream()>>>(  // expect: KA532
        source.data_ptr<float>(), target.data_ptr<float>(), width, distance);
    std::swap(source, target);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return source;  // expect: KA501
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
