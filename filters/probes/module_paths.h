// Which nn.Module is running: global forward hooks of torch keep a stack of module paths while one of these is
// alive. The first module that is called is the model; paths are as named_modules() gives them.
// Includes no Python header, so that only its source pays for them.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace kernel_audit::filters {

struct ModuleInfo {
  std::string path;  // "" is the model
  std::string type;
  int parameters = 0;  // of its own, without its children's
  int children = 0;
  bool called = false;
};

class ModulePaths {
 public:
  ModulePaths();   // needs the interpreter; takes the GIL
  ~ModulePaths();  // takes the GIL
  ModulePaths(const ModulePaths&) = delete;
  ModulePaths& operator=(const ModulePaths&) = delete;

  bool inside() const;  // is the model's forward running?
  // The innermost module that is running; {"", ""} outside.
  const ModuleInfo& innermost() const;
  const std::vector<ModuleInfo>& modules() const;  // of the model, once it was called
  std::shared_ptr<void> model() const;             // its Python object, once it was called

 private:
  struct State;  // holds Python objects
  std::shared_ptr<State> state_;
};

}  // namespace kernel_audit::filters
