import { AV_FRAME_FLAG_CORRUPT, AV_NOPTS_VALUE, AVERROR_EOF } from 'node-av/constants'
import { Codec, CodecContext, Dictionary, Frame, type Packet, Rational } from 'node-av/lib'
import { type DecoderNeed, decoderNeed, MAX_DECODER_PIXELS, overBudget } from './decoder-budget.ts'
import { type StreamEnd, streamEnd } from './failure.ts'
import { PACKET_TIME_BASE, type StreamParameters } from './packet.ts'

const EAGAIN = -11

export interface VideoDecoder {
  readonly codec: string
  /** Memory for the pictures of the last parameter sets; null: not known. */
  readonly need: DecoderNeed | null
  /** The first packet that exceeded the budget was not decoded, and no later one is. null: within the budget. */
  readonly refused: StreamEnd | null
  /** Pictures a second as declared in the stream (VUI); null: not declared. */
  claimedFps(): number | null
  /**
   * Decodes one packet (null: flush) and passes each picture with its packet's stream time to `onFrame`. The frame is
   * valid during that call. Returns false after damage: the following pictures depend on it until the next keyframe.
   */
  decode(
    packet: Packet | null,
    onFrame: (frame: Frame, timeMs: number | null) => Promise<void> | void,
  ): Promise<boolean>
  close(): void
}

/** Pictures a second; null for an unusable value. */
export const plausibleRate = ({ num, den }: { num: number; den: number }): number | null => {
  const fps = den > 0 ? num / den : 0
  return fps >= 0.1 && fps <= 240 ? fps : null
}

/**
 * Opens a decoder with one thread (there are more cameras than cores), or returns the failure with the codec. A stream
 * whose parameter sets ask for more memory than the budget is not decoded, also when they change in the stream.
 */
export async function createDecoder(
  parameters: Pick<StreamParameters, 'codec' | 'codecLabel' | 'parameterSets' | 'split' | 'native'>,
): Promise<VideoDecoder | StreamEnd> {
  let need = decoderNeed(parameters.codec, parameters.parameterSets)
  let refused = overBudget(need)
  if (refused) return refused
  const codecpar = parameters.native()
  const codec = parameters.codec === null ? null : Codec.findDecoder(codecpar.codecId)
  if (codec === null) return streamEnd('codec_nao_suportado', parameters.codecLabel)
  const context = new CodecContext()
  context.allocContext3(codec)
  const options = Dictionary.fromObject({ max_pixels: String(MAX_DECODER_PIXELS) })
  try {
    const filled = context.parametersToContext(codecpar)
    context.threadCount = 1
    context.pktTimebase = new Rational(PACKET_TIME_BASE.num, PACKET_TIME_BASE.den)
    const opened = filled < 0 ? filled : await context.open2(codec, options)
    if (opened < 0) {
      context.freeContext()
      return streamEnd('dados_invalidos', 'o decodificador não abriu')
    }
  } finally {
    options.free()
  }
  const frame = new Frame()
  frame.alloc()
  const { num, den } = PACKET_TIME_BASE
  const timeMs = (pts: bigint): number | null => (pts === AV_NOPTS_VALUE ? null : (Number(pts) * 1000 * num) / den)

  return {
    codec: codec.name ?? 'video',
    get need() {
      return need
    },
    get refused() {
      return refused
    },
    claimedFps: () => plausibleRate(context.framerate),
    async decode(packet, onFrame) {
      // FFmpeg reads parameter sets in any packet, also behind pictures.
      const nals = packet?.data ? parameters.split(packet.data) : null
      const changed = nals && decoderNeed(parameters.codec, nals)
      if (changed) {
        need = changed
        refused ??= overBudget(changed)
      }
      if (refused) return false
      let intact = true
      const sent = await context.sendPacket(packet)
      if (sent < 0 && sent !== EAGAIN && sent !== AVERROR_EOF) intact = false
      for (;;) {
        // sendPacket has already decoded the picture, so the synchronous call is fast; a flush decodes here in another
        // thread.
        const code = packet === null ? await context.receiveFrame(frame) : context.receiveFrameSync(frame)
        if (code === EAGAIN || code === AVERROR_EOF) return intact
        if (code < 0) return false
        try {
          if (frame.decodeErrorFlags !== 0 || frame.hasFlags(AV_FRAME_FLAG_CORRUPT)) intact = false
          else await onFrame(frame, timeMs(frame.bestEffortTimestamp))
        } finally {
          frame.unref()
        }
      }
    },
    close() {
      frame.free()
      context.freeContext()
    },
  }
}
