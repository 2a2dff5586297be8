#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "imgui_internal.h"
#include "tests/ui/harness.h"

namespace vram::ui::test {
namespace {

constexpr std::string_view kJob = "model=llama-3.1-8b&weights=q4_k_m&context=8192&gpu=geforce-rtx-5080";

Bytes need(const Page& page) { return page.app.answer()->memory.need.expected; }

std::size_t stops(const Page& page) {
  std::size_t count = 0;
  for (const Control& control : page.app.trace().controls) count += control.stop ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("Dragging the context slider changes the request and the answer", "[ui]") {
  Page page(700, kJob);
  const Bytes before = need(page);
  const std::uint64_t version = page.app.state_version();
  const Control slider = page.control(page.text("field.context"), Role::slider);
  page.drag(centre(slider), {slider.max.x - 2, centre(slider).y});
  CHECK(page.app.request().integer(Field::context) == 131072);
  CHECK(need(page) > before);
  CHECK(page.app.state_version() > version);
  CHECK(page.app.link().find("context=131072") != std::string::npos);
  const Control after = page.control(page.text("field.context"), Role::slider);
  page.drag({after.max.x - 12, centre(after).y}, {after.min.x, centre(after).y});
  CHECK(page.app.request().integer(Field::context) == 256);
  CHECK(need(page) < before);
}

TEST_CASE("An untouched page asks for no frame and computes nothing", "[ui]") {
  Page page(700, kJob);
  const std::uint64_t version = page.app.state_version();
  for (int i = 0; i < 10; ++i) {
    page.frame();
    CHECK(page.last.next_ms == Frame::kIdle);
  }
  page.move_to({350, 300});
  page.settle();
  CHECK(page.last.next_ms == Frame::kIdle);
  CHECK(page.app.state_version() == version);
}

TEST_CASE("Tab visits every control once and leaves at either end", "[ui][keyboard]") {
  for (const float width : {360.0F, 1200.0F}) {
    Page page(width, kJob);
    const std::size_t count = stops(page);
    REQUIRE(count > 8);
    page.app.enter(false);
    page.settle();
    std::set<std::pair<float, float>> seen;
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(page.app.wants_tab(false) == (i + 1 < count));
      CHECK(page.app.wants_tab(true) == (i > 0));
      if (i + 1 == count) break;
      ImGui::GetIO().AddKeyEvent(ImGuiKey_Tab, true);
      page.frame();
      const auto area = page.app.reveal();
      REQUIRE(area.has_value());
      CHECK(seen.insert({area->x, area->y}).second);
      ImGui::GetIO().AddKeyEvent(ImGuiKey_Tab, false);
      page.settle();
    }
    CHECK(seen.size() == count - 1);
    page.tap_key(ImGuiKey_Tab, true);
    CHECK(page.app.wants_tab(false));
    page.app.enter(true);
    page.settle();
    CHECK_FALSE(page.app.wants_tab(false));
  }
}

TEST_CASE("Arrows change a segmented control and a slider", "[ui][keyboard]") {
  Page page(1200, kJob);
  const Control way = page.control(page.text("field.model"), Role::segmented);
  page.press_at({way.min.x + 20, centre(way).y});
  REQUIRE(page.app.request().has(Field::model));
  page.tap_key(ImGuiKey_RightArrow);
  CHECK(page.app.request().has(Field::parameters_b));
  page.tap_key(ImGuiKey_RightArrow);
  CHECK(page.app.request().has(Field::parameters_b));
  page.tap_key(ImGuiKey_LeftArrow);
  CHECK(page.app.request().text(Field::model) == "llama-3.1-8b");

  const Control slider = page.control(page.text("field.context"), Role::slider);
  page.press_at(centre(slider));
  const std::uint64_t start = page.app.request().integer(Field::context);
  page.tap_key(ImGuiKey_RightArrow);
  CHECK(page.app.request().integer(Field::context) > start);
  page.tap_key(ImGuiKey_Home);
  CHECK(page.app.request().integer(Field::context) == 256);
  page.tap_key(ImGuiKey_RightArrow);
  CHECK(page.app.request().integer(Field::context) == 288);
}

TEST_CASE("A value can be typed, in the language's way", "[ui]") {
  Page page(700, kJob, "pt");
  const auto type_context = [&page](std::string_view text) {
    page.press_at(centre(page.control(page.text("field.context"), Role::value)));
    REQUIRE(page.app.text_input().wanted);
    CHECK(page.app.text_input().numeric);
    page.type(text);
    page.tap_key(ImGuiKey_Enter);
    CHECK_FALSE(page.app.text_input().wanted);
  };
  type_context("16.384");
  CHECK(page.app.request().integer(Field::context) == 16384);
  type_context("32k");
  CHECK(page.app.request().integer(Field::context) == 32768);
}

TEST_CASE("A typed value that cannot be keeps the last answer and says what would be right", "[ui][error]") {
  Page page(700, kJob);
  const Bytes before = need(page);
  page.press_at(centre(page.control(page.text("field.context"), Role::value)));
  page.type("0");
  page.tap_key(ImGuiKey_Enter);
  REQUIRE(page.app.error() != nullptr);
  CHECK(page.app.error()->where == "context");
  CHECK(need(page) == before);
  CHECK(page.app.request().integer(Field::context) == 8192);
  page.press_at(centre(page.control(page.text("field.context"), Role::value)));
  page.type("4096");
  page.tap_key(ImGuiKey_Enter);
  CHECK(page.app.error() == nullptr);
  CHECK(need(page) < before);
}

TEST_CASE("A request without an answer keeps the last good one", "[ui][error]") {
  Page page(700, kJob);
  const Bytes before = need(page);
  CHECK_FALSE(page.app.set_request_json(R"({"model":"llama-3.1-8b","gpu_count":2,"tensor_parallel":3})").has_value());
  page.settle();
  REQUIRE(page.app.error() != nullptr);
  REQUIRE(page.app.answer() != nullptr);
  CHECK(need(page) == before);
  CHECK(page.shows(page.text("ui.last_good").substr(0, 12)));
  CHECK_FALSE(page.app.summary().empty());
  CHECK(page.last.next_ms == Frame::kIdle);
}

TEST_CASE("Fields that do not go with the last choice make way for it", "[ui][error]") {
  Page page(700, kJob);
  page.press_at(centre(page.control(page.text("field.task"), Role::select)));
  for (int i = 0; i < 5; ++i) page.tap_key(ImGuiKey_DownArrow);  // inference -> full
  page.tap_key(ImGuiKey_Enter);
  CHECK(page.app.answer()->scenario.task == Task::full);
  CHECK(page.app.error() == nullptr);
  CHECK_FALSE(page.app.request().has(Field::weights));
  CHECK(page.shows(page.text("ui.set_back").substr(0, 12)));
}

TEST_CASE("A request that is no request changes nothing", "[ui][error]") {
  Page page(700, kJob);
  const std::string link = page.app.link();
  for (const char* text : {"", "[]", "{\"bogus\":1}", "{\"context\":-1}", "{"}) {
    CHECK(page.app.set_request_json(text).has_value());
    CHECK(page.app.link() == link);
    CHECK(page.app.error() == nullptr);
  }
}

TEST_CASE("A link is restored, and what it says in vain is reported", "[ui][link]") {
  Page page(700, "task=qlora&model=llama-3.1-8b&context=2048&bogus=1&gpu_count=zero");
  CHECK(page.app.answer()->scenario.task == Task::qlora);
  CHECK(page.app.request().integer(Field::context) == 2048);
  CHECK(page.shows("bogus"));
  CHECK(page.shows("gpu_count"));
  Page again(700, page.app.link());
  CHECK(again.app.request() == page.app.request());

  Page broken(700, "model=no-such-model&gpu_count=2&tensor_parallel=3&context=2048");
  REQUIRE(broken.app.answer() != nullptr);
  CHECK(broken.app.error() == nullptr);
  CHECK(broken.app.request().integer(Field::context) == 2048);
  CHECK(broken.app.request().integer(Field::gpu_count) == 2);
  CHECK_FALSE(broken.app.request().has(Field::tensor_parallel));
  CHECK(broken.shows("no-such-model"));
  CHECK(broken.shows("tensor_parallel"));
}

TEST_CASE("A list is searched without accents and taken from by keyboard", "[ui][list]") {
  Page page(700, kJob);
  page.press_at(centre(page.control(page.text("field.gpu"), Role::select)));
  CHECK(page.app.wants_vertical_touch());
  CHECK(page.app.wants_tab(false));
  REQUIRE(page.app.text_input().wanted);
  page.type("5090");
  const auto options = [&page] {
    std::size_t count = 0;
    for (const Control& control : page.app.trace().controls) count += control.role == Role::option ? 1 : 0;
    return count;
  };
  REQUIRE(options() >= 1);
  page.tap_key(ImGuiKey_Enter);
  CHECK(std::string(page.app.request().text(Field::gpu)).find("5090") != std::string::npos);
  CHECK_FALSE(page.app.wants_vertical_touch());

  page.press_at(centre(page.control(page.text("field.gpu"), Role::select)));
  page.type("no such card");
  CHECK(options() == 0);
  CHECK(page.shows(page.text("ui.no_match").substr(0, 10)));
  page.tap_key(ImGuiKey_Escape);
  CHECK_FALSE(page.app.wants_vertical_touch());
}

TEST_CASE("The wheel belongs to the page unless a list under the pointer can scroll", "[ui][list]") {
  Page page(700, kJob);
  page.move_to({350, 300});
  CHECK_FALSE(page.app.wants_wheel(1));
  page.press_at(centre(page.control(page.text("field.gpu"), Role::select)));
  const Control option = [&page] {
    for (const Control& control : page.app.trace().controls) {
      if (control.role == Role::option) return control;
    }
    return Control{};
  }();
  page.move_to(centre(option));
  CHECK((page.app.wants_wheel(1) || page.app.wants_wheel(-1)));
}

TEST_CASE("A model is found by size and by name again", "[ui]") {
  Page page(700, kJob);
  const Control way = page.control(page.text("field.model"), Role::segmented);
  page.press_at({way.max.x - 20, centre(way).y});
  CHECK_FALSE(page.app.request().has(Field::model));
  CHECK(page.app.request().number(Field::parameters_b) == 8.0);
  const Control slider = page.control(page.text("field.parameters_b"), Role::slider);
  const Bytes before = need(page);
  page.drag(centre(slider), {slider.max.x - 40, centre(slider).y});
  CHECK(need(page) > before);
  page.press_at({way.min.x + 20, centre(way).y});
  CHECK(page.app.request().text(Field::model) == "llama-3.1-8b");
  CHECK_FALSE(page.app.request().has(Field::parameters_b));
}

TEST_CASE("Copying the link tells the host, and says what became of it", "[ui][link]") {
  Page page(700, kJob);
  CHECK_FALSE(page.app.take_copy().has_value());
  page.press_at(centre(page.control(page.text("ui.copy_link"), Role::button)));
  const auto copy = page.app.take_copy();
  REQUIRE(copy.has_value());
  CHECK(copy->link);
  CHECK(copy->text == "https://example.org/vram#" + page.app.link());
  page.app.copied(true);
  page.frame();
  CHECK(page.shows(page.text("ui.copied")));
  CHECK(page.last.next_ms > 0);
  page.frames(60);
  CHECK_FALSE(page.shows(page.text("ui.copied")));
  CHECK(page.last.next_ms == Frame::kIdle);

  page.app.copied(false);
  page.settle();
  CHECK(page.shows(page.text("ui.copy_by_hand")));
}

TEST_CASE("The number of GPUs is stepped, and several never add up", "[ui]") {
  Page page(700, kJob);
  const Control more = page.control(page.text("ui.more"), Role::button);
  page.press_at(centre(more));
  page.press_at(centre(page.control(page.text("ui.more"), Role::button)));
  CHECK(page.app.request().integer(Field::gpu_count) == 3);
  CHECK(page.app.answer()->gpus.size() == 3);
  CHECK(page.shows(page.text("ui.no_sum").substr(0, 12)));
}

TEST_CASE("A line of the result opens to its formula and source", "[ui]") {
  Page page(700, kJob);
  const std::size_t before = page.app.trace().labels.size();
  page.press_at(centre(page.control(page.text("group.weights"), Role::fold)));
  CHECK(page.app.trace().labels.size() > before + 1);
  CHECK(page.shows("F-"));
}

TEST_CASE("Fields appear when they apply", "[ui]") {
  const auto has = [](const Page& page, std::string_view field) {
    return page.app.trace().find(page.text("field." + std::string(field))) != nullptr;
  };
  const Page inference(700, kJob);
  CHECK(has(inference, "batch"));
  CHECK_FALSE(has(inference, "users"));
  CHECK_FALSE(has(inference, "optimizer"));
  const Page serving(700, "task=serving&model=llama-3.1-8b");
  CHECK(has(serving, "users"));
  CHECK_FALSE(has(serving, "batch"));
  const Page lora(700, "task=lora&model=llama-3.1-8b");
  CHECK(has(lora, "optimizer"));
  CHECK(has(lora, "lora_rank"));
  const Page full(700, "task=full&model=llama-3.1-8b");
  CHECK(has(full, "optimizer"));
  CHECK_FALSE(has(full, "lora_rank"));
}

}  // namespace vram::ui::test
