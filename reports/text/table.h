// A plain text table: columns as wide as their widest cell, two blanks between them.
#pragma once

#include <string>
#include <vector>

namespace kernel_audit::reports {

struct Column {
  std::string title;
  bool right = false;  // aligned to the right: numbers
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells);  // as many as columns
  std::size_t width() const;
  std::string header() const;
  std::string row(std::size_t index) const;  // without blanks at the end
  std::size_t rows() const { return rows_.size(); }

 private:
  std::string line(const std::vector<std::string>& cells) const;
  std::size_t column_width(std::size_t column) const;
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace kernel_audit::reports
