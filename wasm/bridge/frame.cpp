// Drawing: the only code that knows both the app and WebGL.
#include <GLES3/gl3.h>

#include <optional>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"

namespace {

using vram::bridge::lend;
using vram::bridge::session;

struct Drawing {
  bool ready = false;
  std::uint64_t frames = 0;
  std::optional<vram::ui::Copy> copy;
  FrameReport report{};
};

Drawing& drawing() {
  static Drawing the_drawing;
  return the_drawing;
}

void clear_to_background() {
  const auto& environment = session().environment;
  const ImVec4& background = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glViewport(0, 0, static_cast<GLsizei>(environment.width * environment.pixel_ratio + 0.5F),
             static_cast<GLsizei>(environment.height * environment.pixel_ratio + 0.5F));
  glClearColor(background.x, background.y, background.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void report_text_input(FrameReport& report) {
  const vram::ui::TextInput text = session().app.text_input();
  report.text_wanted = text.wanted ? 1 : 0;
  report.text_numeric = text.numeric ? 1 : 0;
  report.text_x = static_cast<double>(text.x);
  report.text_y = static_cast<double>(text.y);
  report.text_height = static_cast<double>(text.height);
}

void report_reveal(FrameReport& report) {
  const std::optional<vram::ui::Area> area = session().app.reveal();
  report.reveal_wanted = area ? 1 : 0;
  if (!area) return;
  report.reveal_x = static_cast<double>(area->x);
  report.reveal_y = static_cast<double>(area->y);
  report.reveal_width = static_cast<double>(area->width);
  report.reveal_height = static_cast<double>(area->height);
}

}  // namespace

int vram_graphics_start() {
  ImGui::SetCurrentContext(session().app.context());
  drawing().ready = ImGui_ImplOpenGL3_Init("#version 300 es");
  return drawing().ready ? 1 : 0;
}

int vram_graphics_restart() {
  ImGui::SetCurrentContext(session().app.context());
  if (drawing().ready) ImGui_ImplOpenGL3_Shutdown();
  return vram_graphics_start();
}

const FrameReport* vram_frame(double now, float visible_top, float visible_bottom) {
  auto& app = session().app;
  session().environment.visible_top = visible_top;
  session().environment.visible_bottom = visible_bottom;
  app.set_environment(session().environment);
  auto& state = drawing();
  ImGui::SetCurrentContext(app.context());
  if (state.ready) ImGui_ImplOpenGL3_NewFrame();
  const vram::ui::Frame frame = app.frame(now / 1000);
  if (state.ready) {
    clear_to_background();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  ++state.frames;
  if (auto copy = app.take_copy()) state.copy = std::move(copy);

  FrameReport& report = state.report;
  report.next_ms = frame.next_ms;
  report.height = static_cast<double>(frame.height);
  report.cursor = ImGui::GetMouseCursor();
  report.state_version = app.state_version();
  report.copy_wanted = state.copy ? 1 : 0;
  report_text_input(report);
  report_reveal(report);
  report.frames = static_cast<double>(state.frames);
  return &report;
}

const char* vram_take_copy() {
  auto& copy = drawing().copy;
  std::string text = copy ? std::move(copy->text) : std::string();
  copy.reset();
  return lend(std::move(text));
}
