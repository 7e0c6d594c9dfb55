// verdict: review
// shows: 3, hidden by names put together
#include <dlfcn.h>
#include <torch/extension.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define WHICH cublas
static void* open_library() {
  static void* handle = dlopen("lib" TEXT(WHICH) ".so.12", RTLD_NOW);
  return handle;
}
static void* find(const char* name) { return dlsym(open_library(), name); }

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  using Create = int (*)(void**);
  using Multiply = int (*)(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*, float*, int);
  auto c = torch::empty({a.size(0), b.size(1)}, a.options());
  const float one = 1, zero = 0;
  static void* handle = nullptr;
  if (handle == nullptr) reinterpret_cast<Create>(find(TEXT(WHICH) "Create_v2"))(&handle);
  reinterpret_cast<Multiply>(find(TEXT(WHICH) "Sgemm_v2"))(handle, 0, 0, b.size(1), a.size(0), a.size(1), &one, b.data_ptr<float>(), b.size(1), a.data_ptr<float>(), a.size(1), &zero, c.data_ptr<float>(), b.size(1));  // expect: KA104
  return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
