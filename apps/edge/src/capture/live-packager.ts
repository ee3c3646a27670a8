import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { createPackager, type Packager } from '@vigia/video/mp4/packager'

export interface LivePackagerOptions {
  readonly partMs: number
  /** Packages the audio of the connection too. */
  readonly audio: boolean
  /** Figures of the stream at the time of a header; null: not known yet. */
  figures(): { readonly fps: number | null; readonly gopMs: number | null }
  onRecord(registro: RegistroTransmissao): void
  /** Epoch ms. */
  readonly now?: () => number
}

const inRange = (value: number | null, least: number, most: number): number | null =>
  value !== null && value >= least && value <= most ? value : null

/** Packages a stream into the records of a live stream. Reads any number of connections in turn. */
export function createLivePackager({
  partMs,
  audio,
  figures,
  onRecord,
  now = Date.now,
}: LivePackagerOptions): Packager {
  /**
   * Minimum difference between the clock and the stream time: pictures arrive late, never early. A recorder begins with
   * buffered pictures of the past.
   */
  let originMs = Number.POSITIVE_INFINITY
  /** A part was sent, and no gap after it. */
  let isContinuous = false

  const gap = () => {
    if (isContinuous) onRecord({ tipo: 'lacuna' })
    isContinuous = false
  }

  const packager = createPackager({
    partMs,
    audio,
    onInit({ codecs, width: largura, height: altura, data: dados }) {
      const { fps, gopMs } = figures()
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
    audio: (packet) => packager.audio?.(packet),
    closed() {
      void packager.closed?.()
      gap()
    },
  }
}
