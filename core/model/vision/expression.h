// Whole-number expressions of graph descriptions: "w*4", "c/4", "i?1:s", "r8(e*c)".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vram::vision {

/// Names stand for themselves by a hash (FNV-1a): descriptions need no common table.
constexpr std::uint32_t name_id(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// One step of a compiled expression: a number, a variable, or an operation on the stack.
struct ExpressionStep {
  enum class Kind : std::uint8_t { number, variable, operation } kind = Kind::number;
  std::int64_t value = 0;  ///< the number, the variable's name, or the operation's character
};
using Expression = std::vector<ExpressionStep>;

/// Values of variables; later entries hide earlier ones.
struct Variable {
  std::uint32_t name = 0;
  std::int64_t value = 0;
};
using Environment = std::vector<Variable>;

/// Compiles one word without spaces; empty when it is no expression.
std::optional<Expression> compile_expression(std::string_view word);

/// Operators: ?: < > == + - * / (rounds down) %, parentheses, r8(x) = the multiple of 8 nearest to x and no more than a
/// tenth below it (the rule of MobileNet and EfficientNet). Division by 0 gives 0; an unknown variable gives nothing.
std::optional<std::int64_t> evaluate(const Expression& expression, const Environment& environment);

}  // namespace vram::vision
