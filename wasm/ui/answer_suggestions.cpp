#include <algorithm>
#include <cmath>
#include <string>

#include "wasm/ui/answer_view.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/pill.h"

namespace vram::ui {
namespace {

constexpr std::size_t kMost = 4;

/// "KV cache: Q8_0 - saves 1.2 GB - Fits"; the whole row applies it.
bool draw_suggestion(Ui& ui, Column& column, const Suggestion& suggestion) {
  const FieldRow& row = row_of(suggestion.field);
  std::string title(ui.text("field." + std::string(row.name)));
  title.append(": ").append(shown_value(*ui.texts, row, suggestion.value));
  if (suggestion.also) {
    const FieldRow& also = row_of(suggestion.also->field);
    title.append(" + ").append(ui.text("field." + std::string(also.name)));
    title.append(": ").append(shown_value(*ui.texts, also, suggestion.also->value));
  }
  std::string note = ui.texts->fill("ui.saves", {{"n", gigabytes(*ui.texts, suggestion.saves)}});
  const std::string cost = "cost." + std::string(suggestion.cost);
  if (*suggestion.cost != '\0' && ui.texts->has(cost)) note.append(" \u00b7 ").append(ui.text(cost));
  const std::string verdict = verdict_text(*ui.texts, suggestion.verdict);
  const float verdict_width = std::ceil(text_width(ui, kLabelStrong, verdict)) + 24;
  const float room = column.width - verdict_width - 10;
  const float title_height = paragraph_height(ui, kControl, title, room);
  const float height = title_height + paragraph_height(ui, kNote, note, room);
  const ImRect area = column.take(std::max(kControlHeight, height + 10));
  const ImGuiID first = id_of(row.name, id_of("suggestion"));
  const ImGuiID id = suggestion.also ? id_of(row_of(suggestion.also->field).name, first) : first;
  const Press pressed = press(ui, id, area, {Role::button, title, verdict});
  if (pressed.hovered) {
    ui.draw->AddRectFilled(area.Min - ImVec2(8, 0), area.Max + ImVec2(8, 0), ui.colours->track, kSegmentRadius);
  }
  Column text{area.Min.x, area.Min.y + std::floor((area.GetHeight() - height) / 2), room};
  paragraph(ui, text, kControl, ui.colours->accent, title);
  paragraph(ui, text, kNote, ui.colours->muted, note);
  const ImU32 colour = ui.colours->of(suggestion.verdict);
  mark(ui, mark_of(suggestion.verdict), {area.Max.x - verdict_width + 9, area.GetCenter().y}, 11, colour);
  text_in(ui, area, kLabelStrong, colour, verdict, Align::right);
  ring(ui, id, area, kSegmentRadius);
  return pressed.clicked;
}

}  // namespace

const Suggestion* draw_suggestions(Ui& ui, Column& column, const AnswerView& view) {
  const auto& all = view.evaluation->suggestions;
  const Suggestion* applied = nullptr;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    if (draw_suggestion(ui, column, all[i])) applied = &all[i];
  }
  return applied;
}

}  // namespace vram::ui
