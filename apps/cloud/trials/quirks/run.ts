import type { Camera } from '@vigia/contracts/cameras'
import type { RecorderFault } from '@vigia/testing/simulator'
import { awaitClip, discover, fetchArchive, type Outcome, takePicture, WORKS, watchLive, watchStream } from './cells.ts'
import { isKnown } from './known-sentences.ts'
import { type Scene, type Stage, startDevice, startStage } from './stage.ts'

export const columns = ['stream', 'discovery', 'picture', 'clip', 'live', 'archive'] as const
type Column = (typeof columns)[number]

export interface DeviceRow {
  readonly quirk: string
  readonly cells: Readonly<Record<Column, Outcome>>
  /** Refused logins at the device, and the time over which they were counted, ms. */
  readonly refusals: number
  readonly watchedMs: number
  /** Cells without an end, sentences that no table has, and repeated logins. */
  readonly problems: readonly string[]
}

/** Requests of a person in one row: discovery, picture, live video, archive. Each is one login. */
const ASKED = 4
/** Logins of the edge itself in an hour at a device that refused one. */
const LOGINS_PER_HOUR = 4
/** Result of a search for a channel without video, in place of a sentence. */
const EMPTY = 'vazia'

/** Quirks with a number of pictures that suits the footage (10 a second). */
const details: Readonly<Record<string, object>> = {
  grupo_longo: { quadros: 1_200 },
  perde_pacotes: { quadros: 45 },
}

/** Quirks of one transport, which the camera then has. */
const transports: Readonly<Record<string, 'udp'>> = { fora_de_ordem: 'udp', perde_pacotes: 'udp' }

interface MatrixOptions {
  readonly quirks: readonly string[]
  /** Devices at the same time. */
  readonly lanes: number
  onRow(row: DeviceRow, done: number): void
}

/** A device whose cells are over. One that refused a login stays, with its camera. */
interface Played {
  readonly row: DeviceRow
  count(): Promise<DeviceRow>
  close(): Promise<void>
}

/** Plays each quirk in all columns, through the API of a whole installation. */
export async function runMatrix({ quirks, lanes, onRow }: MatrixOptions): Promise<DeviceRow[]> {
  const stage = await startStage()
  const rows: DeviceRow[] = []
  const open: Played[] = []
  let next = 0
  async function work(lane: number): Promise<void> {
    const { api, empresaId } = await stage.login(lane)
    while (next < quirks.length) {
      const index = next++
      const quirk = quirks[index] ?? ''
      const played = await playQuirk({ stage, api, empresaId }, quirk, index)
      open.push(played)
      onRow(played.row, index + 1)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))
    // Refused devices stay until here, so that repeated logins count over the whole run.
    for (const { count } of open) rows.push(await count())
    return rows.sort((a, b) => quirks.indexOf(a.quirk) - quirks.indexOf(b.quirk))
  } finally {
    for (const { close } of open) await close()
    await stage.close()
  }
}

async function playQuirk(
  { stage, api, empresaId }: Pick<Scene, 'api' | 'empresaId'> & { readonly stage: Stage },
  quirk: string,
  index: number,
): Promise<Played> {
  const fault: RecorderFault = { defeito: quirk, ...details[quirk] }
  const device = await startDevice(fault, index)
  const begunAt = Date.now()
  const asking = { api, empresaId, device }
  const discovery = await discover(asking)
  const picture = await takePicture(asking)
  const camera = await api.call<Camera>('POST', '/cameras', {
    nome: quirk,
    empresa_id: empresaId,
    rtsp_url: device.url('principal'),
    sub_rtsp_url: device.url('sub'),
  })
  const transporte = transports[quirk]
  if (transporte) await api.call('PUT', `/cameras/${camera.id}/transporte`, { transporte })
  const scene: Scene = { base: stage.base, api, empresaId, device, camera }
  const stream = await watchStream(scene)
  const live = await watchLive(scene)
  // A camera without pictures has no events: its clip has the sentence of its stream.
  const clip = stream === WORKS ? await awaitClip(scene) : stream
  const archive = await fetchArchive(scene)
  const cells = { stream, discovery, picture, clip, live, archive }
  const count = async (): Promise<DeviceRow> => {
    const { recusas: refusals } = await device.recorder.counts()
    const watchedMs = Date.now() - begunAt
    return { quirk, cells, refusals, watchedMs, problems: problemsOf(cells, refusals, watchedMs) }
  }
  const row = await count()
  if (row.refusals > 0) return { row, count, close: () => device.recorder.close() }
  await api.call('DELETE', `/cameras/${camera.id}`)
  await device.recorder.close()
  return { row, count: async () => row, close: async () => {} }
}

/** Exported for its test. */
export function problemsOf(cells: DeviceRow['cells'], refusals: number, watchedMs: number): string[] {
  const hours = Math.ceil(watchedMs / 3_600_000)
  const most = ASKED + hours * LOGINS_PER_HOUR
  return [
    ...columns.flatMap((column) => {
      const outcome = cells[column]
      if (outcome === WORKS || (column === 'discovery' && outcome === EMPTY)) return []
      if (outcome === null) return [`${column}: neither works nor says why`]
      return isKnown(outcome) ? [] : [`${column}: no sentence of the product: ${outcome}`]
    }),
    ...(refusals > most ? [`${refusals} refused logins in ${Math.round(watchedMs / 1000)} s`] : []),
  ]
}
