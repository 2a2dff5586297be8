// Reads one entry of a fact file (a GPU, a platform, a machine). Unlike a request, where the first bad field is the error,
// an entry tells all its faults at once, so that whoever edits a catalogue file mends it in one go.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace vram {

enum class Presence : std::uint8_t { required, optional };

class FactReader {
 public:
  /// `entry` and `faults` must outlive the reader; `path` is e.g. "gpus[3]". An entry that is no object is a fault.
  FactReader(const json::Value& entry, std::string path, std::vector<Error>& faults);

  /// No fault since construction, nor in a child().
  [[nodiscard]] bool ok() const { return faults_->size() == faults_before_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Each returns the neutral value, with a fault, where the member is missing, of another kind or outside the limits.
  std::string text(std::string_view key, Presence presence = Presence::required);
  /// Lower-case letters, digits, '-' and '.'; at most 64 characters.
  std::string id(std::string_view key);
  std::uint32_t integer(std::string_view key, std::uint32_t least, std::uint32_t most,
                        Presence presence = Presence::required);
  double number(std::string_view key, double least, double most, Presence presence = Presence::required);
  bool flag(std::string_view key, bool fallback);
  /// 1 or 0 as given, -1 when absent.
  int maybe(std::string_view key);
  /// Index into `choices`, `fallback` when absent.
  std::size_t choice(std::string_view key, std::span<const std::string_view> choices, std::size_t fallback,
                     Presence presence = Presence::required);
  std::vector<std::string> texts(std::string_view key);
  /// A list of at least `least` items, or nullptr.
  const json::Value* list(std::string_view key, std::size_t least, Presence presence = Presence::required);
  /// A member object as its own reader; where it is absent, everything read from it is neutral and no further fault.
  FactReader child(std::string_view key, Presence presence = Presence::required);
  /// The member of any kind, or nullptr; no check.
  const json::Value* any(std::string_view key);

  /// A fault at a member (or, with an empty key, at the entry itself).
  void fault(ErrorCode code, std::string_view key, std::string got, std::string expected);
  /// One fault for every member that nobody asked for.
  void finish();

 private:
  FactReader(const json::Value* entry, std::string path, std::vector<Error>& faults);
  const json::Value* find(std::string_view key, json::Kind kind, Presence presence);

  const json::Value* entry_;  ///< nullptr: nothing to read, already reported
  std::string path_;
  std::vector<Error>* faults_;
  std::size_t faults_before_;
  std::vector<std::string_view> known_;
};

/// Walks the list `key` of a fact file: `read(item, path)` once per entry. A file without that list is one fault, as are
/// members of the file other than the list, "$schema", "date", "note" and "source_legend".
template <class Read>
void for_each_entry(const json::Value& file, std::string_view key, std::vector<Error>& faults, const Read& read);

/// The list of a fact file, or nullptr with a fault.
const json::Value* entries_of(const json::Value& file, std::string_view key, std::vector<Error>& faults);

template <class Read>
void for_each_entry(const json::Value& file, std::string_view key, std::vector<Error>& faults, const Read& read) {
  const json::Value* const entries = entries_of(file, key, faults);
  if (entries == nullptr) return;
  std::size_t index = 0;
  for (const json::Value& entry : entries->items()) {
    read(entry, std::string(key) + '[' + std::to_string(index) + ']');
    ++index;
  }
}

/// True for "2026-11-30".
bool is_iso_date(std::string_view text);

}  // namespace vram
