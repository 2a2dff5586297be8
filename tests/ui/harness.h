// The page without a window: frames are built, textures are taken as uploaded, input is sent as a host would.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "wasm/ui/app.h"
#include "wasm/ui/trace.h"

namespace vram::ui::test {

const Catalog& catalog();
const Formulas& formulas();
const std::vector<Texts>& texts();

class Page {
 public:
  explicit Page(float width = 700, std::string_view link = {}, std::string_view language = "en", int first_frames = 4);
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  App app;
  Environment environment;
  Frame last;
  int built = 0;  ///< frames so far

  /// One frame; the canvas then takes the height that the frame asked for.
  void frame();
  void frames(int count);
  /// Frames until none is asked for at once; returns how many it took, at most `limit`.
  int settle(int limit = 20);

  void move_to(ImVec2 at);
  void press_at(ImVec2 at);
  void drag(ImVec2 from, ImVec2 to);
  void tap_key(ImGuiKey key, bool shift = false);
  void type(std::string_view text);

  /// The first control with that label and role; fails the test when there is none.
  [[nodiscard]] Control control(std::string_view label, Role role) const;
  [[nodiscard]] bool shows(std::string_view text) const;
  [[nodiscard]] std::string_view text(std::string_view key) const;

 private:
  void take_textures();
  double now_ = 1;
};

inline ImVec2 centre(const Control& control) {
  return {(control.min.x + control.max.x) / 2, (control.min.y + control.max.y) / 2};
}

}  // namespace vram::ui::test
