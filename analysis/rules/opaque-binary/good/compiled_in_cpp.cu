// verdict: clean
// near: 94
#include <ATen/cuda/CUDAContext.h>
#include <cuda.h>
#include <nvrtc.h>
#include <torch/extension.h>

#include <string>
#include <vector>

static const char* kSource = R"(
extern "C" __global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
})";

static std::vector<char> compile(const std::string& source) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source.c_str(), "scale.cu", 0, nullptr, nullptr);
  const char* options[] = {"--gpu-architecture=compute_80"};
  nvrtcCompileProgram(program, 1, options);
  size_t size;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> image(size);
  nvrtcGetPTX(program, image.data());
  nvrtcDestroyProgram(&program);
  return image;
}

static CUfunction build() {
  std::vector<char> image = compile(kSource);
  CUmodule module;
  CUfunction function;
  cuModuleLoadData(&module, image.data());
  cuModuleGetFunction(&function, module, "scale_kernel");
  return function;
}

torch::Tensor forward(torch::Tensor x) {
  static CUfunction function = build();
  auto y = torch::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  int n = x.numel();
  void* args[] = {&from, &to, &n};
  cuLaunchKernel(function, (n + 255) / 256, 1, 1, 256, 1, 1, 0, at::cuda::getCurrentCUDAStream(), args, nullptr);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
