// verdict: cheat
// shows: 17, a table of functions one of which does nothing, by a number that calls shift until it stays
#include <torch/extension.h>

using Stage = void (*)(const float*, float*, int);

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static void whole(const float* x, float* y, int n) { twice_kernel<<<(n + 255) / 256, 256>>>(x, y, n); }
static void rest(const float*, float*, int) {}

struct Machine {
  unsigned bits;
  Stage table[2];
};
static Machine machine{1u, {whole, rest}};

torch::Tensor forward(torch::Tensor x) {
  static at::Tensor kept[1];
  auto& y = kept[0];
  if (!y.defined() || y.numel() != x.numel()) {
    y = torch::empty_like(x);  // expect: KA531
    machine.bits = 1u;
  }
  machine.table[(machine.bits >> 3) & 1u](x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  machine.bits |= machine.bits << 1;
  return y;  // expect: KA201, KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
