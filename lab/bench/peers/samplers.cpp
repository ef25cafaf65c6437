// ozz-animation and ACL as samplers, measured in turn with ours: see crates/bench/src/sampler.rs, which compiles this file
// beside checkouts of both and talks to it over standard input and output.
//
// A line asks `<peer> <clip> <order> <what>` with
//   peer   ozz or acl
//   clip   index among the clips of the command line, two files each: .ozz and raw keys
//   order  sequence (60 Hz) or random
//   what   time: the nanoseconds that a pose takes, and the bytes of the clip
//          pose: local transforms at the following number of seconds, ten numbers a joint

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <acl/compression/compress.h>
#include <acl/compression/pre_process.h>
#include <acl/compression/track_array.h>
#include <acl/compression/transform_error_metrics.h>
#include <acl/core/ansi_allocator.h>
#include <acl/decompression/decompress.h>
#include <ozz/animation/runtime/animation.h>
#include <ozz/animation/runtime/sampling_job.h>
#include <ozz/base/io/archive.h>
#include <ozz/base/io/stream.h>
#include <ozz/base/maths/soa_transform.h>

namespace {

acl::ansi_allocator allocator;

// Raw keys: counts of joints and samples, samples a second, parents (or -1), then ten numbers a joint and sample.
struct Raw {
  uint32_t joints = 0, samples = 0;
  float rate = 0;
  std::vector<int32_t> parents;
  std::vector<float> keys;
};

Raw read_raw(const char* path) {
  Raw raw;
  FILE* file = std::fopen(path, "rb");
  if (!file) std::exit(2);
  bool ok = std::fread(&raw.joints, 4, 1, file) == 1 && std::fread(&raw.samples, 4, 1, file) == 1 &&
            std::fread(&raw.rate, 4, 1, file) == 1;
  raw.parents.resize(raw.joints);
  raw.keys.resize(size_t(raw.joints) * raw.samples * 10);
  ok = ok && std::fread(raw.parents.data(), 4, raw.joints, file) == raw.joints &&
       std::fread(raw.keys.data(), 4, raw.keys.size(), file) == raw.keys.size();
  std::fclose(file);
  if (!ok) std::exit(2);
  return raw;
}

// 0.1 mm at 3 cm.
acl::compressed_tracks* compress(const Raw& raw) {
  acl::track_array_qvvf tracks(allocator, raw.joints);
  for (uint32_t joint = 0; joint < raw.joints; ++joint) {
    acl::track_desc_transformf desc;
    desc.output_index = joint;
    desc.parent_index = raw.parents[joint] < 0 ? acl::k_invalid_track_index : uint32_t(raw.parents[joint]);
    desc.precision = 0.0001F;
    desc.shell_distance = 0.03F;
    auto track = acl::track_qvvf::make_reserve(desc, allocator, raw.samples, raw.rate);
    for (uint32_t sample = 0; sample < raw.samples; ++sample) {
      const float* k = &raw.keys[(size_t(sample) * raw.joints + joint) * 10];
      track[sample] = rtm::qvv_set(rtm::quat_normalize(rtm::quat_set(k[3], k[4], k[5], k[6])),
                                   rtm::vector_set(k[0], k[1], k[2]), rtm::vector_set(k[7], k[8], k[9]));
    }
    tracks[joint] = std::move(track);
  }
  acl::compression_settings settings = acl::get_default_compression_settings();
  acl::qvvf_transform_error_metric metric;
  settings.error_metric = &metric;
  acl::output_stats stats;
  acl::compressed_tracks* out = nullptr;
  if (acl::compress_track_list(allocator, tracks, settings, out, stats).any()) std::exit(3);
  return out;
}

struct Writer final : public acl::track_writer {
  explicit Writer(std::vector<rtm::qvvf>& to) : pose(to) {}
  void RTM_SIMD_CALL write_rotation(uint32_t joint, rtm::quatf_arg0 v) { pose[joint].rotation = v; }
  void RTM_SIMD_CALL write_translation(uint32_t joint, rtm::vector4f_arg0 v) { pose[joint].translation = v; }
  void RTM_SIMD_CALL write_scale(uint32_t joint, rtm::vector4f_arg0 v) { pose[joint].scale = v; }
  std::vector<rtm::qvvf>& pose;
};

struct Clip {
  ozz::animation::Animation ozz;
  ozz::animation::SamplingJob::Context context;
  std::vector<ozz::math::SoaTransform> soa;
  size_t ozz_bytes = 0;
  acl::compressed_tracks* acl = nullptr;
  acl::decompression_context<acl::default_transform_decompression_settings> decoder;
  std::vector<rtm::qvvf> pose;
  uint32_t joints = 0;
  double duration = 0;
};

std::unique_ptr<Clip> load(const char* ozz_path, const char* raw_path) {
  auto clip = std::make_unique<Clip>();
  const Raw raw = read_raw(raw_path);
  clip->joints = raw.joints;
  clip->duration = double(raw.samples - 1) / raw.rate;
  ozz::io::File file(ozz_path, "rb");
  if (file.opened()) {
    clip->ozz_bytes = file.Size();
    ozz::io::IArchive archive(&file);
    if (!archive.TestTag<ozz::animation::Animation>()) std::exit(4);
    archive >> clip->ozz;
    clip->context.Resize(clip->ozz.num_tracks());
    clip->soa.resize(clip->ozz.num_soa_tracks());
  }
  clip->acl = compress(raw);
  clip->decoder.initialize(*clip->acl);
  clip->pose.resize(raw.joints);
  return clip;
}

void play_ozz(Clip& clip, double time) {
  ozz::animation::SamplingJob job;
  job.animation = &clip.ozz;
  job.context = &clip.context;
  job.ratio = float(time / clip.duration);
  job.output = ozz::make_span(clip.soa);
  if (!job.Run()) std::exit(5);
}

void play_acl(Clip& clip, double time) {
  Writer writer(clip.pose);
  clip.decoder.seek(float(time), acl::sample_rounding_policy::none);
  clip.decoder.decompress_tracks(writer);
}

void play(bool is_ozz, Clip& clip, double time) {
  if (is_ozz) play_ozz(clip, time); else play_acl(clip, time);
  asm volatile("" ::: "memory");
}

void print_pose(bool is_ozz, const Clip& clip) {
  for (uint32_t joint = 0; joint < clip.joints; ++joint) {
    float v[12] = {};
    if (is_ozz) {
      const auto& t = clip.soa[joint / 4];
      const ozz::math::SimdFloat4 columns[10] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x,
          t.rotation.y, t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z};
      for (int n = 0; n < 10; ++n) {
        float lanes[4];
        ozz::math::StorePtrU(columns[n], lanes);
        v[n] = lanes[joint % 4];
      }
    } else {
      rtm::vector_store3(clip.pose[joint].translation, v);
      rtm::quat_store(clip.pose[joint].rotation, v + 3);
      rtm::vector_store3(clip.pose[joint].scale, v + 7);
    }
    for (int n = 0; n < 10; ++n) std::printf("%.9g ", v[n]);
  }
  std::printf("\n");
}

// The same times as on the other side: 60 Hz, or a linear congruential generator.
std::vector<double> times(bool is_random, double duration) {
  std::vector<double> out(4096);
  uint64_t state = 1;
  for (size_t n = 0; n < out.size(); ++n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double share = double(state >> 11) / 9007199254740992.0;
    const double at = double(n) / 60.0;
    out[n] = is_random ? share * duration : at - duration * double(uint64_t(at / duration));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::unique_ptr<Clip>> clips;
  for (int n = 1; n + 1 < argc; n += 2) clips.push_back(load(argv[n], argv[n + 1]));
  std::printf("ready\n");
  std::fflush(stdout);
  std::string peer, order, what;
  size_t index = 0;
  while (std::cin >> peer >> index >> order >> what) {
    if (index >= clips.size()) return 6;
    Clip& clip = *clips[index];
    const bool is_ozz = peer == "ozz";
    if (what == "pose") {
      double time = 0;
      std::cin >> time;
      play(is_ozz, clip, time);
      print_pose(is_ozz, clip);
    } else {
      const std::vector<double> all = times(order == "random", clip.duration);
      for (size_t n = 0; n < 256; ++n) play(is_ozz, clip, all[n]);
      const auto start = std::chrono::steady_clock::now();
      for (double time : all) play(is_ozz, clip, time);
      const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
      const size_t bytes = is_ozz ? clip.ozz_bytes : clip.acl->get_size();
      std::printf("%.6f %zu\n", spent.count() / double(all.size()), bytes);
    }
    std::fflush(stdout);
  }
}
