import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFootage } from './footage.ts'
import { type LoadReport, measureLoad } from './measure.ts'

export const rtspClients = ['own', 'FFmpeg'] as const
type RtspClient = (typeof rtspClients)[number]

export interface ClientOptions {
  readonly cameras: number
  readonly seconds: number
  /** Turns of each client. */
  readonly turns: number
}

export interface ClientCost extends LoadReport {
  readonly client: RtspClient
  /** The named client alone delivered all pictures. */
  readonly isRead: boolean
}

/** The clients start, and the gate learns its background. */
const SETTLE_MS = 10_000
const FOOTAGE_S = 30
/** Minimum pictures a second at the gate; 5 are due. */
const MIN_FPS = 4.5

/** Measures the same cameras without IAs with each client, which take turns: own, FFmpeg, FFmpeg, own, … */
export async function measureClients(
  { cameras, seconds, turns }: ClientOptions,
  onProgress: (fraction: number, title: string) => void,
): Promise<ClientCost[]> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-carga-'))
  try {
    const footage = join(dir, 'campus.mkv')
    await writeFootage(footage, FOOTAGE_S)
    const order = Array.from({ length: turns }, (_, turn) => (turn % 2 === 0 ? rtspClients : rtspClients.toReversed()))
    const costs: ClientCost[] = []
    for (const client of order.flat()) {
      const report = await measureLoad({
        cameras,
        seconds,
        ias: [],
        footage,
        settleMs: SETTLE_MS,
        settings: client === 'FFmpeg' ? { VIGIA_RTSP_FFMPEG: 'todas' } : {},
        onProgress: (fraction, title) =>
          onProgress((costs.length + fraction) / (turns * rtspClients.length), `${client}: ${title}`),
      })
      const leitura = client === 'FFmpeg' ? 'ffmpeg' : 'tcp'
      const isRead = report.quadros_por_s >= MIN_FPS && report.leituras.join() === leitura
      costs.push({ ...report, client, isRead })
    }
    return costs
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
