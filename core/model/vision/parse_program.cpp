#include <algorithm>
#include <array>

#include "core/model/vision/program.h"

namespace vram::vision {
namespace {

constexpr std::size_t kDepth = 24;

struct FormWord {
  std::string_view word;
  Form form;
  int bodies_least, bodies_most;
};
constexpr std::array kForms = {
    FormWord{"res", Form::residual, 1, 2},     FormWord{"cat", Form::branches, 1, 16},
    FormWord{"rep", Form::repeat, 1, 1},       FormWord{"stages", Form::stages, 1, 1},
    FormWord{"if", Form::condition, 1, 2},     FormWord{"as", Form::name_value, 0, 0},
    FormWord{"out", Form::export_value, 0, 0}, FormWord{"from", Form::take_value, 0, 0},
    FormWord{"each", Form::each, 1, 1},        FormWord{"stage", Form::stage, 0, 0},
    FormWord{"unit", Form::unit, 1, 1},        FormWord{"push", Form::push, 0, 0},
    FormWord{"pop", Form::pop, 0, 0},
};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

class Parser {
 public:
  Parser(std::string_view text, const Library& library, std::string_view path)
      : text_(text), library_(&library), path_(path) {}

  Result<Body> run() {
    Body body;
    parse(body, 0);
    if (!error_ && at_ < text_.size()) fail(ErrorCode::syntax, "}");
    if (error_) return *error_;
    return body;
  }

 private:
  void fail(ErrorCode code, std::string_view got, std::string_view expected = "") {
    if (!error_) error_ = Error{code, std::string(path_), std::string(got.substr(0, 60)), std::string(expected), 0};
  }
  void skip() {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == ';')) ++at_;
  }
  /// The next word of the statement, or nothing at ; { } and the end.
  std::string_view word() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != ';' && text_[at_] != '{' && text_[at_] != '}') {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  void parse(Body& body, std::size_t depth) {
    if (depth > kDepth) return fail(ErrorCode::too_large, "blocks within blocks");
    for (skip(); !error_ && at_ < text_.size() && text_[at_] != '}'; skip()) {
      body.emplace_back();
      statement(body.back(), depth);
    }
  }

  void statement(Statement& statement, std::size_t depth) {
    const std::string_view first = word();
    if (first.empty()) return fail(ErrorCode::syntax, text_.substr(at_, 1));
    const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const FormWord& f) { return f.word == first; });
    const Signature* const signature = form == kForms.end() ? find_signature(first) : nullptr;
    const Block* block = nullptr;
    if (form != kForms.end()) {
      statement.form = form->form;
    } else if (signature != nullptr) {
      statement.op = signature->op;
    } else {
      statement.form = Form::block;
      statement.target = name_id(first);
      block = library_->find(statement.target);
      if (block == nullptr) return fail(ErrorCode::unknown_choice, first, "an operation or a block");
    }
    arguments(statement, signature, block);
    bodies(statement, depth);
    if (error_) return;
    const auto count = static_cast<int>(statement.bodies.size());
    const int least = form == kForms.end() ? 0 : form->bodies_least;
    const int most = form == kForms.end() ? 0 : form->bodies_most;
    if (count < least || count > most) return fail(ErrorCode::syntax, first, "bodies in braces");
    check(statement, signature, first);
  }

  void arguments(Statement& statement, const Signature* signature, const Block* block) {
    std::uint8_t next = 0;
    for (std::string_view text = word(); !text.empty() && !error_; text = word()) {
      if (text.front() == '@') {
        statement.values.push_back(name_id(text.substr(1)));
        continue;
      }
      if (text.front() == '.') {
        const int bit = signature == nullptr ? -1 : flag_index(*signature, text.substr(1));
        if (bit < 0) return fail(ErrorCode::unknown_choice, text);
        statement.flags = static_cast<std::uint16_t>(statement.flags | 1U << static_cast<unsigned>(bit));
        continue;
      }
      if (statement.form == Form::stages) {
        if (statement.target == 0)
          statement.target = name_id(text);
        else
          statement.values.push_back(name_id(text));
        continue;
      }
      const std::size_t equals = text.find('=');
      const bool keyed = equals != std::string_view::npos && equals + 1 < text.size() && text[equals + 1] != '=';
      int parameter = next;
      if (keyed) {
        const std::string_view key = text.substr(0, equals);
        parameter = -1;
        if (signature != nullptr) parameter = parameter_index(*signature, key);
        if (block != nullptr) {
          const auto found = std::find(block->parameters.begin(), block->parameters.end(), name_id(key));
          if (found != block->parameters.end()) parameter = static_cast<int>(found - block->parameters.begin());
        }
        if (parameter < 0) return fail(ErrorCode::unknown_choice, text);
        text.remove_prefix(equals + 1);
      } else {
        ++next;
      }
      auto compiled = compile_expression(text);
      if (!compiled) return fail(ErrorCode::syntax, text, "a whole-number expression");
      statement.arguments.push_back({static_cast<std::uint8_t>(parameter), std::move(*compiled)});
    }
  }

  void bodies(Statement& statement, std::size_t depth) {
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (error_ || at_ >= text_.size() || text_[at_] != '{') return;
      ++at_;
      statement.bodies.emplace_back();
      parse(statement.bodies.back(), depth + 1);
      if (at_ >= text_.size() || text_[at_] != '}') return fail(ErrorCode::syntax, "end of text", "}");
      ++at_;
    }
  }

  void check(const Statement& statement, const Signature* signature, std::string_view word) {
    if (signature != nullptr) {
      if (signature->values != 255 && statement.values.size() > signature->values) {
        return fail(ErrorCode::syntax, word, "fewer values");
      }
      std::size_t most = 0;
      for (bool required = false;; ++most) {
        const std::int64_t fallback = parameter_default(*signature, static_cast<int>(most), required);
        if (fallback == 0 && !required && most >= kParameters) break;
        if (!required) continue;
        const bool given = std::any_of(statement.arguments.begin(), statement.arguments.end(),
                                       [&](const Argument& a) { return a.parameter == most; });
        if (!given) return fail(ErrorCode::missing_field, word, "its parameters");
      }
    }
    if ((statement.form == Form::repeat || statement.form == Form::condition || statement.form == Form::stage) &&
        statement.arguments.size() != 1) {
      return fail(ErrorCode::syntax, word, "one number");
    }
    const bool names_one = statement.form == Form::name_value || statement.form == Form::export_value ||
                           statement.form == Form::take_value;
    if (names_one && statement.values.size() != 1) fail(ErrorCode::syntax, word, "one @name");
  }

  std::string_view text_;
  const Library* library_;
  std::string_view path_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

/// A text or a list of lines.
std::optional<std::string> joined(const json::Value& value) {
  if (value.is(json::Kind::string)) return value.text();
  if (!value.is(json::Kind::array)) return std::nullopt;
  std::string out;
  for (const json::Value& line : value.items()) {
    if (!line.is(json::Kind::string)) return std::nullopt;
    out += line.text();
    out += '\n';
  }
  return out;
}

Error wrong(const json::Value& value, std::string_view path, std::string_view expected) {
  return {ErrorCode::wrong_type, std::string(path), json::brief(value), std::string(expected), value.line()};
}

/// "w o s=1": the block's parameters; defaults are left to the caller's text.
std::vector<std::uint32_t> parameters_of(std::string_view header) {
  std::vector<std::uint32_t> names;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= header.size(); ++i) {
    if (i < header.size() && !is_space(header[i])) continue;
    if (i > begin) names.push_back(name_id(header.substr(begin, i - begin)));
    begin = i + 1;
  }
  return names;
}

std::optional<Error> read_table(const json::Member& member, std::string_view path, Program& program) {
  Table table;
  table.name = name_id(member.key);
  for (const json::Value& row : member.value.items()) {
    std::vector<std::int64_t> numbers;
    const auto add = [&](const json::Value& value) {
      if (!value.is(json::Kind::integer) || value.integer() > 1000000) return false;
      numbers.push_back(static_cast<std::int64_t>(value.integer()));
      return true;
    };
    bool good = true;
    if (row.is(json::Kind::array)) {
      for (const json::Value& value : row.items()) good = good && add(value);
    } else {
      good = add(row);
    }
    if (!good) return wrong(row, path, "whole numbers");
    table.rows.push_back(std::move(numbers));
  }
  program.tables.push_back(std::move(table));
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const Library> library_of(const Program* program, const Pipeline* pipeline) {
  if (program != nullptr) return program->library;
  return pipeline != nullptr && pipeline->denoiser ? pipeline->denoiser->library : nullptr;
}

const Block* Library::find(std::uint32_t name) const {
  for (const Block& block : blocks) {
    if (block.name == name) return &block;
  }
  return nullptr;
}

Result<Body> parse_body(std::string_view text, const Library& library, std::string_view path) {
  return Parser(text, library, path).run();
}

Result<std::shared_ptr<const Library>> read_library(const json::Value& blocks, std::string_view path) {
  auto library = std::make_shared<Library>();
  for (const json::Member& member : blocks.members()) {
    const std::string where = std::string(path) + "." + member.key;
    const auto text = joined(member.value);
    if (!text) return wrong(member.value, where, "text or list of lines");
    const std::size_t colon = text->find(':');
    // A header has no operators, so a colon behind a question mark or a brace belongs to the body.
    const bool headed = colon != std::string::npos && text->find_first_of("?;{.@") > colon;
    Block block;
    block.name = name_id(member.key);
    std::string_view body = *text;
    if (headed) {
      block.parameters = parameters_of(body.substr(0, colon));
      body.remove_prefix(colon + 1);
    }
    auto parsed = parse_body(body, *library, where);
    if (!parsed) return parsed.error();
    block.body = std::move(*parsed);
    library->blocks.push_back(std::move(block));
  }
  return std::shared_ptr<const Library>(std::move(library));
}

Result<std::shared_ptr<const Program>> read_program(const json::Value& graph, const json::Value* set,
                                                    std::shared_ptr<const Library> library, std::string_view path) {
  auto program = std::make_shared<Program>();
  program->library = library ? std::move(library) : std::make_shared<const Library>();
  const auto text = joined(graph);
  const std::string where = std::string(path) + ".graph";
  if (!text) return wrong(graph, where, "text or list of lines");
  auto body = parse_body(*text, *program->library, where);
  if (!body) return body.error();
  program->body = std::move(*body);
  if (set != nullptr) {
    if (const json::Value* const channels = set->find("channels")) {
      program->input_channels = static_cast<std::uint32_t>(std::min<std::uint64_t>(channels->integer(), 4096));
    }
    for (const json::Member& member : set->members()) {
      if (member.value.is(json::Kind::integer)) {
        program->variables.push_back({name_id(member.key), static_cast<std::int64_t>(std::min<std::uint64_t>(
                                                               member.value.integer(), 1U << 30U))});
      } else if (member.value.is(json::Kind::array)) {
        if (auto error = read_table(member, std::string(path) + ".set." + member.key, *program)) return *error;
      } else {
        return wrong(member.value, std::string(path) + ".set." + member.key, "number or table");
      }
    }
  }
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace vram::vision
