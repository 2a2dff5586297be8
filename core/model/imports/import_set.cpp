#include "core/model/imports/import_set.h"

#include <algorithm>

#include "core/format/storage_format.h"
#include "core/model/file_weights.h"
#include "core/model/imports/file_places.h"
#include "core/model/imports/gguf_model.h"
#include "core/model/imports/hf_config.h"
#include "core/model/read_model.h"

namespace vram::imports {
namespace {

constexpr std::size_t kMostFiles = 1024;

Reading<ImportSet::Kind> too_many() {
  return Error{ErrorCode::too_large, "files", "", "at most " + std::to_string(kMostFiles) + " files", 0};
}

/// A description that was put together must read back: what the link will carry is what was imported.
Result<Imported> checked(Imported imported) {
  auto model = read_model(write_model(imported.model), "model", true);
  if (!model) return model.error();
  imported.model = std::move(*model);
  return imported;
}

/// The storage format whose weights come nearest to the bytes found, among those that a checkpoint can be in.
std::string nearest_format(Bytes bytes, Count parameters) {
  const double bits = parameters ? bytes.as_double() * 8 / parameters.as_double() : 16;
  if (bits > 24) return "fp32";
  if (bits > 12) return "bf16";
  return bits > 6.5 ? "fp8" : "awq4";
}

}  // namespace

Reading<ImportSet::Kind> ImportSet::add(std::string_view name, std::span<const std::uint8_t> head,
                                        std::uint64_t file_size) {
  if (file_size < head.size()) file_size = head.size();
  if (ggufs_.size() + safetensors_.size() >= kMostFiles) return too_many();
  const std::size_t least = static_cast<std::size_t>(std::min<std::uint64_t>(file_size, 9));
  if (head.size() < least) return NeedMore{least};
  if (looks_like_gguf(head)) {
    auto reading = read_gguf(head, file_size);
    if (auto* file = std::get_if<Gguf>(&reading)) {
      ggufs_.push_back(std::move(*file));
      return Kind::gguf;
    }
    if (const auto* need = std::get_if<NeedMore>(&reading)) return *need;
    return std::get<Error>(reading);
  }
  if (looks_like_safetensors(head)) {
    auto reading = read_safetensors(head, file_size);
    if (auto* file = std::get_if<Safetensors>(&reading)) {
      safetensors_.push_back(std::move(*file));
      return Kind::safetensors;
    }
    if (const auto* need = std::get_if<NeedMore>(&reading)) return *need;
    return std::get<Error>(reading);
  }
  // Texts are read whole.
  if (file_size > kMostHeader) return damaged(0, "neither GGUF, safetensors nor JSON", "a model's file");
  if (head.size() < file_size) return NeedMore{file_size};
  return add_json(name, {reinterpret_cast<const char*>(head.data()), head.size()});
}

Reading<ImportSet::Kind> ImportSet::add_json(std::string_view name, std::string_view text) {
  // An index of a hundred thousand tensors is walked, not built.
  if (text.find("\"weight_map\"") != std::string_view::npos) {
    auto index = read_safetensors_index(text);
    if (!index) return index.error();
    index_ = std::move(*index);
    return Kind::index;
  }
  auto parsed = json::parse(text);
  if (!parsed) {
    Error error = parsed.error();
    if (error.where.empty()) error.where = name.substr(0, 60);
    return error;
  }
  if (!parsed->is(json::Kind::object)) return damaged(0, json::brief(*parsed), "a JSON object");
  config_ = std::move(*parsed);
  return config_->find("_class_name") != nullptr ? Kind::diffusers : Kind::config;
}

std::vector<const FileTensor*> ImportSet::tensors() const {
  std::vector<const FileTensor*> list;
  for (const Gguf& file : ggufs_) {
    for (const FileTensor& tensor : file.tensors) list.push_back(&tensor);
  }
  for (const Safetensors& file : safetensors_) {
    for (const FileTensor& tensor : file.tensors) list.push_back(&tensor);
  }
  return list;
}

Result<Imported> ImportSet::finish() const {
  if (!ggufs_.empty()) {
    auto imported = model_of_gguf(ggufs_);
    if (!imported) return imported.error();
    return checked(std::move(*imported));
  }
  if (config_) return finish_checkpoint();
  return Error{ErrorCode::missing_field, "config.json", "",
               "the model's config.json beside its weights: they do not say how many heads there are", 0};
}

Result<Imported> ImportSet::finish_checkpoint() const {
  // A catalogue entry is taken as it is: what "add this model" gave comes back.
  if (config_->find("hidden") != nullptr && config_->find("layers") != nullptr) {
    auto model = read_model(*config_, "model", false);
    if (!model) return model.error();
    Imported imported;
    imported.model = std::move(*model);
    if (imported.model.file_weights) imported.weights = imported.model.file_weights->format;
    return imported;
  }
  if (config_->find("_class_name") != nullptr) {
    return Error{ErrorCode::unsupported, "model_index.json", "diffusers",
                 "a language, vision-language or embedding model", 0};
  }
  auto reading = read_hf_config(*config_);
  if (!reading) return reading.error();
  Imported imported;
  auto model = read_model(reading->entry, "config.json", true);
  if (!model) return model.error();
  imported.model = std::move(*model);
  imported.weights = std::move(reading->weights);
  imported.assumed = std::move(reading->assumed);
  store(imported);
  return checked(std::move(imported));
}

/// Adds the weight files' tensors, if any were given.
void ImportSet::store(Imported& imported) const {
  Model& model = imported.model;
  if (safetensors_.empty()) {
    if (imported.weights.empty()) {
      const std::uint64_t total = index_ ? index_->total_size : 0;
      imported.weights = total != 0 ? nearest_format(total, model.parameters) : "bf16";
      imported.assumed.push_back({"format", imported.weights});
    }
    return;
  }
  const std::size_t expected = index_ ? index_->files.size() : 1;
  if (safetensors_.size() < expected) {
    imported.assumed.push_back({"shards", std::to_string(expected - safetensors_.size())});
    if (imported.weights.empty()) imported.weights = nearest_format(index_->total_size, model.parameters);
    return;  // sums of some shards would pass for the whole
  }
  std::vector<PlacedTensor> placed;
  Bytes bytes;
  Count elements;
  bool packed = false;
  for (const FileTensor* tensor : tensors()) {
    const Place place =
        place_of_checkpoint(tensor->name, static_cast<std::uint32_t>(model.order.size()), !model.encoder.empty());
    if (place.part == Place::Part::none) continue;
    bytes += tensor->bytes;
    if (place.part != Place::Part::mtp) elements += tensor->elements;
    packed = packed || tensor->quantised;
    placed.push_back({tensor, place});
  }
  if (!packed && elements != model.parameters) {
    imported.assumed.push_back({"difference", std::to_string(elements.value())});
  }
  if (imported.weights.empty()) imported.weights = nearest_format(bytes, model.parameters);
  auto weights = std::make_shared<FileWeights>();
  weights->format = imported.weights;
  weights->stored = stored_in_file(placed, model, packed);
  complete_file_weights(model, weights->stored);
  model.file_weights = std::move(weights);
}

}  // namespace vram::imports
