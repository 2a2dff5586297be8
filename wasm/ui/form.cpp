#include "wasm/ui/form.h"

#include <algorithm>
#include <array>

#include "core/scenario/resolve.h"
#include "wasm/ui/text.h"
#include "wasm/ui/widgets/fold.h"

namespace vram::ui {
namespace {

// Always in sight, in this order, where they apply; model and GPU have controls of their own.
constexpr std::array kBeforeGpu = {
    Field::weights,       Field::context,   Field::image_height, Field::image_width, Field::frames,
    Field::classes,       Field::batch,     Field::users,        Field::precision,   Field::optimizer,
    Field::checkpointing, Field::lora_rank, Field::framework,
};
constexpr std::array kElsewhere = {Field::task, Field::model, Field::architecture, Field::parameters_b,
                                   Field::gpu,  Field::gpus,  Field::gpu_count,    Field::margin_percent};

// Sections in the order of "more settings".
constexpr std::array kSections = {FieldSection::job,       FieldSection::model,    FieldSection::workload,
                                  FieldSection::inference, FieldSection::training, FieldSection::adapter,
                                  FieldSection::parallel,  FieldSection::vision,   FieldSection::machine};
constexpr std::array<std::string_view, 9> kSectionKeys = {
    "ui.section.job",     "ui.section.model",    "ui.section.workload", "ui.section.inference", "ui.section.training",
    "ui.section.adapter", "ui.section.parallel", "ui.section.vision",   "ui.section.machine"};

template <std::size_t N>
bool contains(const std::array<Field, N>& list, Field field) {
  return std::find(list.begin(), list.end(), field) != list.end();
}

bool in_main(const Form& form, Field field) {
  if (field == Field::sharding) return form.scenario->gpus.size() > 1;
  return contains(kBeforeGpu, field) || contains(kElsewhere, field);
}

bool belongs(const Form& form, const FieldRow& row, FieldSection section) {
  return row.section == section && !in_main(form, row.field) && applies(row, *form.scenario);
}

void draw_section(Ui& ui, Column& column, Form& form, FieldSection section) {
  std::size_t touched = 0;
  std::size_t rows = 0;
  bool has_error = false;
  for (const FieldRow& row : fields()) {
    if (!belongs(form, row, section)) continue;
    ++rows;
    touched += form.request->has(row.field) ? 1 : 0;
    has_error |= form.error != nullptr && form.error->where == row.name;
  }
  if (rows == 0) return;
  const std::string_view key = kSectionKeys[static_cast<std::size_t>(section)];
  const ImGuiID id = id_of(key);
  if (has_error) set_unfolded(ui, id, true);
  const std::string note =
      touched == 0 ? std::string() : ui.texts->fill("ui.touched", {{"n", std::to_string(touched)}});
  ui.draw->AddLine({column.x, column.y}, {column.x + column.width, column.y}, ui.colours->line);
  if (!fold(ui, column, id, ui.text(key), note)) return;
  for (const FieldRow& row : fields()) {
    if (belongs(form, row, section)) draw_field(ui, column, form, row.field);
  }
  column.space(16);
}

}  // namespace

void Form::set(Field field, std::string_view text) {
  typed = set_from_text(*request, row_of(field).name, text);
  if (typed) return;
  changed = true;
  changed_field = field;
}

void Form::clear(Field field) {
  typed.reset();
  changed |= request->has(field);
  request->clear(field);
}

void draw_form(Ui& ui, Column& column, Form& form) {
  refresh(form.options, *form.catalog, *ui.texts);
  draw_field(ui, column, form, Field::task);
  draw_model(ui, column, form);
  for (const Field field : kBeforeGpu) {
    if (applies(row_of(field), *form.scenario)) draw_field(ui, column, form, field);
  }
  draw_gpu(ui, column, form);
  if (in_main(form, Field::sharding) && applies(row_of(Field::sharding), *form.scenario)) {
    draw_field(ui, column, form, Field::sharding);
  }
  draw_field(ui, column, form, Field::margin_percent);

  column.space(16);
  const float line = line_height(ui, kHeading);
  text_in(ui, column.take(line), kHeading, ui.colours->text, ui.text("ui.more_settings"));
  column.space(12);
  for (const FieldSection section : kSections) draw_section(ui, column, form, section);
}

}  // namespace vram::ui
