#include "wasm/ui/page.h"

#include <algorithm>
#include <cmath>

#include "core/report/answer.h"
#include "wasm/ui/card.h"
#include "wasm/ui/text.h"
#include "wasm/ui/widgets/notice.h"
#include "wasm/ui/widgets/text_field.h"

namespace vram::ui {
namespace {

constexpr float kPhone = 480;
constexpr float kTwoColumns = 720;
constexpr float kWide = 1000;
constexpr float kWidest = 1200;

void draw_title(Ui& ui, Column& column, bool phone) {
  paragraph(ui, column, phone ? kTitlePhone : kTitle, ui.colours->text, ui.text("ui.title"));
  column.space(2);
  paragraph(ui, column, kBody, ui.colours->muted, ui.text("ui.subtitle"));
  column.space(kGap);
}

void draw_ignored(Ui& ui, Column& column, const Page& page) {
  if (page.ignored->empty()) return;
  std::string text(ui.text("ui.link_ignored"));
  for (const Error& error : *page.ignored) text.append("\n").append(error_sentence(error, *ui.texts));
  notice(ui, column, Tone::caution, text);
  column.space(kGap);
}

/// Where an error has no control of its own on the page, and a hint that the answer is an older one where it has.
void draw_error(Ui& ui, Column& column, const Page& page) {
  const Error* error = page.form->typed ? &*page.form->typed : page.error;
  if (error == nullptr) return;
  std::string text = error_sentence(*error, *ui.texts);
  if (page.answer != nullptr) text.append("\n").append(ui.text("ui.last_good"));
  notice(ui, column, Tone::fault, text);
  column.space(12);
}

void draw_link_button(Ui& ui, Column& column, LinkButton& link) {
  column.space(14);
  link.pressed = primary_button(ui, column, id_of("link"), ui.text(link.copied ? "ui.copied" : "ui.copy_link"));
  if (link.by_hand.empty()) return;
  column.space(8);
  paragraph(ui, column, kNote, ui.colours->muted, ui.text("ui.copy_by_hand"));
  std::string text = link.by_hand;
  const Typing typing = text_field(ui, id_of("link.text"), column.take(kControlHeight), text,
                                   {.label = ui.text("ui.copy_link"), .activate = link.by_hand_starts});
  link.by_hand_starts = false;
  if (typing == Typing::cancelled) link.by_hand.clear();
}

class Cards {
 public:
  Cards(Ui& ui, Page& page) : ui_(ui), page_(page) {
    view_ = {page.answer, page.formulas, page.form->catalog};
    faded_ = page.error != nullptr || page.form->typed.has_value();
  }

  void inputs(Column& column) {
    Card card(ui_, column);
    if (!page_.set_back->empty()) {
      std::string text(ui_.text("ui.set_back"));
      for (const Error& error : *page_.set_back) text.append("\n").append(error_sentence(error, *ui_.texts));
      notice(ui_, card.inner(), Tone::caution, text);
      card.inner().space(14);
    }
    card.inner().y -= 14;  // the first header brings its own space
    draw_form(ui_, card.inner(), *page_.form);
    card.end();
  }

  void headline(Column& column) {
    Card card(ui_, column);
    draw_error(ui_, card.inner(), page_);
    card.fade_from_here();
    draw_headline(ui_, card.inner(), view_);
    card.inner().space(14);
    draw_bars(ui_, card.inner(), view_);
    card.end(faded_);
  }

  void legend(Column& column) {
    Card card(ui_, column);
    card_heading(ui_, card.inner(), ui_.text("ui.parts"));
    draw_legend(ui_, card.inner(), view_);
    draw_link_button(ui_, card.inner(), *page_.link);
    card.end(faded_);
  }

  /// Number, bars and legend in one.
  void result(Column& column) {
    Card card(ui_, column);
    draw_error(ui_, card.inner(), page_);
    card.fade_from_here();
    draw_headline(ui_, card.inner(), view_);
    card.inner().space(14);
    draw_bars(ui_, card.inner(), view_);
    card.inner().space(10);
    draw_legend(ui_, card.inner(), view_);
    draw_link_button(ui_, card.inner(), *page_.link);
    card.end(faded_);
  }

  /// What was brought and what came of it; else what can be.
  void notes(Column& column) {
    Card card(ui_, column);
    card_heading(ui_, card.inner(), ui_.text("ui.brought"));
    for (const std::string& line : *page_.notes) draw_remark(ui_, card.inner(), line, false);
    if (page_.notes->empty()) draw_remark(ui_, card.inner(), ui_.text("ui.bring"), false);
    card.inner().y -= 8;
    card.end(faded_);
  }

  void fits(Column& column) {
    Card card(ui_, column);
    Column& inner = card.inner();
    card_heading(ui_, inner, ui_.text("ui.tiers"));
    draw_tiers(ui_, inner, view_);
    if (!page_.answer->configurations.empty()) {
      divider(ui_, inner);
      card_heading(ui_, inner, ui_.text("ui.machines"));
      draw_machines(ui_, inner, view_);
    }
    card.end(faded_);
  }

  void suggestions(Column& column) {
    if (page_.answer->suggestions.empty() || page_.answer->verdict == Verdict::comfortable) return;
    Card card(ui_, column);
    card_heading(ui_, card.inner(), ui_.text("ui.suggestions"));
    if (const Suggestion* applied = draw_suggestions(ui_, card.inner(), view_)) {
      page_.form->set(applied->field, applied->value);
      if (applied->also) page_.form->set(applied->also->field, applied->also->value);
    }
    card.end(faded_);
  }

  void machine_advice(Column& column) {
    if (page_.answer->advice.empty()) return;
    Card card(ui_, column);
    card_heading(ui_, card.inner(), ui_.text("ui.machine_advice"));
    draw_machine_advice(ui_, card.inner(), view_);
    card.end(faded_);
  }

  void remarks(Column& column) {
    Card card(ui_, column);
    card_heading(ui_, card.inner(), ui_.text("ui.good_to_know"));
    draw_remarks(ui_, card.inner(), view_);
    card.inner().y -= 8;
    card.end(faded_);
  }

 private:
  Ui& ui_;
  Page& page_;
  AnswerView view_;
  bool faded_ = false;
};

}  // namespace

float draw_page(Ui& ui, Page& page) {
  const float scaled = page.width / ui.text_scale;
  const bool phone = scaled < kPhone;
  const float side = phone ? 12 : 20;
  const float width = std::min(page.width, kWidest * ui.text_scale) - 2 * side;
  Column column{std::floor((page.width - width) / 2), phone ? 12.0F : 20.0F, width};
  page_begin(ui);
  draw_title(ui, column, phone);
  draw_ignored(ui, column, page);
  Cards cards(ui, page);
  if (page.answer == nullptr) {
    draw_error(ui, column, page);
  } else if (scaled < kTwoColumns) {
    cards.headline(column);
    cards.inputs(column);
    cards.legend(column);
    cards.notes(column);
    cards.suggestions(column);
    cards.fits(column);
    cards.machine_advice(column);
    cards.remarks(column);
  } else {
    const float share = scaled >= kWide ? 0.42F : 0.5F;
    const float left_width = std::floor((width - kGap) * share);
    Column left{column.x, column.y, left_width};
    Column right{column.x + left_width + kGap, column.y, width - left_width - kGap};
    cards.inputs(left);
    cards.result(right);
    cards.notes(right);
    cards.suggestions(right);
    cards.fits(right);
    cards.machine_advice(left.y < right.y ? left : right);
    cards.remarks(left.y < right.y ? left : right);
    column.y = std::max(left.y, right.y);
  }
  page_end(ui);
  return std::ceil(column.y - kGap + (phone ? 12 : 20));
}

}  // namespace vram::ui
