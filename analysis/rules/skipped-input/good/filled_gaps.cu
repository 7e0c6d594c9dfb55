// verdict: clean
// near: 71
#include <torch/extension.h>

__global__ void unrolled_kernel(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float a = 0.0f, b = 0.0f;
  for (int c = 0; c < columns; c += 2) {
    a += x[row * columns + c];
    b += x[row * columns + c + 1];
  }
  y[row] = a + b;
}
__global__ void vector_kernel(const float4* x, float* y, int rows, int quads) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int q = 0; q < quads; q += 2) {
    const float4 v = x[row * quads + q], w = x[row * quads + q + 1];
    sum += v.x + v.y + v.z + v.w + w.x + w.y + w.z + w.w;
  }
  y[row] = sum;
}
__global__ void reinterpreted_kernel(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; c += 4) {
    const float4 v = *reinterpret_cast<const float4*>(x + row * columns + c);
    sum += v.x + v.y + v.z + v.w;
  }
  y[row] = sum;
}
__global__ void tiled_kernel(const float* x, float* y, int columns) {
  float sum = 0.0f;
  for (int c = 0; c < columns; c += 32) {
    if (c + threadIdx.x < columns) sum += x[blockIdx.x * (size_t)columns + c + threadIdx.x];
  }
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
__global__ void inner_loop_kernel(const float* x, const float* scale, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; c += 128) {
    float part = 0.0f;
    for (int k = 0; k < 128; ++k) part += x[row * columns + c + k];
    sum += part * scale[c / 128];
  }
  y[row] = sum;
}
__global__ void row_tile_kernel(const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int r = 0; r < rows; r += 8) {
    if (r + threadIdx.y < rows) sum += x[(r + threadIdx.y) * columns + c];
  }
  atomicAdd(&y[c], sum);
}
__global__ void two_loops_kernel(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float even = 0.0f, odd = 0.0f;
  for (int c = 0; c < columns; c += 2) even += x[row * columns + c];
  for (int c = 1; c < columns; c += 2) odd += x[row * columns + c];
  y[row] = even - odd;
}
__global__ void rotated_kernel(const float* x, const float* twice_each, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; c += 2) {
    const float turn = twice_each[c];
    sum += x[row * columns + c] * turn - x[row * columns + c + 1] * turn;
  }
  y[row] = sum;
}
__global__ void moved_pointer_kernel(const float* x, float* y, int rows, int columns) {
  const float* at = x + blockIdx.x * (size_t)columns + threadIdx.x;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 128) {
    sum += *at;
    at += 128;
  }
  atomicAdd(&y[blockIdx.x], sum);
}
__global__ void step_argument_kernel(const float* x, float* y, int rows, int columns, int step) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; c += step) {
    for (int k = 0; k < step; ++k) sum += x[row * columns + c + k];
  }
  y[row] = sum;
}
__global__ void four_rows_kernel(const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  const float* at = x + c;
  float sum = 0.0f;
  for (int r = 0; r < rows; r += 4) {
    sum += at[0] + at[columns] + at[2 * columns] + at[3 * columns];
    at += 4 * columns;
  }
  y[c] = sum;
}
__device__ float lane_sum(const float* x, int n, int lane) {
  float sum = 0.0f;
  for (int k = lane; k < n; k += 32) sum += x[k];
  return sum;
}
__global__ void lanes_kernel(const float* x, float* y, int columns) {
  float sum = lane_sum(x + blockIdx.x * (size_t)columns, columns, threadIdx.x);
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
torch::Tensor forward(torch::Tensor x, torch::Tensor scale) {
  auto y = torch::zeros({x.size(0)}, x.options());
  const float* in = x.data_ptr<float>();
  const int rows = x.size(0), columns = x.size(1), blocks = (rows + 255) / 256;
  unrolled_kernel<<<blocks, 256>>>(in, y.data_ptr<float>(), rows, columns);
  vector_kernel<<<blocks, 256>>>(reinterpret_cast<const float4*>(in), y.data_ptr<float>(), rows, columns / 4);
  reinterpreted_kernel<<<blocks, 256>>>(in, y.data_ptr<float>(), rows, columns);
  tiled_kernel<<<rows, 32>>>(in, y.data_ptr<float>(), columns);
  inner_loop_kernel<<<blocks, 256>>>(in, scale.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  row_tile_kernel<<<dim3(columns / 32), dim3(32, 8)>>>(in, y.data_ptr<float>(), rows, columns);
  two_loops_kernel<<<blocks, 256>>>(in, y.data_ptr<float>(), rows, columns);
  lanes_kernel<<<rows, 32>>>(in, y.data_ptr<float>(), columns);
  moved_pointer_kernel<<<rows, 128>>>(in, y.data_ptr<float>(), rows, columns);
  step_argument_kernel<<<blocks, 256>>>(in, y.data_ptr<float>(), rows, columns, 8);
  four_rows_kernel<<<blocks, 256>>>(in, y.data_ptr<float>(), rows, columns);
  rotated_kernel<<<blocks, 256>>>(in, scale.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
