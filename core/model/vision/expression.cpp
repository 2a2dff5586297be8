#include "core/model/vision/expression.h"

#include <algorithm>
#include <array>

namespace vram::vision {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40U;
constexpr char kRound8 = 'r';
constexpr char kEqual = '=';
constexpr std::size_t kStack = 16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Precedence climbing over one word.
class Compiler {
 public:
  explicit Compiler(std::string_view word) : rest_(word) {}

  std::optional<Expression> run() {
    if (!ternary() || !rest_.empty()) return std::nullopt;
    return std::move(steps_);
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void push(ExpressionStep::Kind kind, std::int64_t value) { steps_.push_back({kind, value}); }
  void operation(char c) { push(ExpressionStep::Kind::operation, c); }

  bool ternary() {
    if (++depth_ > 12 || !comparison()) return false;
    --depth_;
    if (!take('?')) return true;
    if (!ternary() || !take(':') || !ternary()) return false;
    operation('?');
    return true;
  }
  bool comparison() {
    if (!sum()) return false;
    for (;;) {
      char op = 0;
      if (take('<'))
        op = '<';
      else if (take('>'))
        op = '>';
      else if (rest_.substr(0, 2) == "==")
        op = kEqual, rest_.remove_prefix(2);
      if (op == 0) return true;
      if (!sum()) return false;
      operation(op);
    }
  }
  bool sum() {
    if (!product()) return false;
    while (!rest_.empty() && (rest_.front() == '+' || rest_.front() == '-')) {
      const char op = rest_.front();
      rest_.remove_prefix(1);
      if (!product()) return false;
      operation(op);
    }
    return true;
  }
  bool product() {
    if (!atom()) return false;
    while (!rest_.empty() && (rest_.front() == '*' || rest_.front() == '/' || rest_.front() == '%')) {
      const char op = rest_.front();
      rest_.remove_prefix(1);
      if (!atom()) return false;
      operation(op);
    }
    return true;
  }
  bool atom() {
    if (take('(')) return ternary() && take(')');
    if (rest_.empty()) return false;
    std::size_t length = 0;
    if (is_digit(rest_.front())) {
      std::int64_t value = 0;
      while (length < rest_.size() && is_digit(rest_[length])) {
        value = std::min(kLargest, value * 10 + (rest_[length++] - '0'));
      }
      rest_.remove_prefix(length);
      push(ExpressionStep::Kind::number, value);
      return true;
    }
    if (!is_letter(rest_.front())) return false;
    while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length]))) ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (name == "r8" && take('(')) {
      if (!ternary() || !take(')')) return false;
      operation(kRound8);
      return true;
    }
    push(ExpressionStep::Kind::variable, name_id(name));
    return true;
  }

  std::string_view rest_;
  Expression steps_;
  int depth_ = 0;
};

std::int64_t round8(std::int64_t x) {
  const std::int64_t nearest = std::max<std::int64_t>(8, (x + 4) / 8 * 8);
  return nearest * 10 < x * 9 ? nearest + 8 : nearest;
}

std::int64_t clamp(std::int64_t x) { return std::clamp(x, -kLargest, kLargest); }

std::int64_t apply(char op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case '+': return clamp(a + b);
    case '-': return clamp(a - b);
    case '*': {
      std::int64_t product = 0;
      return __builtin_mul_overflow(a, b, &product) ? kLargest : clamp(product);
    }
    case '/': return b == 0 ? 0 : a / b;
    case '%': return b == 0 ? 0 : a % b;
    case '<': return a < b ? 1 : 0;
    case '>': return a > b ? 1 : 0;
    default: return a == b ? 1 : 0;
  }
}

}  // namespace

std::optional<Expression> compile_expression(std::string_view word) { return Compiler(word).run(); }

std::optional<std::int64_t> evaluate(const Expression& expression, const Environment& environment) {
  std::array<std::int64_t, kStack> stack{};
  std::size_t size = 0;
  for (const ExpressionStep& step : expression) {
    if (step.kind == ExpressionStep::Kind::operation) {
      const auto op = static_cast<char>(step.value);
      if (op == kRound8) {
        stack[size - 1] = round8(stack[size - 1]);
      } else if (op == '?') {
        size -= 2;
        stack[size - 1] = stack[size - 1] != 0 ? stack[size] : stack[size + 1];
      } else {
        --size;
        stack[size - 1] = apply(op, stack[size - 1], stack[size]);
      }
      continue;
    }
    if (size == kStack) return std::nullopt;
    if (step.kind == ExpressionStep::Kind::number) {
      stack[size++] = step.value;
      continue;
    }
    const auto found = std::find_if(environment.rbegin(), environment.rend(), [&](const Variable& variable) {
      return variable.name == static_cast<std::uint32_t>(step.value);
    });
    if (found == environment.rend()) return std::nullopt;
    stack[size++] = found->value;
  }
  return size == 1 ? std::optional(stack[0]) : std::nullopt;
}

}  // namespace vram::vision
