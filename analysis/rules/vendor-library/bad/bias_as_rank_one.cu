// verdict: review
// shows: 3
#include <cublas_v2.h>
#include <torch/extension.h>

__global__ void scale_all(float* data, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

torch::Tensor linear(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
  int rows = x.size(0), inner = x.size(1), columns = weight.size(0);
  auto y = torch::empty({rows, columns}, x.options());
  auto ones = torch::ones({rows}, x.options());
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
  const float one = 1.0f, zero = 0.0f;
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, columns, rows, inner, &one, weight.data_ptr<float>(), inner,
              x.data_ptr<float>(), inner, &zero, y.data_ptr<float>(), columns);
  float *to = y.data_ptr<float>(), *by = ones.data_ptr<float>();
  cublasSger(handle, columns, rows, &one, bias.data_ptr<float>(), 1, by, 1, to, columns);  // expect: KA104
  scale_all<<<(rows * columns + 255) / 256, 256>>>(y.data_ptr<float>(), 0.5f, rows * columns);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &linear); }
