// What every widget gets: the look, the words, the keyboard and the place to draw. And the small primitives that all
// widgets are made of: a column that is filled downwards, an area that can be pressed, a ring.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/texts.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "wasm/ui/focus.h"
#include "wasm/ui/theme.h"
#include "wasm/ui/trace.h"

namespace vram::ui {

struct Ui {
  const Palette* colours = nullptr;
  const Texts* texts = nullptr;
  ImFont* regular = nullptr;
  ImFont* semibold = nullptr;
  ImDrawList* draw = nullptr;  ///< of the window that is being drawn
  float text_scale = 1;
  float visible_top = 0, visible_bottom = 0;  ///< see Environment
  bool touch = false;
  Focus focus;
  Trace trace;

  bool popup_open = false;     ///< a list is open: keys are its own
  bool in_popup = false;       ///< that list is being drawn
  ImGuiID editing = 0;         ///< the value that is being typed,
  std::string typed;           ///< its text so far,
  bool typing_starts = false;  ///< and that it has yet to take the keyboard
  bool numeric = false;        ///< what is being typed in this frame is a number
  ImGuiID help = 0;            ///< the field whose help is open
  std::vector<ImGuiID> unfolded;
  bool again = false;  ///< something changed: another frame is needed to settle
  int wake_ms = -1;    ///< something timed: a frame is needed in so many ms

  [[nodiscard]] std::string_view text(std::string_view key) const { return (*texts)(key); }
  /// Keys go to the focused control of the page.
  [[nodiscard]] bool keys(ImGuiID id) const { return focus.has(id) && !popup_open && editing == 0; }
  void wake_in(int ms) {
    if (wake_ms < 0 || ms < wake_ms) wake_ms = ms;
  }
};

/// Where the next thing goes: widgets draw at (x, y) over `width` and move `y` on.
struct Column {
  float x = 0, y = 0, width = 0;

  void space(float height) { y += height; }
  [[nodiscard]] ImRect take(float height) {
    const ImRect area(x, y, x + width, y + height);
    y += height;
    return area;
  }
};

/// A stable id: of a name, and of a name within another id.
inline ImGuiID id_of(std::string_view name, ImGuiID within = 0) { return ImHashStr(name.data(), name.size(), within); }

struct Press {
  bool hovered = false, held = false, clicked = false;
  bool focused = false;  ///< has the keyboard: arrows may be read
};

struct Pressable {
  Role role = Role::button;
  std::string_view label, value = {};
  bool stop = true;  ///< a stop of the Tab key
  bool enabled = true;
};

/// Makes an area pressable by mouse, finger, Enter and Space.
Press press(Ui& ui, ImGuiID id, const ImRect& area, const Pressable& what);

/// The keyboard's ring around the focused control.
void ring(Ui& ui, ImGuiID id, const ImRect& area, float rounding);

/// True when a key was pressed (or repeats) while `id` has the keyboard.
bool key(const Ui& ui, ImGuiID id, ImGuiKey which);

}  // namespace vram::ui
