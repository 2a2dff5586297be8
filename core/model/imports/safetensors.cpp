#include "core/model/imports/safetensors.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/json.h"
#include "core/model/imports/json_members.h"

namespace vram::imports {
namespace {

struct Dtype {
  std::string_view name, ours;
  std::uint8_t bits;
  bool quantised;  ///< stands for weights that scales multiply, or packs several
};
// safetensors/src/tensor.rs, enum Dtype.
constexpr std::array kDtypes = {
    Dtype{"F64", "f64", 64, false},       Dtype{"F32", "f32", 32, false},       Dtype{"F16", "f16", 16, false},
    Dtype{"BF16", "bf16", 16, false},     Dtype{"I64", "i64", 64, false},       Dtype{"U64", "u64", 64, false},
    Dtype{"I32", "i32", 32, true},        Dtype{"U32", "u32", 32, true},        Dtype{"I16", "i16", 16, true},
    Dtype{"U16", "u16", 16, true},        Dtype{"I8", "i8", 8, true},           Dtype{"U8", "u8", 8, true},
    Dtype{"BOOL", "bool", 8, false},      Dtype{"F8_E4M3", "f8_e4m3", 8, true}, Dtype{"F8_E5M2", "f8_e5m2", 8, true},
    Dtype{"F8_E8M0", "f8_e8m0", 8, true}, Dtype{"F4", "f4", 4, true},           Dtype{"C64", "c64", 64, false},
    Dtype{"F6_E2M3", "f6_e2m3", 6, true}, Dtype{"F6_E3M2", "f6_e3m2", 6, true}};

constexpr std::size_t kMostTensors = 1U << 20U;

const Dtype* find_dtype(std::string_view name) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == name) return &dtype;
  }
  return nullptr;
}

/// One entry of the header; nullopt when it is good.
std::optional<Error> read_tensor(std::string_view name, std::string_view text, std::uint64_t at,
                                 std::uint64_t data_size, FileTensor& tensor) {
  const auto wrong = [&](std::string got, std::string expected) {
    return damaged(at, std::string(name.substr(0, 60)) + ": " + std::move(got), std::move(expected));
  };
  const auto parsed = json::parse(text);
  if (!parsed || !parsed->is(json::Kind::object)) return wrong("no entry", "dtype, shape and data_offsets");
  const json::Value* dtype = parsed->find("dtype");
  const json::Value* shape = parsed->find("shape");
  const json::Value* offsets = parsed->find("data_offsets");
  if (dtype == nullptr || shape == nullptr || offsets == nullptr || offsets->items().size() != 2) {
    return wrong("no entry", "dtype, shape and data_offsets");
  }
  const Dtype* known = find_dtype(dtype->text());
  if (known == nullptr) return wrong("dtype " + json::brief(*dtype), "a dtype of the format");
  if (shape->items().size() > FileTensor::kMostDimensions) {
    return wrong(std::to_string(shape->items().size()) + " dimensions", "at most 8");
  }
  tensor.name = name;
  tensor.type = known->ours;
  tensor.quantised = known->quantised;
  tensor.elements = 1;
  for (const json::Value& length : shape->items()) {
    if (!length.is(json::Kind::integer)) return wrong("shape " + json::brief(*shape), "whole numbers");
    tensor.shape[tensor.dimensions++] = length.integer();
    tensor.elements *= length.integer();
  }
  const Count begin = offsets->items()[0].integer(), end = offsets->items()[1].integer();
  tensor.bytes = ceil_div(tensor.elements * Count(known->bits), 8);
  if (end < begin || end > Count(data_size)) {
    return wrong("data up to " + std::to_string(end.value()), "at most " + std::to_string(data_size) + " bytes");
  }
  if (end - begin != tensor.bytes) {
    return wrong(std::to_string((end - begin).value()) + " bytes", std::to_string(tensor.bytes.value()));
  }
  return std::nullopt;
}

}  // namespace

bool looks_like_safetensors(std::span<const std::uint8_t> bytes) {
  // The longest header allowed, 100 MB, leaves the upper half of the length zero.
  return bytes.size() >= 9 && bytes[8] == '{' && bytes[4] == 0 && bytes[5] == 0 && bytes[6] == 0 && bytes[7] == 0;
}

Reading<Safetensors> read_safetensors(std::span<const std::uint8_t> bytes, std::uint64_t file_size) {
  ByteReader reader(bytes, file_size);
  const std::uint64_t length = reader.u64();
  const std::string_view text = reader.text(length);
  if (!reader.ok()) return reader.failure<Safetensors>();
  Safetensors file;
  file.data_offset = reader.at();
  const std::uint64_t data_size = file_size - file.data_offset;
  JsonMembers members(text);
  std::string_view name, value;
  while (members.next(name, value)) {
    if (name == "__metadata__") continue;
    if (file.tensors.size() >= kMostTensors) return damaged(8 + members.at(), "too many tensors", "at most 1048576");
    FileTensor tensor;
    if (auto error = read_tensor(name, value, 8 + members.at(), data_size, tensor)) return *error;
    file.tensors.push_back(std::move(tensor));
  }
  if (!members.ok()) return damaged(8 + members.at(), "no JSON", "an object of tensors");
  return file;
}

Result<SafetensorsIndex> read_safetensors_index(std::string_view text) {
  SafetensorsIndex index;
  JsonMembers members(text);
  std::string_view name, value;
  bool has_map = false;
  while (members.next(name, value)) {
    if (name == "metadata") {
      const auto metadata = json::parse(value);
      const json::Value* size = metadata ? metadata->find("total_size") : nullptr;
      if (size != nullptr) index.total_size = size->integer();
    }
    if (name != "weight_map") continue;
    has_map = true;
    JsonMembers map(value);
    std::string_view tensor, file;
    while (map.next(tensor, file)) {
      const std::size_t open = file.find('"'), close = file.rfind('"');
      if (open == close || close - open > 512) return damaged(map.at(), std::string(tensor.substr(0, 60)), "a file");
      index.files.emplace_back(file.substr(open + 1, close - open - 1));
      // Neighbours mostly lie in one file: the list stays short while it is read.
      if (index.files.size() > 1 && index.files.back() == index.files[index.files.size() - 2]) index.files.pop_back();
    }
    if (!map.ok()) return damaged(map.at(), "no JSON", "weight_map");
  }
  if (!members.ok()) return damaged(members.at(), "no JSON", "an object");
  if (!has_map) return Error{ErrorCode::missing_field, "weight_map", "", "model.safetensors.index.json", 0};
  std::sort(index.files.begin(), index.files.end());
  index.files.erase(std::unique(index.files.begin(), index.files.end()), index.files.end());
  return index;
}

}  // namespace vram::imports
