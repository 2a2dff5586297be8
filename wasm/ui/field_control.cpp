// From a row of the field table to the control that suits its kind.
#include <algorithm>
#include <cmath>

#include "core/base/number.h"
#include "core/report/answer.h"
#include "core/scenario/resolve.h"
#include "wasm/ui/form.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/header.h"
#include "wasm/ui/widgets/notice.h"
#include "wasm/ui/widgets/segmented.h"
#include "wasm/ui/widgets/stepper.h"
#include "wasm/ui/widgets/text_field.h"
#include "wasm/ui/widgets/toggle.h"

namespace vram::ui {
namespace {

constexpr std::size_t kMostSegments = 4;
constexpr std::size_t kMostJobRows = 3;

struct Names {
  ImGuiID id, header;
  std::string label_key, help_key;
  std::string_view label, help;
};

Names names_of(const Ui& ui, const FieldRow& row) {
  Names names;
  names.id = id_of(row.name);
  names.header = id_of("header", names.id);
  names.label_key = "field." + std::string(row.name);
  names.help_key = "help." + std::string(row.name);
  names.label = ui.text(names.label_key);
  names.help = ui.texts->has(names.help_key) ? ui.text(names.help_key) : std::string_view();
  return names;
}

std::string number_text(double value) { return format_short(value, 6, NumberStyle{".", ""}); }

void draw_choice(Ui& ui, Column& column, Form& form, const FieldRow& row, const Names& names,
                 const std::string& value) {
  std::vector<Option> options = choice_options(row, *ui.texts, *form.scenario, value);
  const Header head{.label = names.label, .help = names.help, .control = names.id};
  header(ui, column, names.header, head);
  std::vector<std::string_view> labels;
  for (const Option& option : options) labels.push_back(option.label);
  const std::size_t rows = segmented_rows(ui, labels, column.width);
  const bool few = options.size() <= kMostSegments && rows <= 2;
  if (few || (row.field == Field::task && rows <= kMostJobRows)) {
    const auto chosen = segmented(ui, column, names.id, names.label, labels, index_of(options, value));
    if (chosen) form.set(row.field, options[*chosen].value);
  } else {
    // Where the default follows from other fields, the visitor can go back to it.
    const bool automatic = row.default_text.empty();
    if (automatic) options.insert(options.begin(), {"", std::string(ui.text("ui.automatic")), {}, {}});
    const std::string shown = choice_text(*ui.texts, row, value);
    const bool touched = form.request->has(row.field);
    const auto chosen = select(ui, form.list, column, names.id, names.label, shown, options,
                               automatic && !touched ? 0 : index_of(options, value));
    if (chosen) options[*chosen].value.empty() ? form.clear(row.field) : form.set(row.field, options[*chosen].value);
  }
  help_line(ui, column, names.header, head);
}

void draw_weights(Ui& ui, Column& column, Form& form, const FieldRow& row, const Names& names,
                  const std::string& value) {
  const std::vector<Option>& options = formats_for(form.options, form.scenario->runtime);
  const Header head{.label = names.label, .help = names.help, .control = names.id};
  header(ui, column, names.header, head);
  const auto chosen = select(ui, form.list, column, names.id, names.label, shown_value(*ui.texts, row, value), options,
                             index_of(options, value));
  if (chosen) form.set(row.field, options[*chosen].value);
  help_line(ui, column, names.header, head);
}

void draw_slider(Ui& ui, Column& column, Form& form, const FieldRow& row, const Names& names, const std::string& text) {
  const SliderRange range = slider_range(row, *form.scenario);
  double value = range.maximum;
  if (text != "all") parse_decimal(text, value);
  const Header head{.label = names.label,
                    .help = names.help,
                    .value = shown_value(*ui.texts, row, text),
                    .editable = text.empty() ? "0" : text,
                    .control = names.id};
  if (const auto typed = header(ui, column, names.header, head)) {
    const bool all = row.kind == FieldKind::integer_or_all && *typed == "all";
    form.set(row.field, all ? *typed : canonical_number(*ui.texts, *typed, range.whole));
  }
  if (const auto moved = slider(ui, column, names.id, names.label, head.value, value, range)) {
    const bool all = row.kind == FieldKind::integer_or_all && *moved >= range.maximum;
    form.set(row.field, all ? "all" : number_text(*moved));
  }
  help_line(ui, column, names.header, head);
}

void draw_stepper(Ui& ui, Column& column, Form& form, const FieldRow& row, const Names& names,
                  const std::string& text) {
  std::uint64_t value = 0;
  parse_integer(text, value);
  const Stepper what{.label = names.label,
                     .help = names.help.empty() ? 0 : names.header,
                     .minimum = static_cast<std::uint64_t>(row.minimum),
                     .maximum = static_cast<std::uint64_t>(row.maximum)};
  if (const auto next = stepper(ui, column, names.id, what, value)) {
    form.set(row.field, canonical_number(*ui.texts, *next, true));
  }
  help_line(ui, column, names.header, {.label = names.label, .help = names.help, .control = names.id});
}

void draw_chips(Ui& ui, Column& column, Form& form, const FieldRow& row, const Names& names, const std::string& value) {
  const Header head{.label = names.label, .help = names.help, .control = names.id};
  header(ui, column, names.header, head);
  // Words that stand for several others are for links; here each one has its chip.
  std::vector<std::string_view> labels;
  for (const std::string_view word : row.choices) {
    if (word != "attention" && word != "all_linear") labels.push_back(word);
  }
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    texts.push_back(choice_text(*ui.texts, row, labels[i]));
    const std::string listed = ',' + value + ',';
    const bool attention = listed.find(",attention,") != std::string::npos && i < 4;
    const bool linear = listed.find(",all_linear,") != std::string::npos && i < 7;
    if (attention || linear || listed.find(',' + std::string(labels[i]) + ',') != std::string::npos) mask |= 1ULL << i;
  }
  const std::vector<std::string_view> shown(texts.begin(), texts.end());
  if (const auto next = chips(ui, column, names.id, shown, mask)) {
    std::string list;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if ((*next >> i & 1U) != 0) list.append(list.empty() ? "" : ",").append(labels[i]);
    }
    list.empty() ? form.clear(row.field) : form.set(row.field, list);
  }
  help_line(ui, column, names.header, head);
}

void draw_text(Ui& ui, Column& column, Form& form, const FieldRow& row, const Names& names, const std::string& value) {
  const Header head{.label = names.label, .help = names.help, .control = names.id};
  header(ui, column, names.header, head);
  const ImRect area = column.take(kControlHeight);
  if (ui.editing == names.id) {
    const Typing typing =
        text_field(ui, names.id, area, ui.typed, {.label = names.label, .activate = ui.typing_starts});
    ui.typing_starts = false;
    if (typing == Typing::done || typing == Typing::cancelled) ui.editing = 0;
    if (typing == Typing::done) ui.typed.empty() ? form.clear(row.field) : form.set(row.field, ui.typed);
  } else {
    const Press pressed = press(ui, names.id, area, {Role::textbox, names.label, value});
    ui.draw->AddRect(area.Min, area.Max, pressed.hovered ? ui.colours->muted : ui.colours->line, kRadius);
    text_in(ui, ImRect(area.Min.x + 14, area.Min.y, area.Max.x - 14, area.Max.y), kControl,
            value.empty() ? ui.colours->muted : ui.colours->text, value.empty() ? ui.text("ui.automatic") : value,
            Align::left, true);
    ring(ui, names.id, area, kRadius);
    if (pressed.clicked) {
      ui.editing = names.id;
      ui.typed = value;
      ui.typing_starts = true;
    }
  }
  help_line(ui, column, names.header, head);
}

}  // namespace

void draw_field_error(Ui& ui, Column& column, Form& form, const FieldRow& row) {
  const Error* error = form.typed && form.typed->where == row.name ? &*form.typed : form.error;
  if (error == nullptr || error->where != row.name) return;
  column.space(6);
  notice(ui, column, Tone::fault, error_sentence(*error, *ui.texts));
  column.space(4);
  form.error_shown = true;
}

void draw_field(Ui& ui, Column& column, Form& form, Field field) {
  const FieldRow& row = row_of(field);
  const Names names = names_of(ui, row);
  const std::string value = effective_text(*form.request, *form.scenario, field);
  switch (row.kind) {
    case FieldKind::choice: draw_choice(ui, column, form, row, names, value); break;
    case FieldKind::choice_list: draw_chips(ui, column, form, row, names, value); break;
    case FieldKind::weight_format: draw_weights(ui, column, form, row, names, value); break;
    case FieldKind::boolean:
      if (const auto next = toggle(ui, column, names.id, names.label, value == "true")) {
        form.set(field, *next ? "true" : "false");
      }
      // The row itself is the switch, so its help has nowhere to be opened from.
      if (!names.help.empty()) paragraph(ui, column, kNote, ui.colours->muted, names.help);
      break;
    case FieldKind::integer:
    case FieldKind::integer_or_all:
    case FieldKind::number:
      if (is_stepped(row)) {
        draw_stepper(ui, column, form, row, names, value);
      } else {
        draw_slider(ui, column, form, row, names, value);
      }
      break;
    case FieldKind::text: draw_text(ui, column, form, row, names, value); break;
    // These have controls of their own.
    case FieldKind::model_id:
    case FieldKind::gpu_id:
    case FieldKind::gpu_list:
    case FieldKind::object: break;
  }
  draw_field_error(ui, column, form, row);
}

}  // namespace vram::ui
