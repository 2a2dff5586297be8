// The two controls that stand for more than one field: which model, which GPUs.
#include <algorithm>
#include <array>

#include "core/base/number.h"
#include "core/scenario/resolve.h"
#include "wasm/ui/form.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/header.h"
#include "wasm/ui/widgets/marks.h"
#include "wasm/ui/widgets/segmented.h"

namespace vram::ui {
namespace {

void by_size(Form& form) {
  if (const Model* model = form.scenario->model.get(); model != nullptr) {
    form.last_model = model->id;
    const double billions = std::clamp(model->parameters.as_double() / 1e9, 0.1, 1000.0);
    form.set(Field::parameters_b, format_short(billions, billions < 10 ? 1 : 0, NumberStyle{".", ""}));
  }
  form.clear(Field::model);
  form.clear(Field::architecture);
}

void by_name(Form& form) {
  const std::vector<Option>& models = form.options.models;
  if (models.empty()) return;
  const bool known = index_of(models, form.last_model) < models.size();
  form.set(Field::model, known ? form.last_model : models.front().value);
  form.clear(Field::parameters_b);
}

void draw_model_list(Ui& ui, Column& column, Form& form) {
  const std::string_view label = ui.text("field.model");
  // The request's own model also while it has no answer.
  std::shared_ptr<const Model> model = form.scenario->model;
  if (auto asked = form.catalog->facts.models.find(form.request->text(Field::model))) model = std::move(asked);
  const std::string shown = form.request->has(Field::architecture) ? std::string(ui.text("ui.own_model"))
                            : model != nullptr                     ? (model->name.empty() ? model->id : model->name)
                                                                   : std::string();
  const std::size_t taken = index_of(form.options.models, model != nullptr ? model->id : std::string());
  const auto chosen = select(ui, form.list, column, id_of("model"), label, shown, form.options.models, taken);
  if (!chosen) return;
  form.set(Field::model, form.options.models[*chosen].value);
  form.clear(Field::architecture);
  form.clear(Field::parameters_b);
}

/// "GeForce RTX 5080 · 16 GB", or the bare id of an unknown card.
std::string name_with_size(const Form& form, std::size_t index, const std::string& id) {
  if (index >= form.options.gpus.size()) return id;
  return form.options.gpus[index].label + " \u00b7 " + form.options.gpus[index].note;
}

/// A card of a mixed machine: its name and a cross that takes it out.
void draw_mixed(Ui& ui, Column& column, Form& form, std::vector<std::string> ids) {
  bool changed = false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Column row{column.x, column.y, column.width - kControlHeight - 8};
    const ImGuiID id = id_of("gpus", static_cast<ImGuiID>(i + 1));
    const std::size_t taken = index_of(form.options.gpus, ids[i]);
    const std::string shown = name_with_size(form, taken, ids[i]);
    if (const auto chosen = select(ui, form.list, row, id, ui.text("field.gpu"), shown, form.options.gpus, taken)) {
      ids[i] = form.options.gpus[*chosen].value;
      changed = true;
    }
    const ImRect cross(row.x + row.width + 8, column.y, column.x + column.width, column.y + kControlHeight);
    const ImGuiID remove = id_of("remove", id);
    const Press pressed = press(ui, remove, cross, {Role::button, ui.text("ui.remove"), shown, true, ids.size() > 1});
    mark(ui, Mark::cross, cross.GetCenter(), 13,
         ids.size() > 1 ? pressed.hovered ? ui.colours->bad : ui.colours->muted : ui.colours->line);
    ring(ui, remove, cross, kRadius);
    column.y = row.y + 8;
    if (pressed.clicked) {
      ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i));
      changed = true;
      break;
    }
  }
  column.y -= 8;
  if (!changed) return;
  form.request->set(Field::gpus, std::move(ids));
  form.changed = true;
}

/// "- 2 +": one more is like the last one.
void draw_mixed_count(Ui& ui, Column& column, Form& form, std::vector<std::string> ids) {
  column.space(8);
  const ImRect area = column.take(kControlHeight);
  const ImGuiID id = id_of("gpus.add");
  const Press pressed = press(ui, id, area, {Role::button, ui.text("ui.add_gpu"), {}, true, ids.size() < 8});
  ui.draw->AddRect(area.Min, area.Max, pressed.hovered ? ui.colours->muted : ui.colours->line, kRadius);
  text_in(ui, area, kControl, ui.colours->accent, ui.text("ui.add_gpu"), Align::centre);
  ring(ui, id, area, kRadius);
  if (!pressed.clicked) return;
  ids.push_back(ids.back());
  form.request->set(Field::gpus, std::move(ids));
  form.changed = true;
}

std::vector<std::string> present_ids(const Form& form) {
  std::vector<std::string> ids;
  if (const FieldValue* asked = form.request->find(Field::gpus)) {
    if (const auto* list = std::get_if<std::vector<std::string>>(asked); list != nullptr && !list->empty())
      return *list;
  }
  for (const GpuSlot& slot : form.scenario->gpus) ids.push_back(slot.gpu->id);
  return ids;
}

}  // namespace

void draw_model(Ui& ui, Column& column, Form& form) {
  const bool sized = !form.request->has(Field::model) && !form.request->has(Field::architecture);
  const std::string_view help_key = "help.model";
  const Header head{.label = ui.text("field.model"),
                    .help = ui.texts->has(help_key) ? ui.text(help_key) : std::string_view(),
                    .control = id_of("model")};
  header(ui, column, id_of("header.model"), head);
  const std::array<std::string_view, 2> ways = {ui.text("ui.model_by_name"), ui.text("ui.model_by_size")};
  const auto way = segmented(ui, column, id_of("model.way"), head.label, ways, sized ? 1 : 0);
  if (way) *way == 1 ? by_size(form) : by_name(form);
  if (sized) {
    draw_field(ui, column, form, Field::parameters_b);
  } else {
    column.space(8);
    draw_model_list(ui, column, form);
  }
  help_line(ui, column, id_of("header.model"), head);
  draw_field_error(ui, column, form, row_of(Field::model));
  draw_field_error(ui, column, form, row_of(Field::architecture));
}

void draw_gpu(Ui& ui, Column& column, Form& form) {
  const std::string_view help_key = "help.gpu";
  const Header head{.label = ui.text("field.gpu"),
                    .help = ui.texts->has(help_key) ? ui.text(help_key) : std::string_view(),
                    .control = id_of("gpu")};
  const std::vector<std::string> ids = present_ids(form);
  const bool mixed = form.request->has(Field::gpus);
  header(ui, column, id_of("header.gpu"), head);
  if (mixed) {
    draw_mixed(ui, column, form, ids);
    draw_mixed_count(ui, column, form, ids);
  } else {
    const std::string asked(form.request->text(Field::gpu, ids.front()));
    const std::size_t taken = index_of(form.options.gpus, asked);
    const std::string shown = name_with_size(form, taken, asked);
    if (const auto chosen = select(ui, form.list, column, id_of("gpu"), head.label, shown, form.options.gpus, taken)) {
      form.set(Field::gpu, form.options.gpus[*chosen].value);
    }
    help_line(ui, column, id_of("header.gpu"), head);
    draw_field_error(ui, column, form, row_of(Field::gpu));
    draw_field(ui, column, form, Field::gpu_count);
  }
  if (ids.size() > 1 || mixed) {
    column.space(8);
    const std::array<std::string_view, 2> ways = {ui.text("ui.gpus_alike"), ui.text("ui.gpus_unlike")};
    const auto way = segmented(ui, column, id_of("gpus.way"), head.label, ways, mixed ? 1 : 0);
    if (way && *way == 1) {
      std::vector<std::string> list = ids;
      list.resize(std::min<std::size_t>(list.size(), 8));
      form.clear(Field::gpu_count);
      form.clear(Field::gpu);
      form.request->set(Field::gpus, std::move(list));
      form.changed = true;
    } else if (way) {
      form.clear(Field::gpus);
      form.set(Field::gpu, ids.front());
      form.set(Field::gpu_count, std::to_string(ids.size()));
    }
  }
  draw_field_error(ui, column, form, row_of(Field::gpus));
}

}  // namespace vram::ui
