// The page, drawn with Dear ImGui and nothing else: no DOM, no GL. The host (wasm/bridge in a browser, a test natively)
// feeds input, calls frame(), and shows ImGui::GetDrawData().
//
// How a host runs it:
//   App app(catalog, formulas, texts);     // creates the ImGui context and its fonts; then init the renderer backend
//   app.set_environment(...); app.set_link(...);
//   on input: ImGui::GetIO().Add...Event(), then request a frame
//   a frame:  <backend>_NewFrame(); Frame f = app.frame(now); <backend>_RenderDrawData(ImGui::GetDrawData());
//   after it: canvas height := f.height (report it by set_environment), take_copy(), state_version(), text_input(), cursor
// frame() calls ImGui::NewFrame() and ImGui::Render() itself and sets DisplaySize, DisplayFramebufferScale and DeltaTime.
// Run three frames before the canvas is shown or input is attached. All lengths are CSS px, all texts UTF-8.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"
#include "core/scenario/request.h"

struct ImGuiContext;

namespace vram::ui {

struct Trace;

/// What the surroundings are like. Whoever sets it asks for a frame.
struct Environment {
  float width = 360;         ///< of the element
  float height = 640;        ///< of the canvas as it is now; the wanted one is Frame::height
  float visible_top = 0;     ///< the part of the canvas in the viewport, so that lists open inside it;
  float visible_bottom = 0;  ///< 0: not known, the whole canvas counts
  float pixel_ratio = 1;     ///< devicePixelRatio
  bool dark = false;
  bool touch = false;  ///< the last pointer was a finger: search fields do not open the soft keyboard by themselves
  bool reduced_motion = false;
  float text_scale = 1;         ///< 1.0 to 1.5
  std::string language = "en";  ///< one of the texts' languages, else the first is used
  std::string address;          ///< the page's address without '#...'; links to copy start with it
};

/// What one frame asks of the host.
struct Frame {
  static constexpr int kIdle = -1;
  float height = 0;     ///< the content's height: what the canvas should have
  int next_ms = kIdle;  ///< kIdle: none until something happens; 0: another one at once; else in so many ms
};

/// What the visitor wants on the clipboard. Answer with App::copied().
struct Copy {
  std::string text;
  bool link = false;  ///< from the button "copy link": announce it
};

/// Where text is being typed: the host keeps an <input> there while `wanted`.
struct TextInput {
  bool wanted = false;
  bool numeric = false;  ///< inputmode=decimal
  float x = 0, y = 0, height = 0;
};

struct Area {
  float x = 0, y = 0, width = 0, height = 0;
};

class App {
 public:
  /// `catalog`, `formulas` and `texts` (one entry per language, at least one) outlive the app.
  App(const Catalog& catalog, const Formulas& formulas, std::span<const Texts> texts);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  void set_environment(const Environment& environment);

  /// Reads the part of an address behind '#' (empty: the start request). What it ignores is said on the page.
  void set_link(std::string_view link);
  /// The state as such a part, without '#': for history.replaceState.
  [[nodiscard]] std::string link() const;
  /// Replaces the request; on an error nothing changes.
  std::optional<Error> set_request_json(std::string_view json);
  [[nodiscard]] std::string request_json() const;
  /// What is said of the files or the log that the request just came from, until it changes again.
  void set_notes(std::vector<std::string> lines);

  /// Builds one frame. `now` in seconds from one steady clock (performance.now() / 1000).
  Frame frame(double now);

  [[nodiscard]] const Request& request() const;
  /// The last good answer, shown greyed while error() is set; nullptr only when the catalogue cannot answer anything.
  [[nodiscard]] const Evaluation* answer() const;
  /// Why the request has no answer now, or nullptr.
  [[nodiscard]] const Error* error() const;
  /// The answer, or the error and its remedy, in one or two sentences for the live region.
  [[nodiscard]] std::string summary() const;

  /// Lets go of everything that points into the catalogue, has it changed, and answers the request anew.
  void change_catalog(const std::function<void()>& change);

  /// Grows whenever the request changed: compare after each frame to update the address and the live region.
  [[nodiscard]] std::uint32_t state_version() const;
  /// The copy asked for since the last call.
  std::optional<Copy> take_copy();
  /// Tells whether the copy worked: the button says so, or the link is shown selected.
  void copied(bool ok);
  /// The text that Ctrl+V inserts, before the key is sent.
  void set_clipboard(std::string_view text);

  /// False when Tab (with `shift`: backwards) leaves the last (first) control: the browser moves on then.
  [[nodiscard]] bool wants_tab(bool shift) const;
  /// The canvas got the keyboard's focus: its first control (or the last, coming backwards) takes it.
  void enter(bool backwards);
  /// The canvas lost it.
  void leave();
  /// True when a list under the pointer scrolls by `dy` (DOM sign: positive is down), so that the page must not.
  [[nodiscard]] bool wants_wheel(float dy) const;
  /// True while a list is open: vertical finger moves belong to it (send them as wheel events).
  [[nodiscard]] bool wants_vertical_touch() const;
  [[nodiscard]] TextInput text_input() const;
  /// The control that the keyboard moved to in the last frame: scroll it into view.
  [[nodiscard]] std::optional<Area> reveal() const;

  [[nodiscard]] ImGuiContext* context() const;
  /// What the last frame drew: labels, controls and their rectangles (tests, and a mirror for screen readers).
  [[nodiscard]] const Trace& trace() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vram::ui
