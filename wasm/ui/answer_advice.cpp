#include <algorithm>
#include <string>
#include <vector>

#include "core/base/number.h"
#include "wasm/ui/answer_view.h"
#include "wasm/ui/text.h"
#include "wasm/ui/values.h"

namespace vram::ui {
namespace {

std::string advice_text(const Texts& texts, const Advice& advice) {
  std::string sentence(texts("advice." + std::string(advice.id)));
  for (const RuleCheck::Value& value : advice.values) {
    const std::string text = !value.text.empty() ? value.text
                             : is_bytes(value)   ? gigabytes(texts, value.value)
                                                 : format_integer(value.value, texts.numbers());
    sentence = fill_pattern(sentence, {{value.name, text}});
  }
  return sentence;
}

/// Each source once, in the order of the advice.
std::string sources_of(const std::vector<Advice>& advice) {
  std::vector<std::string_view> seen;
  std::string text;
  for (const Advice& one : advice) {
    if (*one.source == '\0' || std::find(seen.begin(), seen.end(), one.source) != seen.end()) continue;
    seen.emplace_back(one.source);
    if (!text.empty()) text += "; ";
    text += one.source;
  }
  return text;
}

}  // namespace

void draw_machine_advice(Ui& ui, Column& column, const AnswerView& view) {
  const std::vector<Advice>& all = view.evaluation->advice;
  paragraph(ui, column, kNote, ui.colours->muted, ui.text("ui.machine_advice_intro"));
  for (std::size_t topic = 0; topic < kTopicNames.size(); ++topic) {
    bool heading = false;
    for (const Advice& advice : all) {
      if (static_cast<std::size_t>(advice.topic) != topic) continue;
      if (!heading) {
        column.space(12);
        paragraph(ui, column, kLabelStrong, ui.colours->text, ui.text("topic." + std::string(kTopicNames[topic])));
        column.space(4);
        heading = true;
      }
      draw_remark(ui, column, advice_text(*ui.texts, advice), advice.level == Advice::Level::must);
    }
  }
  column.space(6);
  paragraph(ui, column, kNote, ui.colours->muted, ui.texts->fill("ui.advice_sources", {{"sources", sources_of(all)}}));
}

}  // namespace vram::ui
