import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BEAT_SETTING } from '@vigia/runtime/life-sign'
import type { Api } from '@vigia/testing/api'
import { type Installation, type InstallationShape, startInstallation } from '@vigia/testing/installation'
import { waitFor } from '@vigia/testing/wait'
import { writeWhole } from '@vigia/testing/write-whole'
import type { Drop } from '../../trials/chaos/drops.ts'

/** Settings of the counting source (apps/edge, testing/counted-source.ts). */
export interface Control {
  /** Transactions a second of each camera; 0: none. */
  readonly rate: number
  /** Events in one transaction. */
  readonly together: number
  /** Last number of each camera. */
  readonly upTo: number
  /** Bytes of each event's picture; 0: none. */
  readonly pictureBytes: number
  /** Bytes of each of the two further pictures of each event; 0: none. */
  readonly evidenceBytes: number
  /** Bytes of the picture of one discarded candidate per event; 0: none. */
  readonly discardBytes: number
  /** Bytes of the clip of each event; every fifth has none, for a reason. 0: no clips. */
  readonly clipBytes: number
  /** Largest number of events of each camera until `round` changes. */
  readonly most: number
  readonly round: number
  /** Offset of the edge's wall clock from the machine's clock. */
  readonly clockMs: number
}

/** An installation with a counting edge without video analysis, and a cloud without verification. */
export interface World {
  readonly installation: Installation
  readonly api: Api
  control(next: Partial<Control>): Promise<void>
  /** Transactions a second of each camera between faults. */
  readonly rate: number
  /** Events that the quota of the edge has dropped so far, by transaction. */
  drops(): readonly Drop[]
  /** Whether every camera has counted to `upTo`. */
  complete(): boolean
  /** Starts a program of this release, also if the world began with a former one. */
  startPresent(name: 'cloud' | 'edge'): Promise<void>
  /** Number of waiting records in the edge's last report, and its time (epoch ms, cloud clock). */
  waiting(): Promise<{ readonly records: number; readonly at: number }>
  close(options?: { readonly keepFiles: boolean }): Promise<void>
}

export interface WorldOptions extends Pick<InstallationShape, 'broker' | 'lines' | 'prepareData'> {
  /** Starts the programs; default: one machine. */
  readonly install?: typeof startInstallation
  /** Default 8. */
  readonly rate?: number
  readonly cameras: number
  /** Quota of the outbox in MB. */
  readonly outboxMb: number
  /** Replacement programs of another release, as file URLs. */
  readonly entries?: FormerEntries
}

/** Programs of a former release, as file URLs. */
export interface FormerEntries {
  readonly cloud?: string
  readonly edge?: string
}

const BEAT_MS = 250

export async function startWorld({
  cameras,
  outboxMb,
  entries,
  install = startInstallation,
  rate = 8,
  ...shape
}: WorldOptions): Promise<World> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-contagem-'))
  const file = join(dir, 'controle.json')
  let wanted: Control = {
    rate: 0,
    together: 1,
    upTo: Number.MAX_SAFE_INTEGER,
    pictureBytes: 2_000,
    evidenceBytes: 0,
    discardBytes: 0,
    clipBytes: 0,
    clockMs: 0,
    most: Number.MAX_SAFE_INTEGER,
    round: 0,
  }
  const done = `${file}.completo`
  const dropped = `${file}.descartes`
  const present = {
    cloud: { entry: 'apps/cloud/src/test/unverifying-cloud.ts' },
    edge: { entry: 'apps/edge/src/testing/counting-edge.ts', args: [file] },
  }
  const control: World['control'] = async (next) => {
    // The source writes the mark of the next end again.
    if (next.upTo !== undefined && next.upTo !== wanted.upTo) rmSync(done, { force: true })
    wanted = { ...wanted, ...next }
    writeWhole(file, JSON.stringify(wanted))
  }
  await control({})
  const installation = await install(
    {
      VIGIA_OUTBOX_MAX_MB: String(outboxMb),
      VIGIA_LOG_LEVEL: 'warn',
      [BEAT_SETTING]: String(BEAT_MS),
      // The cloud stores no further pictures of events above these budgets.
      VIGIA_EVENTOS_MINUTO_CAMERA: '100000',
      VIGIA_EVENTOS_MINUTO_EDGE: '100000',
      // The rows of clips lie in the outbox: thousands of clips would fill its quota.
      VIGIA_CLIPES_MAX_MB: '1',
      // Commands probe this machine.
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
    },
    {
      ...shape,
      programs: {
        cloud: { ...present.cloud, ...(entries?.cloud && { entry: entries.cloud }) },
        edge: { ...present.edge, ...(entries?.edge && { entry: entries.edge }) },
      },
    },
  )
  const api = await installation.signIn()
  const onlyEdge = async () => {
    const [edge] = await api.get<Edge[]>('/edges')
    if (!edge) throw new Error('the local edge is missing')
    return edge
  }
  await prepareCameras(api, cameras)
  await waitFor('the edge to have its cameras', async () => {
    const edge = await onlyEdge()
    return edge.status === 'online' && edge.config_aplicada === true
  })
  return {
    installation,
    api,
    control,
    rate,
    drops: () => (existsSync(dropped) ? readFileSync(dropped, 'utf8').trim().split('\n').map(parseDrop) : []),
    complete: () => existsSync(done),
    startPresent: (name) => installation.start(name, present[name]),
    waiting: async () => {
      const { fila, fila_memoria, visto_em } = await onlyEdge()
      return { records: (fila ?? 0) + (fila_memoria ?? 0), at: Date.parse(visto_em ?? '') }
    },
    close: async (options) => {
      await installation.close(options)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

interface Edge {
  readonly status: string
  readonly config_aplicada: boolean | null
  readonly fila: number | null
  readonly fila_memoria: number | null
  readonly visto_em: string | null
}

/** No capture process opens these cameras: the counting source replaces them. */
async function prepareCameras(api: Api, cameras: number): Promise<void> {
  const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Contagem' })
  for (let number = 1; number <= cameras; number++)
    await api.call('POST', '/cameras', {
      nome: `Contagem ${number}`,
      empresa_id: id,
      rtsp_url: `rtsp://127.0.0.1:9/${number}`,
    })
}

/** Resolves when an idle edge reports zero waiting records. */
export async function drained(world: World, timeoutMs: number): Promise<void> {
  const since = Date.now()
  await waitFor(
    'the edge to have delivered everything',
    async () => {
      const { records, at } = await world.waiting()
      // A report from before the last event does not count.
      return records === 0 && at > since + 1_000
    },
    { timeoutMs, everyMs: 100 },
  )
}

const parseDrop = (line: string): Drop => JSON.parse(line)
