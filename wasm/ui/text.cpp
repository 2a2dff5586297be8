#include "wasm/ui/text.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

namespace vram::ui {
namespace {

ImFont* font_of(const Ui& ui, Type type) { return type.weight == Weight::semibold ? ui.semibold : ui.regular; }
float size_of(const Ui& ui, Type type) { return imgui_size(type.size, ui.text_scale); }

void draw_line(Ui& ui, ImVec2 at, Type type, ImU32 colour, std::string_view text) {
  ui.draw->AddText(font_of(ui, type), size_of(ui, type), at, colour, text.data(), text.data() + text.size());
}

std::string shortened(const Ui& ui, Type type, std::string_view text, float room) {
  static constexpr std::string_view kEllipsis = "\u2026";
  const float left = room - text_width(ui, type, kEllipsis);
  const char* end = text.data();
  font_of(ui, type)->CalcTextSizeA(size_of(ui, type), std::max(left, 0.0F), 0, text.data(), text.data() + text.size(),
                                   &end);
  std::string out(text.data(), end);
  while (!out.empty() && out.back() == ' ') out.pop_back();
  out += kEllipsis;
  return out;
}

/// Calls `line(text)` for each wrapped line. Lines break at spaces only, so that "4,096" and "Q4_K_M" stay whole; a word
/// wider than the column is cut where it must be.
template <class Line>
void wrap(const Ui& ui, Type type, std::string_view text, float width, const Line& line) {
  while (!text.empty()) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    std::size_t taken = 0;  // bytes that fit, ending with a word
    while (taken < whole.size()) {
      const std::size_t start = whole.find_first_not_of(' ', taken);
      if (start == std::string_view::npos) break;
      const std::size_t end = std::min(whole.find(' ', start), whole.size());
      if (taken > 0 && text_width(ui, type, whole.substr(0, end)) > width) break;
      taken = end;
    }
    std::string_view first = whole.substr(0, taken);
    if (text_width(ui, type, first) > width) {
      const char* const begin = first.data();
      const char* stop = font_of(ui, type)->CalcWordWrapPosition(size_of(ui, type), begin, begin + first.size(), width);
      if (stop == begin) stop = begin + 1;
      first = first.substr(0, static_cast<std::size_t>(stop - begin));
    }
    line(first);
    text.remove_prefix(first.size());
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  }
}

}  // namespace

float line_height(const Ui& ui, Type type) { return size_of(ui, type); }

float text_width(const Ui& ui, Type type, std::string_view text) {
  return font_of(ui, type)->CalcTextSizeA(size_of(ui, type), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void text_in(Ui& ui, const ImRect& box, Type type, ImU32 colour, std::string_view text, Align align, bool shorten) {
  const float room = box.GetWidth();
  std::string shorter;
  float width = text_width(ui, type, text);
  if (shorten && width > room) {
    shorter = shortened(ui, type, text, room);
    text = shorter;
    width = text_width(ui, type, text);
  }
  const float spare = room - width;
  const float x = box.Min.x + (align == Align::left ? 0 : align == Align::right ? spare : std::floor(spare / 2));
  const float height = line_height(ui, type);
  const float y = box.Min.y + std::floor((box.GetHeight() - height) / 2);
  draw_line(ui, {x, y}, type, colour, text);
  ui.trace.labels.push_back({std::string(text), {x, y}, {x + width, y + height}, room, !shorter.empty()});
}

void paragraph(Ui& ui, Column& column, Type type, ImU32 colour, std::string_view text) {
  const float step = std::ceil(type.size * ui.text_scale * 1.4F);
  const float lead = std::floor((step - line_height(ui, type)) / 2);
  wrap(ui, type, text, column.width, [&](std::string_view line) {
    const float width = text_width(ui, type, line);
    const ImVec2 at(column.x, column.y + lead);
    draw_line(ui, at, type, colour, line);
    ui.trace.labels.push_back(
        {std::string(line), at, {at.x + width, at.y + line_height(ui, type)}, column.width, false});
    column.y += step;
  });
}

float paragraph_height(const Ui& ui, Type type, std::string_view text, float width) {
  float lines = 0;
  wrap(ui, type, text, width, [&lines](std::string_view) { lines += 1; });
  return lines * std::ceil(type.size * ui.text_scale * 1.4F);
}

std::string folded(std::string_view text) {
  // U+00C0 to U+00FF without their accents; the signs among them stay out.
  static constexpr std::string_view kPlain = "aaaaaaaceeeeiiiidnooooo ouuuuy saaaaaaaceeeeiiiidnooooo ouuuuy y";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0xC3 && i + 1 < text.size()) {
      out += kPlain[static_cast<unsigned char>(text[++i]) & 0x3FU];
    } else if (byte >= 'A' && byte <= 'Z') {
      out += static_cast<char>(byte + ('a' - 'A'));
    } else {
      out += static_cast<char>(byte);
    }
  }
  return out;
}

bool matches(std::string_view text, std::string_view query) {
  const std::string hay = folded(text);
  const std::string words = folded(query);
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (end > at && hay.find(words.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace vram::ui
