#include "core/memory/vision/framework.h"

namespace vram::vision {
namespace {

using R = RuntimeId;
using N = BackboneNorm;

// frozen_norm: OpenMMLab sets norm_eval (stored statistics, trained weights); detectron2 and torchvision replace the layers by
// FrozenBatchNorm2d. zeroes_gradients: optimizer.zero_grad() kept them until PyTorch 2.0; detectron2's loop too.
constexpr Framework kFrameworks[] = {
    {R::pytorch, N::affine, false, false, false},      {R::torchvision, N::affine, false, false, false},
    {R::ultralytics, N::batch, false, true, false},    {R::mmdetection, N::stored, true, false, true},
    {R::mmsegmentation, N::stored, true, false, true}, {R::mmaction2, N::stored, true, false, true},
    {R::mmyolo, N::batch, true, true, true},           {R::mmrotate, N::stored, true, false, true},
    {R::mmtracking, N::stored, true, false, true},     {R::detectron2, N::affine, true, false, true},
};

}  // namespace

const Framework& framework_of(RuntimeId id) {
  for (const Framework& framework : kFrameworks) {
    if (framework.id == id) return framework;
  }
  return kFrameworks[0];
}

}  // namespace vram::vision
