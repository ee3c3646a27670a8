#!/bin/sh
# Makes the clips of this folder again: make.sh VTEST_AVI OUT_DIR
# vtest.avi is in Debian's package opencv-doc; see README.md.
set -eu
source=$1
out=$2

# One keyframe every 2 s (20 frames at 10 fps), closed groups of pictures, no B-frames: what recorders send.
h264() {
  ffmpeg -v error -y -ss "$1" -t "$2" -i "$source" -an -vf "${6:-}scale=$3" \
    -c:v libx264 -profile:v main -preset veryslow -crf "$4" -pix_fmt yuv420p -bf 0 \
    -g 20 -keyint_min 20 -sc_threshold 0 \
    -map_metadata -1 -movflags +faststart -fflags +bitexact -flags:v +bitexact "$out/$5"
}
h264 38 26 768:576 29 campus-a-principal.mp4
h264 38 26 384:288 28 campus-a-sub.mp4
h264 0 22 768:576 29 campus-b-principal.mp4
h264 0 22 384:288 28 campus-b-sub.mp4
# Part of the same picture, as a camera of its own.
h264 14 24 480:360 28 estacionamento.mp4 crop=480:360:288:40,

ffmpeg -v error -y -ss 64 -t 12 -i "$source" -an -vf scale=384:288 \
  -c:v libx265 -preset slow -crf 29 -pix_fmt yuv420p -tag:v hvc1 \
  -x265-params log-level=error:bframes=0:keyint=20:min-keyint=20:scenecut=0:open-gop=0:info=0 \
  -map_metadata -1 -movflags +faststart -fflags +bitexact -flags:v +bitexact "$out/campus-c-h265.mp4"

# With B-frames, as some recorders send main profiles; from the clips above.
ffmpeg -v error -y -i "$out/campus-b-sub.mp4" -t 4 -an \
  -c:v libx264 -profile:v main -preset veryslow -crf 32 -pix_fmt yuv420p -bf 2 -g 20 -keyint_min 20 -sc_threshold 0 \
  -map_metadata -1 -movflags +faststart -fflags +bitexact -flags:v +bitexact "$out/campus-b-quadros-b.mp4"
ffmpeg -v error -y -i "$out/campus-c-h265.mp4" -t 4 -an -vf scale=192:144 \
  -c:v libx265 -preset slow -crf 32 -pix_fmt yuv420p -tag:v hvc1 \
  -x265-params log-level=error:bframes=2:keyint=20:min-keyint=20:scenecut=0:open-gop=0:info=0 \
  -map_metadata -1 -movflags +faststart -fflags +bitexact -flags:v +bitexact "$out/campus-c-quadros-b-h265.mp4"
