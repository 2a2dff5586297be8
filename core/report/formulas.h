// The formulas behind the items: expression in symbols and source, by id (catalog/formulas.json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace vram {

struct FormulaNote {
  std::string id;          ///< "F-4.1"
  std::string expression;  ///< "sum over layers of tokens * (kv_heads * head_dim + kv_heads * value_dim) * bytes"
  std::string source;
};

class Formulas {
 public:
  /// nullptr when there is no such formula.
  [[nodiscard]] const FormulaNote* find(std::string_view id) const;
  [[nodiscard]] const std::vector<FormulaNote>& notes() const { return notes_; }

  /// Reads {"formulas":[{"id","expression","source"}]}.
  static Result<Formulas> read(const json::Value& file);

 private:
  std::vector<FormulaNote> notes_;
};

}  // namespace vram
