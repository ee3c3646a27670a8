import { AV_PIX_FMT_RGB24 } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { createVideoFrame, type HeldFrame } from './frame.ts'

/** A frame from packed RGB pixels. The caller must release it. */
export const frameFromRgb = (rgb: Buffer, width: number, height: number, timestampMs: number): HeldFrame =>
  createVideoFrame(Frame.fromVideoBuffer(rgb, { width, height, format: AV_PIX_FMT_RGB24 }), timestampMs)
