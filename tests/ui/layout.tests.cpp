// What every visitor sees must fit, in every language and at every width.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/ui/harness.h"

namespace vram::ui::test {
namespace {

constexpr std::array<std::string_view, 6> kLanguages = {"en", "pt", "it", "es", "fr", "de"};
constexpr std::array<float, 5> kWidths = {320, 360, 480, 700, 1200};

// Jobs that together show every control and every part of the result.
constexpr std::array<std::string_view, 6> kLinks = {
    "",
    "task=serving&model=llama-3.1-8b&framework=vllm&users=64&gpu_count=4&weights=bf16&growth_percent=50",
    "task=qlora&model=llama-3.1-70b&lora_targets=q,v&gpu_count=2&os=windows&display=cad",
    "task=full&model=llama-3.1-8b&gpu_count=8&sharding=fsdp&optimizer=adamw_8bit",
    "parameters_b=13&weights=q4_k_m&framework=llama.cpp&gpus=geforce-rtx-5090,geforce-rtx-5080&context=8192",
    "model=llama-3.1-8b&context=8192&batch=4&tensor_parallel=3&gpu_count=2&bogus=1",
};

/// Opens every folded line, so that all that can be shown is shown.
void unfold_all(Page& page) {
  for (int round = 0; round < 40; ++round) {
    const Control* closed = nullptr;
    for (const Control& control : page.app.trace().controls) {
      if (control.role == Role::fold && control.value == page.text("ui.closed")) closed = &control;
    }
    if (closed == nullptr) return;
    page.press_at(centre(*closed));
  }
}

bool apart(ImVec2 a_min, ImVec2 a_max, ImVec2 b_min, ImVec2 b_max, float overlap) {
  return a_max.x <= b_min.x + 0.5F || b_max.x <= a_min.x + 0.5F || a_max.y <= b_min.y + overlap ||
         b_max.y <= a_min.y + overlap;
}

std::string at(ImVec2 place) { return " at " + std::to_string(place.x) + ", " + std::to_string(place.y); }

/// What is wrong with the labels; empty when nothing is.
std::string faults_of_labels(const Page& page) {
  std::string faults;
  const auto& labels = page.app.trace().labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Label& one = labels[i];
    if (one.max.x - one.min.x > one.room + 0.5F) faults += "too wide: " + one.text + at(one.min) + "\n";
    if (one.shortened) faults += "shortened: " + one.text + at(one.min) + "\n";
    if (one.min.x < 0 || one.max.x > page.environment.width || one.max.y > page.last.height) {
      faults += "outside: " + one.text + at(one.min) + "\n";
    }
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      // Lines of text are a little higher than the letters in them.
      if (apart(one.min, one.max, labels[j].min, labels[j].max, 4)) continue;
      faults += one.text + at(one.min) + " covers " + labels[j].text + at(labels[j].min) + "\n";
    }
  }
  return faults;
}

std::string faults_of_controls(const Page& page) {
  std::string faults;
  const auto& controls = page.app.trace().controls;
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const Control& one = controls[i];
    if (one.max.y - one.min.y < 39.9F || one.max.x - one.min.x < 39.9F)
      faults += "too small: " + one.label + at(one.min) + "\n";
    if (one.min.x < 0 || one.max.x > page.environment.width || one.max.y > page.last.height) {
      faults += "outside: " + one.label + at(one.min) + "\n";
    }
    for (std::size_t j = i + 1; j < controls.size(); ++j) {
      if (apart(one.min, one.max, controls[j].min, controls[j].max, 0.5F)) continue;
      faults += one.label + at(one.min) + " covers " + controls[j].label + at(controls[j].min) + "\n";
    }
  }
  return faults;
}

}  // namespace

TEST_CASE("Nothing overflows, overlaps or is too small to press", "[ui][layout]") {
  for (const std::string_view language : kLanguages) {
    for (const float width : kWidths) {
      for (const std::string_view link : kLinks) {
        INFO(language << " at " << width << " px: " << link);
        Page page(width, link, language);
        CHECK(faults_of_labels(page) == "");
        CHECK(faults_of_controls(page) == "");
        unfold_all(page);
        CHECK(faults_of_labels(page) == "");
        CHECK(faults_of_controls(page) == "");
      }
    }
  }
}

TEST_CASE("Larger text still fits", "[ui][layout]") {
  for (const float width : {320.0F, 700.0F, 1200.0F}) {
    Page page(width, kLinks[1], "it");
    page.environment.text_scale = 1.5F;
    page.app.set_environment(page.environment);
    page.frames(3);
    INFO(width);
    CHECK(faults_of_labels(page) == "");
    CHECK(faults_of_controls(page) == "");
  }
}

TEST_CASE("The height settles within three frames, and then no frame is asked for", "[ui][layout]") {
  for (const float width : kWidths) {
    Page page(width, {}, "pt", 3);
    const float settled = page.last.height;
    CHECK(page.settle() == 1);
    CHECK(page.last.height == settled);
    CHECK(page.last.next_ms == Frame::kIdle);

    page.environment.width = width == 1200 ? 700 : 1200;
    page.app.set_environment(page.environment);
    page.frames(3);
    const float after = page.last.height;
    page.frames(3);
    CHECK(page.last.height == after);
    CHECK(page.last.next_ms == Frame::kIdle);
  }
}

TEST_CASE("Wide pages put the inputs beside the result, narrow ones the summary above the inputs", "[ui][layout]") {
  const auto place = [](const Page& page, std::string_view text) {
    for (const Label& label : page.app.trace().labels) {
      if (label.text == text) return label.min;
    }
    FAIL("nothing says " << text);
    return ImVec2();
  };
  const Page wide(1200);
  CHECK(place(wide, wide.text("ui.needed")).x > wide.control(wide.text("field.model"), Role::select).max.x);
  const Page narrow(360);
  CHECK(place(narrow, narrow.text("ui.needed")).y < narrow.control(narrow.text("field.model"), Role::select).min.y);
  CHECK(place(narrow, narrow.text("ui.tiers")).y > narrow.control(narrow.text("field.model"), Role::select).max.y);
}

}  // namespace vram::ui::test
