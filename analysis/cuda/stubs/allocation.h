// Read as text behind the precompiled stubs: of the functions that Clang declares by itself once for the host and once
// for the device, it finds the device's alone in them.
void* operator new(decltype(sizeof(0)));
void* operator new[](decltype(sizeof(0)));
void operator delete(void*) noexcept;
void operator delete[](void*) noexcept;
