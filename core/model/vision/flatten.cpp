// Descriptions with their numbers filled in: a flat list of operations.
#include <algorithm>

#include "core/model/vision/program.h"

namespace vram::vision {
namespace {

constexpr std::size_t kMostOperations = 20000;
constexpr std::int64_t kMostRepeats = 4096;
constexpr std::size_t kDepth = 48;
constexpr std::uint32_t kChannels = name_id("c"), kIndex = name_id("i"), kRow = name_id("row"),
                        kClasses = name_id("classes");

struct NamedValue {
  std::uint32_t name = 0, value = 0;
};

/// Fixed properties of an operation word, looked up once.
struct Known {
  std::array<std::int32_t, kParameters> defaults{};
};

Known known_of(Op op) {
  Known known;
  for (const Signature& signature : signatures()) {
    if (signature.op != op) continue;
    bool required = false;
    for (std::size_t i = 0; i < kParameters; ++i) {
      known.defaults[i] = static_cast<std::int32_t>(parameter_default(signature, static_cast<int>(i), required));
    }
  }
  return known;
}

class Flattener {
 public:
  Flattener(const Program& program, std::int64_t classes) : program_(&program) {
    environment_ = program.variables;
    environment_.push_back({kClasses, classes});
    environment_.push_back({kChannels, 0});
    channels_.push_back(program.input_channels);
    graph_.input_channels = program.input_channels;
    for (std::size_t op = 0; op < known_.size(); ++op) known_[op] = known_of(static_cast<Op>(op));
  }

  Result<Graph> run() {
    body(program_->body, 0);
    if (error_) return *error_;
    graph_.last_use.assign(graph_.values, 0);
    for (std::size_t i = 0; i < graph_.operations.size(); ++i) {
      graph_.last_use[graph_.operations[i].result] = static_cast<std::uint32_t>(i);
      for (const std::uint32_t value : graph_.inputs_of(graph_.operations[i])) {
        graph_.last_use[value] = static_cast<std::uint32_t>(i);
      }
    }
    return std::move(graph_);
  }

 private:
  void fail(std::string_view what) {
    if (!error_) error_ = Error{ErrorCode::unknown_choice, "graph", std::string(what), "", 0};
  }
  std::int64_t number(const Expression& expression) {
    environment_[channels_slot()].value = channels_[current_];
    const auto value = evaluate(expression, environment_);
    if (!value) fail("a variable that nobody sets");
    return value.value_or(0);
  }
  /// `c` stands behind the program's own variables and `classes`.
  [[nodiscard]] std::size_t channels_slot() const { return program_->variables.size() + 1; }

  const NamedValue* find(std::uint32_t name) const {
    const auto found =
        std::find_if(values_.rbegin(), values_.rend(), [&](const NamedValue& v) { return v.name == name; });
    return found == values_.rend() ? nullptr : &*found;
  }
  std::uint32_t value_of(std::uint32_t name) {
    const NamedValue* const found = find(name);
    if (found == nullptr) fail("a value that nobody names");
    return found == nullptr ? 0 : found->value;
  }

  /// Exported names stand in front, so that they outlive the scopes; a later export replaces an earlier one.
  void export_value(std::uint32_t name) {
    for (std::size_t i = 0; i < scope_; ++i) {
      if (values_[i].name != name) continue;
      values_[i].value = current_;
      return;
    }
    values_.insert(values_.begin(), {name, current_});
    ++scope_;
  }

  void body(const Body& statements, std::size_t depth) {
    if (depth > kDepth) return fail("blocks within blocks");
    for (const Statement& statement : statements) {
      if (error_) return;
      run(statement, depth);
    }
  }

  void run(const Statement& statement, std::size_t depth) {
    switch (statement.form) {
      case Form::operation: return operation(statement);
      case Form::block: return block(statement, depth);
      case Form::residual: return residual(statement, depth);
      case Form::branches: return branches(statement, depth);
      case Form::repeat: return repeat(statement, depth);
      case Form::stages: return stages(statement, depth);
      case Form::condition: {
        if (number(statement.arguments[0].value) != 0) return body(statement.bodies[0], depth + 1);
        if (statement.bodies.size() > 1) return body(statement.bodies[1], depth + 1);
        return;
      }
      case Form::name_value: values_.push_back({statement.values[0], current_}); return;
      case Form::export_value: return export_value(statement.values[0]);
      case Form::take_value: current_ = value_of(statement.values[0]); return;
      case Form::each: return each(statement, depth);
      case Form::stage:
        stage_ = static_cast<std::uint8_t>(std::clamp<std::int64_t>(number(statement.arguments[0].value), 0, 255));
        return;
      case Form::push: skips_.push_back(current_); return;
      case Form::pop: return pop();
      case Form::unit: {
        unit_begins_ = true;
        return body(statement.bodies[0], depth + 1);
      }
    }
  }

  Operation& push(Op op, std::uint32_t input) {
    Operation& operation = graph_.operations.emplace_back();
    operation.op = op;
    operation.stage = stage_;
    operation.shared = shared_;
    operation.checkpointed = unit_begins_;
    operation.row = row_begins_;
    operation.rows_end = rows_end_;
    unit_begins_ = row_begins_ = rows_end_ = false;
    operation.first = static_cast<std::uint32_t>(graph_.operands.size());
    operation.inputs = 1;
    graph_.operands.push_back(input);
    operation.result = graph_.values++;
    channels_.push_back(channels_[input]);
    if (graph_.operations.size() > kMostOperations) fail("more operations than any real network");
    return operation;
  }

  void operation(const Statement& statement) {
    std::array<std::int32_t, kParameters> a = known_[static_cast<std::size_t>(statement.op)].defaults;
    for (const Argument& argument : statement.arguments) {
      if (argument.parameter >= kParameters) return fail("a parameter too many");
      a[argument.parameter] =
          static_cast<std::int32_t>(std::clamp<std::int64_t>(number(argument.value), -(1 << 24), 1 << 24));
    }
    // A concatenation lists all it reads; everything else reads the current value first.
    const bool listed = statement.op == Op::concatenate && !statement.values.empty();
    Operation& operation = push(statement.op, listed ? value_of(statement.values[0]) : current_);
    operation.flags = statement.flags;
    operation.a = a;
    for (std::size_t i = listed ? 1 : 0; i < statement.values.size(); ++i) {
      graph_.operands.push_back(value_of(statement.values[i]));
      ++operation.inputs;
    }
    current_ = operation.result;
    channels_[current_] = channels(operation);
  }

  std::int64_t channels(const Operation& operation) const {
    const std::int64_t own = channels_[graph_.operands[operation.first]];
    const auto& a = operation.a;
    switch (operation.op) {
      case Op::conv:
      case Op::transposed_conv:
      case Op::linear: return a[0];
      case Op::queries: return a[1];
      case Op::flatten: return 0;
      case Op::concatenate: {
        if (operation.flag(0)) return own;
        std::int64_t sum = 0;
        for (const std::uint32_t value : graph_.inputs_of(operation)) sum += channels_[value];
        return sum;
      }
      case Op::chunk: return a[0] == 0 ? 0 : own * a[2] / a[0];
      case Op::space_to_depth: return own * a[0] * a[0];
      case Op::frames: return a[0] == 0 ? 0 : own / a[0];
      case Op::pixel_shuffle: return a[0] == 0 ? 0 : own / (a[0] * a[0]);
      case Op::patch_merge: return own * 4;
      default: return own;
    }
  }

  void block(const Statement& statement, std::size_t depth) {
    const Block* const found = program_->library->find(statement.target);
    if (found == nullptr) return fail("a block that is not there");
    const std::size_t variables = environment_.size();
    Environment own;
    for (std::size_t i = 0; i < found->parameters.size(); ++i) {
      const auto argument = std::find_if(statement.arguments.begin(), statement.arguments.end(),
                                         [&](const Argument& a) { return a.parameter == i; });
      // A parameter left out is 0.
      own.push_back({found->parameters[i], argument == statement.arguments.end() ? 0 : number(argument->value)});
    }
    environment_.insert(environment_.end(), own.begin(), own.end());
    scoped([&] { body(found->body, depth + 1); });
    environment_.resize(variables);
  }

  /// Names given inside end with it, but for those that are exported.
  template <class Inside>
  void scoped(const Inside& inside) {
    const std::size_t outer = values_.size();
    const std::size_t exported = scope_;
    inside();
    values_.resize(std::min(values_.size(), outer + (scope_ - exported)));
  }

  void residual(const Statement& statement, std::size_t depth) {
    const std::uint32_t begin = current_;
    scoped([&] { body(statement.bodies[0], depth + 1); });
    const std::uint32_t end = current_;
    current_ = begin;
    if (statement.bodies.size() > 1) scoped([&] { body(statement.bodies[1], depth + 1); });
    const std::uint32_t shortcut = current_;
    Operation& sum = push(Op::add, end);
    graph_.operands.push_back(shortcut);
    ++sum.inputs;
    current_ = sum.result;
  }

  void branches(const Statement& statement, std::size_t depth) {
    const std::uint32_t begin = current_;
    std::vector<std::uint32_t> ends;
    for (const Body& branch : statement.bodies) {
      current_ = begin;
      scoped([&] { body(branch, depth + 1); });
      ends.push_back(current_);
    }
    Operation& operation = push(Op::concatenate, ends.front());
    for (std::size_t i = 1; i < ends.size(); ++i) graph_.operands.push_back(ends[i]);
    operation.inputs = static_cast<std::uint16_t>(ends.size());
    current_ = operation.result;
    channels_[current_] = channels(operation);
  }

  void pop() {
    if (skips_.empty()) return fail("nothing was pushed");
    Operation& operation = push(Op::concatenate, current_);
    graph_.operands.push_back(skips_.back());
    operation.inputs = 2;
    skips_.pop_back();
    current_ = operation.result;
    channels_[current_] = channels(operation);
  }

  void repeat(const Statement& statement, std::size_t depth) {
    const std::int64_t times = std::clamp<std::int64_t>(number(statement.arguments[0].value), 0, kMostRepeats);
    for (std::int64_t i = 0; i < times && !error_; ++i) {
      environment_.push_back({kIndex, i});
      body(statement.bodies[0], depth + 1);
      environment_.pop_back();
    }
  }

  void stages(const Statement& statement, std::size_t depth) {
    const auto table = std::find_if(program_->tables.begin(), program_->tables.end(),
                                    [&](const Table& t) { return t.name == statement.target; });
    if (table == program_->tables.end()) return fail("a table that nobody sets");
    std::int64_t row = 0;
    for (const std::vector<std::int64_t>& numbers : table->rows) {
      const std::size_t variables = environment_.size();
      environment_.push_back({kRow, row++});
      for (std::size_t i = 0; i < statement.values.size(); ++i) {
        environment_.push_back({statement.values[i], i < numbers.size() ? numbers[i] : 0});
      }
      row_begins_ = true;
      body(statement.bodies[0], depth + 1);
      environment_.resize(variables);
      if (error_) return;
    }
    rows_end_ = true;
  }

  void each(const Statement& statement, std::size_t depth) {
    const bool outer = shared_;
    std::int64_t index = 0;
    for (const std::uint32_t name : statement.values) {
      current_ = value_of(name);
      environment_.push_back({kIndex, index});
      scoped([&] { body(statement.bodies[0], depth + 1); });
      environment_.pop_back();
      values_.push_back({name, current_});
      shared_ = true;
      ++index;
      if (error_) break;
    }
    shared_ = outer;
  }

  const Program* program_;
  Graph graph_;
  Environment environment_;
  std::vector<std::int64_t> channels_;
  std::vector<NamedValue> values_;
  std::vector<std::uint32_t> skips_;
  std::array<Known, static_cast<std::size_t>(Op::count_)> known_;
  std::size_t scope_ = 0;
  std::uint32_t current_ = 0;
  std::uint8_t stage_ = 0;
  bool shared_ = false, unit_begins_ = false, row_begins_ = false, rows_end_ = false;
  std::optional<Error> error_;
};

}  // namespace

Result<Graph> flatten(const Program& program, std::int64_t classes) { return Flattener(program, classes).run(); }

}  // namespace vram::vision
