import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { createPackager, type Packager } from '@vigia/video/mp4/packager'
import type { RingGop } from '@vigia/video/readers/ring'

export interface LivePackagerOptions {
  readonly partMs: number
  /** Packages the audio of the connection too. */
  readonly audio: boolean
  /** Figures of the stream at the time of a header; null: not known yet. */
  figures(): { readonly fps: number | null; readonly gopMs: number | null }
  onRecord(registro: RegistroTransmissao): void
  /** Epoch ms. */
  readonly now?: () => number
  /** In ms. */
  readonly monotonic?: () => number
}

/** Time without a record after which the cloud hears that pictures arrive, and a keyframe does not. */
const SILENT_MS = 5_000

const inRange = (value: number | null, least: number, most: number): number | null =>
  value !== null && value >= least && value <= most ? value : null

export interface LivePackager extends Packager {
  /** Reads a group of the past, as if it had arrived until now. */
  replay(group: RingGop): void
}

/**
 * Packages a stream into the records of a live stream. Reads any number of connections in turn. While it waits for a
 * keyframe, a `lacuna` follows every few seconds. Without a record the cloud would end the stream, and the next one
 * would join the group of pictures in the middle again.
 */
export function createLivePackager(options: LivePackagerOptions): LivePackager {
  const { partMs, audio, figures, now = Date.now, monotonic = () => performance.now() } = options
  /**
   * Minimum difference between the clock and the stream time: pictures arrive late, never early. A recorder begins with
   * buffered pictures of the past.
   */
  let originMs = Number.POSITIVE_INFINITY
  /** A part was sent, and no gap after it. */
  let isContinuous = false
  let recordAt = monotonic()
  const onRecord = (registro: RegistroTransmissao) => {
    recordAt = monotonic()
    options.onRecord(registro)
  }

  const gap = () => {
    if (isContinuous) onRecord({ tipo: 'lacuna' })
    isContinuous = false
  }

  const packager = createPackager({
    partMs,
    audio,
    onInit({ codecs, width: largura, height: altura, data: dados }) {
      const { fps, gopMs } = figures()
      // Earlier clouds refuse a longer one; a cloud sees in the segments that they are long.
      const gop_ms = gopMs === null ? null : inRange(Math.round(gopMs), 1, 60_000)
      onRecord({ tipo: 'inicio', descricao: { codecs, largura, altura, fps: inRange(fps, 0.1, 240), gop_ms }, dados })
    },
    onPart({ keyframe, index, segment, durationTicks, timeMs, discontinuity, data }) {
      if (discontinuity) gap()
      isContinuous = true
      onRecord({
        ...({ tipo: 'parte', chave: keyframe, indice: index, segmento: segment } as const),
        duracao: Math.max(1, durationTicks),
        instante: Math.round(originMs + timeMs),
        dados: data,
      })
    },
  })
  return {
    opened(session) {
      void packager.opened?.(session)
      originMs = Number.POSITIVE_INFINITY
    },
    packet(packet) {
      originMs = Math.min(originMs, now() - packet.timeMs)
      packager.packet(packet)
    },
    skipped() {
      if (monotonic() - recordAt < SILENT_MS) return
      isContinuous = false
      onRecord({ tipo: 'lacuna' })
    },
    audio: (packet) => packager.audio?.(packet),
    closed() {
      void packager.closed?.()
      gap()
    },
    replay({ parameters, packets, audio: units }) {
      const newestMs = packets.reduce((most, { timeMs }) => Math.max(most, timeMs), Number.NEGATIVE_INFINITY)
      originMs = Math.min(originMs, now() - newestMs)
      let heard = 0
      for (const { keyframe, timeMs, data } of packets) {
        // Audio before the picture behind it.
        for (let one = units[heard]; one && one.timeMs < timeMs; one = units[++heard]) packager.audio?.(one)
        packager.packet({ keyframe, timeMs, parameters, data: () => data })
      }
      for (const one of units.slice(heard)) packager.audio?.(one)
    },
  }
}
