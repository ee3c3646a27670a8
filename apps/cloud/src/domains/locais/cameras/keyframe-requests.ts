import type { CameraRelatada } from '@vigia/contracts/edge-state'
import { VigiaError } from '@vigia/contracts/errors'
import { USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import type { Fluxo } from '@vigia/contracts/transmissao'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { findGravador } from '../../../db/gravadores.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { AskEdge } from '../edges/ask/ask-edge.ts'
import { onvifFields, openGravador } from '../gravadores/gravador-sources.ts'
import { listSyncable, saveRefusal } from './keyframe-store.ts'

interface KeyframeRequestsDeps {
  readonly db: Database
  readonly box: SecretBox
  readonly askEdge: AskEdge
  readonly log: Logger
}

/** Requests for keyframes of streams with long groups of pictures. */
export interface KeyframeRequests {
  /** Reads a report of an edge, and asks the devices of its cameras that wait for a keyframe. */
  reported(edgeId: number, cameras: readonly CameraRelatada[]): void
  stop(): Promise<void>
}

/** Some devices list their profiles slowly. */
const ASK_MS = 15_000
/** Largest number of cameras of one report that are asked; the others follow with a later report. */
export const MAX_CAMERAS = 32
/** Largest number of devices of an edge that are asked at the same time: its commands are limited. */
export const MAX_DEVICES = 8

/** Failures after which the device is not asked again before its address changes. */
const REFUSALS: ReadonlySet<FalhaPedido> = new Set(['sem_sincronizacao', 'senha_recusada'])

/** A camera, and its streams that wait. */
interface Waiting {
  readonly cameraId: number
  readonly canal: number
  readonly fluxos: Fluxo[]
}

type Device = readonly [gravadorId: number, cameras: readonly Waiting[]]

/** Asks ONVIF devices for keyframes through their edges, which limit how often. */
export function createKeyframeRequests({ db, box, askEdge, log }: KeyframeRequestsDeps): KeyframeRequests {
  const stopping = new AbortController()
  /** The requests of the last report, by edge. */
  const asking = new Map<number, Promise<void>>()

  /** false: the device must not be asked again. */
  async function ask(edgeId: number, gravadorId: number, { cameraId, canal, fluxos }: Waiting): Promise<boolean> {
    const row = await findGravador(db, gravadorId)
    if (row?.sem_sincronia !== 0) return false
    const access = openGravador(box, row)
    const { host, porta, usuario, senha } = access
    const { senha_em_texto } = onvifFields(access)
    const device = { host, porta, usuario, senha, canal, ...(senha_em_texto && { senha_em_texto }) }
    const command = { acao: 'pedir_quadro_chave', camera_id: cameraId, ...device, fluxos } as const
    const answer = await askEdge(edgeId, command, { prazoMs: ASK_MS, signal: stopping.signal })
    if (answer.ok || !REFUSALS.has(answer.falha)) return true
    await saveRefusal(db, row)
    log.info({ gravador: gravadorId, falha: answer.falha }, 'device is not asked for keyframes again')
    return false
  }

  /** One camera of a device after the other: the first refusal ends it. */
  async function askDevice(edgeId: number, [gravadorId, cameras]: Device): Promise<void> {
    try {
      for (const one of cameras) if (stopping.signal.aborted || !(await ask(edgeId, gravadorId, one))) return
    } catch (err) {
      if (!(err instanceof VigiaError)) throw err
      log.debug({ err, edge_id: edgeId, gravador: gravadorId }, 'keyframe not requested')
    }
  }

  async function devicesOf(edgeId: number, cameras: readonly CameraRelatada[]): Promise<Device[]> {
    const waits = new Map(cameras.map(({ id, espera_quadro_chave }) => [id, espera_quadro_chave]))
    const rows = await listSyncable(db, edgeId)
    const isLong = (ms: number | null) => (ms ?? 0) > USUAL_GROUP_MS
    const found = rows.flatMap(({ id, canal, gravador_id, quadro_chave_ms }) => {
      const long = (waits.get(id) ?? []).filter(({ ha_ms }) => isLong(ha_ms) || isLong(quadro_chave_ms))
      const fluxos = long.map(({ fluxo }) => fluxo)
      return canal === null || fluxos.length === 0 ? [] : [{ cameraId: id, canal, fluxos, gravador_id }]
    })
    return [...Map.groupBy(found.slice(0, MAX_CAMERAS), ({ gravador_id }) => gravador_id)]
  }

  async function askAll(edgeId: number, cameras: readonly CameraRelatada[]): Promise<void> {
    const queue = await devicesOf(edgeId, cameras)
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await askDevice(edgeId, next)
    }
    await Promise.all(Array.from({ length: MAX_DEVICES }, work))
  }

  return {
    reported(edgeId, cameras) {
      const waiting = cameras.filter(({ espera_quadro_chave = [] }) => espera_quadro_chave.length > 0)
      if (waiting.length === 0 || asking.has(edgeId) || stopping.signal.aborted) return
      const asked = askAll(edgeId, waiting)
        .catch((err: unknown) => log.error({ err, edge_id: edgeId }, 'keyframes not requested'))
        .finally(() => asking.delete(edgeId))
      asking.set(edgeId, asked)
    },
    async stop() {
      stopping.abort()
      await Promise.all(asking.values())
    },
  }
}
