#include "core/model/imports/gguf.h"

#include <algorithm>
#include <cstring>

#include "core/format/storage_format.h"

namespace vram::imports {
namespace {

constexpr std::uint64_t kMostValues = 1U << 16U;
constexpr std::uint64_t kMostTensors = 1U << 20U;
constexpr std::uint64_t kMostKey = 1U << 16U;  // ggml's own limit
constexpr std::size_t kLongestKeptText = 1U << 10U;
constexpr std::uint64_t kLongestKeptList = 1U << 12U;  ///< one number a layer is what matters
constexpr std::uint64_t kMostAlignment = 1U << 20U;

// enum gguf_type (ggml/include/gguf.h).
enum ValueType : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kText, kList, kU64, kI64, kF64 };

/// Bytes of a number of that type; 0 for texts, lists and types that do not exist.
std::uint64_t width_of(std::uint32_t type) {
  switch (type) {
    case kU8:
    case kI8:
    case kBool: return 1;
    case kU16:
    case kI16: return 2;
    case kU32:
    case kI32:
    case kF32: return 4;
    case kU64:
    case kI64:
    case kF64: return 8;
    default: return 0;
  }
}

std::uint64_t whole(double value) {
  if (!(value > 0)) return 0;
  return value >= 9e18 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(value + 0.5);
}

std::uint64_t read_number(ByteReader& reader, std::uint32_t type) {
  switch (type) {
    case kU8: return reader.u8();
    case kBool: return reader.u8() != 0 ? 1 : 0;
    case kI8: return static_cast<std::uint64_t>(std::max<int>(0, static_cast<std::int8_t>(reader.u8())));
    case kU16: return reader.u16();
    case kI16: return static_cast<std::uint64_t>(std::max<int>(0, static_cast<std::int16_t>(reader.u16())));
    case kU32: return reader.u32();
    case kI32: return static_cast<std::uint64_t>(std::max<std::int32_t>(0, static_cast<std::int32_t>(reader.u32())));
    case kU64: return reader.u64();
    case kI64: return static_cast<std::uint64_t>(std::max<std::int64_t>(0, static_cast<std::int64_t>(reader.u64())));
    case kF32: {
      const std::uint32_t bits = reader.u32();
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return whole(static_cast<double>(value));
    }
    case kF64: {
      const std::uint64_t bits = reader.u64();
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return whole(value);
    }
    default: return 0;
  }
}

void read_list(ByteReader& reader, GgufValue& value) {
  const std::uint32_t type = reader.u32();
  const std::uint64_t length = reader.u64();
  value.is_list = true;
  value.number = length;
  if (type == kText) {
    for (std::uint64_t i = 0; i < length && reader.ok(); ++i) reader.skip(reader.u64());
    return;
  }
  const std::uint64_t width = width_of(type);
  if (width == 0) {
    reader.fail("a list of type " + std::to_string(type), "numbers or texts");
    return;
  }
  if (length > reader.file_size() / width) {
    reader.fail(std::to_string(length) + " list entries", "a list within the file");
    return;
  }
  if (length > kLongestKeptList) {
    reader.skip(length * width);
    return;
  }
  for (std::uint64_t i = 0; i < length && reader.ok(); ++i) value.list.push_back(read_number(reader, type));
}

void read_value(ByteReader& reader, GgufValue& value) {
  const std::uint64_t key_length = reader.u64();
  if (reader.ok() && (key_length == 0 || key_length > kMostKey)) {
    reader.fail("a key of " + std::to_string(key_length) + " bytes", "1 to 65536");
  }
  value.key = reader.text(key_length);
  const std::uint32_t type = reader.u32();
  if (type == kText) {
    value.is_text = true;
    value.text = reader.text(reader.u64()).substr(0, kLongestKeptText);
  } else if (type == kList) {
    read_list(reader, value);
  } else if (width_of(type) != 0) {
    value.number = read_number(reader, type);
  } else if (reader.ok()) {
    reader.fail("value type " + std::to_string(type), "0 to 12");
  }
}

struct Place {
  std::uint64_t offset = 0;
  bool known = true;
};

void read_tensor(ByteReader& reader, FileTensor& tensor, Place& place) {
  const std::uint64_t length = reader.u64();
  if (reader.ok() && (length == 0 || length > 512)) {
    reader.fail("a tensor name of " + std::to_string(length) + " bytes", "1 to 512");
  }
  tensor.name = reader.text(length);
  const std::uint32_t dimensions = reader.u32();
  if (reader.ok() && dimensions > 4) reader.fail(std::to_string(dimensions) + " dimensions", "at most 4");
  tensor.elements = 1;
  for (std::uint32_t i = 0; i < dimensions && reader.ok(); ++i) {
    tensor.shape[i] = reader.u64();
    tensor.elements *= tensor.shape[i];
  }
  tensor.dimensions = static_cast<std::uint8_t>(std::min<std::uint32_t>(dimensions, 4));
  const std::uint32_t id = reader.u32();
  place.offset = reader.u64();
  if (!reader.ok()) return;
  if (tensor.elements >= Count(std::uint64_t{1} << 50U)) {
    reader.fail("a tensor of " + std::to_string(tensor.elements.value()) + " elements", "at most 2^50");
    return;
  }
  const auto type = tensor_type_by_ggml_id(id);
  place.known = type.has_value();
  tensor.quantised = !type || is_block_format(*type);
  if (!type) {
    tensor.type = "type " + std::to_string(id);
    return;
  }
  const BlockLayout& layout = layout_of(*type);
  tensor.type = layout.name;
  const Count row = dimensions == 0 ? Count(1) : Count(tensor.shape[0]);
  if (row.value() % layout.block_elements != 0) {
    reader.fail("rows of " + std::to_string(row.value()) + " elements", "whole blocks of " + tensor.type);
    return;
  }
  tensor.bytes = bytes_of(*type, row ? tensor.elements / row : Count(), row);
}

/// Sizes of tensors whose type nobody listed: up to where the next one starts. False when that cannot be known.
bool size_by_places(Gguf& file, const std::vector<Place>& places, std::uint64_t data_size) {
  std::vector<std::uint64_t> starts;
  starts.reserve(places.size() + 1);
  for (const Place& place : places) starts.push_back(place.offset);
  starts.push_back(data_size);
  std::sort(starts.begin(), starts.end());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].known) continue;
    const auto next = std::upper_bound(starts.begin(), starts.end(), places[i].offset);
    if (next == starts.end()) return false;
    file.tensors[i].bytes = *next - places[i].offset;
    ++file.unknown_types;
  }
  return true;
}

}  // namespace

const GgufValue* Gguf::find(std::string_view key) const {
  for (const GgufValue& value : values) {
    if (value.key == key) return &value;
  }
  return nullptr;
}

std::uint64_t Gguf::number(std::string_view key, std::uint64_t fallback) const {
  const GgufValue* value = find(key);
  return value == nullptr || value->is_text || value->is_list ? fallback : value->number;
}

std::string_view Gguf::text(std::string_view key) const {
  const GgufValue* value = find(key);
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

bool looks_like_gguf(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= 4 && bytes[0] == 'G' && bytes[1] == 'G' && bytes[2] == 'U' && bytes[3] == 'F';
}

Reading<Gguf> read_gguf(std::span<const std::uint8_t> bytes, std::uint64_t file_size) {
  ByteReader reader(bytes, file_size);
  Gguf file;
  const std::string_view magic = reader.text(4);
  if (reader.ok() && magic != "GGUF") return damaged(0, "other bytes", "GGUF");
  file.version = reader.u32();
  if (reader.ok() && (file.version < 2 || file.version > 3)) {
    return damaged(4, file.version > 0xFFFF ? "a big-endian file" : "version " + std::to_string(file.version),
                   "version 2 or 3, little-endian");
  }
  const std::uint64_t tensor_count = reader.u64();
  const std::uint64_t value_count = reader.u64();
  if (reader.ok() && tensor_count > kMostTensors) {
    return damaged(8, std::to_string(tensor_count) + " tensors", "at most " + std::to_string(kMostTensors));
  }
  if (reader.ok() && value_count > kMostValues) {
    return damaged(16, std::to_string(value_count) + " values", "at most " + std::to_string(kMostValues));
  }
  // Lists grow as entries are read, never by what the counts promise.
  for (std::uint64_t i = 0; i < value_count && reader.ok(); ++i) {
    GgufValue value;
    read_value(reader, value);
    if (reader.ok()) file.values.push_back(std::move(value));
  }
  std::vector<Place> places;
  for (std::uint64_t i = 0; i < tensor_count && reader.ok(); ++i) {
    FileTensor tensor;
    Place place;
    read_tensor(reader, tensor, place);
    if (!reader.ok()) break;
    file.tensors.push_back(std::move(tensor));
    places.push_back(place);
  }
  if (!reader.ok()) return reader.failure<Gguf>();

  const std::uint64_t alignment = file.number("general.alignment", 32);
  if (alignment == 0 || alignment > kMostAlignment) {
    return damaged(reader.at(), "alignment " + std::to_string(alignment), "1 to " + std::to_string(kMostAlignment));
  }
  file.data_offset = pad(reader.at(), alignment).value();
  const std::uint64_t data_size = (Count(file_size) - file.data_offset).value();
  if (!size_by_places(file, places, data_size)) {
    return damaged(reader.at(), "a tensor of an unknown type", "a place within the file");
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (Count(places[i].offset) + file.tensors[i].bytes <= Count(data_size)) continue;
    return damaged(file_size, "the file's end",
                   file.tensors[i].name.substr(0, 60) + " up to byte " +
                       std::to_string((Count(file.data_offset) + places[i].offset + file.tensors[i].bytes).value()));
  }
  return file;
}

}  // namespace vram::imports
