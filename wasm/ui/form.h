// The inputs: one control per row of the field table that applies, by section, the rarely used ones folded away.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/fit/evaluate.h"
#include "core/scenario/request.h"
#include "wasm/ui/options.h"
#include "wasm/ui/ui.h"
#include "wasm/ui/widgets/select.h"

namespace vram::ui {

/// What the controls show and change.
struct Form {
  const Catalog* catalog = nullptr;
  Request* request = nullptr;
  const Scenario* scenario = nullptr;  ///< of the last good answer: what untouched fields come to, which fields apply
  const Error* error = nullptr;        ///< of the present request
  std::optional<Error> typed;          ///< of what was typed last: the request kept its old value
  std::string last_model;              ///< to come back to from the generic model
  OptionCache options;
  OpenList list;
  std::optional<Field> changed_field;  ///< by which control, where it is one field
  bool changed = false;                ///< the request, in this frame
  bool error_shown = false;            ///< beside its field, in this frame

  /// Stores a field given as text; what is wrong with it is shown at the field.
  void set(Field field, std::string_view text);
  void clear(Field field);
};

/// The card's content: main controls, then "more settings".
void draw_form(Ui& ui, Column& column, Form& form);

/// One control with its header, help and error.
void draw_field(Ui& ui, Column& column, Form& form, Field field);

/// Model by name or by size; GPU by name, or a list of unlike ones.
void draw_model(Ui& ui, Column& column, Form& form);
void draw_gpu(Ui& ui, Column& column, Form& form);
/// The error of a field, if it has one.
void draw_field_error(Ui& ui, Column& column, Form& form, const FieldRow& row);

}  // namespace vram::ui
