#include "reports/text/table.h"

#include <algorithm>

#include "reports/text/printable.h"

namespace kernel_audit::reports {

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::size_t TextTable::column_width(std::size_t column) const {
  std::size_t width = display_width(columns_[column].title);
  for (const auto& cells : rows_) width = std::max(width, display_width(cells[column]));
  return width;
}

std::size_t TextTable::width() const {
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) total += column_width(i) + (i > 0 ? 2 : 0);
  return total;
}

std::string TextTable::line(const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string blanks(column_width(i) - display_width(cells[i]), ' ');
    if (i > 0) text += "  ";
    text += columns_[i].right ? blanks + cells[i] : cells[i] + blanks;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string TextTable::header() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return line(titles);
}

std::string TextTable::row(std::size_t index) const { return line(rows_[index]); }

}  // namespace kernel_audit::reports
