#include <algorithm>
#include <string>

#include "core/base/number.h"
#include "core/report/table.h"
#include "wasm/ui/answer_view.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"
#include "wasm/ui/widgets/marks.h"

namespace vram::ui {
namespace {

void draw_reservation(Ui& ui, Column& column, const Reservation& reservation) {
  const NumberStyle& numbers = ui.texts->numbers();
  draw_remark(ui, column,
              ui.texts->fill("ui.reservation", {{"bytes", gigabytes(*ui.texts, reservation.bytes)},
                                                {"tokens", format_integer(reservation.cache_tokens.value(), numbers)},
                                                {"sequences", format_integer(reservation.sequences.value(), numbers)}}),
              false);
}

}  // namespace

void draw_remark(Ui& ui, Column& column, std::string_view text, bool caution) {
  const float sign = 24;
  const float height = line_height(ui, kLabel);
  if (caution) {
    mark(ui, Mark::caution, {column.x + 8, column.y + height * 0.6F}, 13, ui.colours->warn);
  } else {
    ui.draw->AddCircleFilled({column.x + 8, column.y + height * 0.6F}, 2.5F, ui.colours->muted);
  }
  Column inner{column.x + sign, column.y, column.width - sign};
  paragraph(ui, inner, kLabel, ui.colours->text, text);
  column.y = inner.y + 8;
}

void draw_remarks(Ui& ui, Column& column, const AnswerView& view) {
  const Evaluation& evaluation = *view.evaluation;
  for (const Warning& warning : evaluation.scenario.warnings) {
    draw_remark(ui, column, warning_sentence(warning, *ui.texts), true);
  }
  if (evaluation.ledger.reservation.applies) draw_reservation(ui, column, evaluation.ledger.reservation);
  if (is_training(evaluation.scenario.task) && evaluation.ledger.host.checkpoint) {
    draw_remark(ui, column,
                ui.texts->fill("ui.checkpoint", {{"n", gigabytes(*ui.texts, evaluation.ledger.host.checkpoint)}}),
                false);
  }
  draw_remark(ui, column, ui.text("ui.gb_means"), false);
  draw_remark(ui, column, ui.text("ui.estimate"), false);
  if (!view.catalog->date.empty()) {
    draw_remark(ui, column, ui.texts->fill("ui.catalogue_date", {{"date", view.catalog->date}}), false);
  }
}

}  // namespace vram::ui
