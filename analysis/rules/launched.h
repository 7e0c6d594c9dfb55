// One launch of a kernel with the numbers that the host gives it, as far as they are known.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_extent.h"

namespace kernel_audit::analysis::rules {

double size_of(std::string type);  // bytes of an element, 0 where the type is not known

class Launched {
 public:
  Launched(const facts::Model& model, HostNumbers& host, const facts::StatementRef& where, facts::ContextId context);

  facts::Id argument_of(std::size_t parameter) const;
  std::optional<double> elements(std::size_t parameter);
  std::optional<HostNumbers::Part> part(std::size_t parameter);
  std::optional<double> elements_of_whole(const HostNumbers::Part& part);
  // Bytes of an element of the tensor, where the kernel's pointer may count in vectors; 0 when that is not known.
  double element_size(std::size_t parameter, double pointed) const;
  bool known() const;
  const std::vector<double>& block() const { return block_; }
  const std::vector<double>& grid() const { return grid_; }
  const std::map<facts::Id, double>& numbers() const { return numbers_; }
  const KernelExtent::Fields& fields() const { return fields_; }

 private:
  double size_behind(facts::Id function, facts::Id at, int depth = 0) const;

  const facts::Model& model_;
  HostNumbers& host_;
  const facts::Statement& statement_;
  facts::StatementRef where_;
  facts::Id kernel_;
  int frame_ = -1;
  std::vector<double> grid_, block_;
  std::map<facts::Id, double> numbers_;
  KernelExtent::Fields fields_;
};

}  // namespace kernel_audit::analysis::rules
