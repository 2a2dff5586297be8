// What the visitor does, as ImGui's events.
#include <array>
#include <string_view>

#include "imgui.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"

namespace {

using vram::bridge::session;

ImGuiIO& io() {
  ImGui::SetCurrentContext(session().app.context());
  return ImGui::GetIO();
}

struct NamedKey {
  std::string_view name;  // KeyboardEvent.key
  ImGuiKey key;
};

constexpr std::array kNamedKeys{
    NamedKey{"Tab", ImGuiKey_Tab},
    NamedKey{"ArrowLeft", ImGuiKey_LeftArrow},
    NamedKey{"ArrowRight", ImGuiKey_RightArrow},
    NamedKey{"ArrowUp", ImGuiKey_UpArrow},
    NamedKey{"ArrowDown", ImGuiKey_DownArrow},
    NamedKey{"PageUp", ImGuiKey_PageUp},
    NamedKey{"PageDown", ImGuiKey_PageDown},
    NamedKey{"Home", ImGuiKey_Home},
    NamedKey{"End", ImGuiKey_End},
    NamedKey{"Delete", ImGuiKey_Delete},
    NamedKey{"Backspace", ImGuiKey_Backspace},
    NamedKey{" ", ImGuiKey_Space},
    NamedKey{"Enter", ImGuiKey_Enter},
    NamedKey{"Escape", ImGuiKey_Escape},
};

// The letters of the shortcuts for select all, copy, paste, cut, redo and undo.
constexpr std::string_view kShortcutLetters = "acvxyz";
constexpr int kControl = 1, kShift = 2, kAlt = 4, kMeta = 8;

ImGuiKey key_of(std::string_view name, int modifiers) {
  for (const NamedKey& row : kNamedKeys) {
    if (row.name == name) return row.key;
  }
  if (name.size() != 1 || (modifiers & (kControl | kMeta)) == 0) return ImGuiKey_None;
  const char letter = name[0] >= 'A' && name[0] <= 'Z' ? static_cast<char>(name[0] - 'A' + 'a') : name[0];
  if (kShortcutLetters.find(letter) == std::string_view::npos) return ImGuiKey_None;
  return static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'a'));
}

}  // namespace

void vram_pointer(float x, float y, int touch) {
  io().AddMouseSourceEvent(touch != 0 ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io().AddMousePosEvent(x, y);
}

void vram_press(int down) { io().AddMouseButtonEvent(ImGuiMouseButton_Left, down != 0); }

void vram_wheel(float x, float y) { io().AddMouseWheelEvent(x, y); }

int vram_key(const char* key, int down, int modifiers) {
  const ImGuiKey known = key_of(key, modifiers);
  if (known == ImGuiKey_None) return 0;
  io().AddKeyEvent(ImGuiMod_Ctrl, (modifiers & kControl) != 0);
  io().AddKeyEvent(ImGuiMod_Shift, (modifiers & kShift) != 0);
  io().AddKeyEvent(ImGuiMod_Alt, (modifiers & kAlt) != 0);
  io().AddKeyEvent(ImGuiMod_Super, (modifiers & kMeta) != 0);
  io().AddKeyEvent(known, down != 0);
  return 1;
}

void vram_release_keys() { io().ClearInputKeys(); }

void vram_type(const char* text) { io().AddInputCharactersUTF8(text); }

void vram_focus(int how) {
  constexpr int kLost = 0, kForwards = 1, kBackwards = 2;
  io().AddFocusEvent(how != kLost);
  if (how == kLost) session().app.leave();
  if (how == kForwards || how == kBackwards) session().app.enter(how == kBackwards);
}

int vram_wants_tab(int backwards) { return session().app.wants_tab(backwards != 0) ? 1 : 0; }

int vram_wants_wheel(float down) { return session().app.wants_wheel(down) ? 1 : 0; }

int vram_wants_vertical_touch() { return session().app.wants_vertical_touch() ? 1 : 0; }

void vram_copied(int ok) { session().app.copied(ok != 0); }

void vram_set_clipboard(const char* text) { session().app.set_clipboard(text); }
