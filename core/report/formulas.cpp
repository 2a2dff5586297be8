#include "core/report/formulas.h"

namespace vram {

const FormulaNote* Formulas::find(std::string_view id) const {
  for (const FormulaNote& note : notes_) {
    if (note.id == id) return &note;
  }
  return nullptr;
}

Result<Formulas> Formulas::read(const json::Value& file) {
  const json::Value* list = file.find("formulas");
  if (list == nullptr || !list->is(json::Kind::array)) {
    return Error{ErrorCode::missing_field, "formulas", "", "list", file.line()};
  }
  Formulas formulas;
  for (const json::Value& entry : list->items()) {
    FormulaNote note;
    const std::pair<std::string_view, std::string*> parts[] = {
        {"id", &note.id}, {"expression", &note.expression}, {"source", &note.source}};
    for (const auto& part : parts) {
      const json::Value* value = entry.find(part.first);
      if (value == nullptr || !value->is(json::Kind::string) || value->text().empty()) {
        return Error{ErrorCode::missing_field, "formulas." + std::string(part.first), json::brief(entry), "text",
                     entry.line()};
      }
      *part.second = value->text();
    }
    if (formulas.find(note.id) != nullptr) {
      return Error{ErrorCode::duplicate_field, "formulas.id", note.id, "each id once", entry.line()};
    }
    formulas.notes_.push_back(std::move(note));
  }
  return formulas;
}

}  // namespace vram
