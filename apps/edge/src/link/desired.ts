import { rtspUrlSchema } from '@vigia/contracts/cameras'
import { type CameraDesejada, type Desejado, type Fontes, fontesSchema } from '@vigia/contracts/edge-state'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import { isTimeZone } from '@vigia/rules/agenda'
import type { Logger } from 'pino'
import type { CameraTask } from '../capture/protocol.ts'
import type { DesiredStore } from './desired-store.ts'

/** One configured camera: `task` is null when it is switched off or its addresses can not be read. */
export interface ConfiguredCamera {
  readonly desejada: CameraDesejada
  readonly task: CameraTask | null
}

export interface Applied {
  readonly versao: number
  readonly cameras: readonly ConfiguredCamera[]
}

export interface DesiredState {
  /** What was applied before the restart, without a word from the cloud. */
  restore(): Promise<void>
  /** Takes a configuration unless it is older than, or the same as, the one that runs. */
  receive(desejado: Desejado): Promise<void>
  readonly applied: Applied
}

export interface DesiredOptions {
  readonly store: DesiredStore
  readonly key: SealPrivateJwk
  readonly log: Logger
  onApplied(applied: Applied): void
}

/** A recorder's streams and nothing else: the reader would open a file of this box just as well. */
const streamsSchema = fontesSchema.refine(({ rtsp_url, sub_rtsp_url }) =>
  [rtsp_url, sub_rtsp_url ?? rtsp_url].every((url) => rtspUrlSchema.safeParse(url).success),
)

export function createDesiredState(options: DesiredOptions): DesiredState {
  const { store, log } = options
  let applied: Applied = { versao: 0, cameras: [] }
  /** Sealed text → what it holds; a camera whose addresses did not change is not decrypted again. */
  let opened = new Map<string, Fontes>()
  let queue = Promise.resolve()

  async function open(camera: CameraDesejada): Promise<Fontes | null> {
    const known = opened.get(camera.fontes)
    if (known) return known
    try {
      return streamsSchema.parse(await unseal(options.key, camera.fontes))
    } catch {
      // Neither error nor text is logged: both may hold what was sealed.
      log.error({ camera: camera.id }, 'addresses of a camera can not be read with the key of this edge')
      return null
    }
  }

  function taskOf(camera: CameraDesejada, fontes: Fontes): CameraTask {
    const zoneExists = isTimeZone(camera.fuso_horario)
    if (!zoneExists) log.error({ camera: camera.id, fuso: camera.fuso_horario }, 'unknown time zone')
    return {
      id: camera.id,
      fontes,
      analises: camera.analises,
      zonas: camera.zonas,
      linha: camera.linha,
      fusoHorario: zoneExists ? camera.fuso_horario : FUSO_PADRAO,
    }
  }

  async function apply(desejado: Desejado): Promise<void> {
    const stillOpened = new Map<string, Fontes>()
    const cameras: ConfiguredCamera[] = []
    for (const camera of desejado.cameras) {
      const fontes = await open(camera)
      if (fontes) stillOpened.set(camera.fontes, fontes)
      cameras.push({ desejada: camera, task: fontes && camera.ativa ? taskOf(camera, fontes) : null })
    }
    opened = stillOpened
    applied = { versao: desejado.versao, cameras }
    log.info({ versao: desejado.versao, cameras: cameras.length }, 'configuration applied')
    options.onApplied(applied)
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  return {
    restore: () =>
      inTurn(async () => {
        const saved = store.load()
        if (saved) await apply(saved)
      }),
    receive: (desejado) =>
      inTurn(async () => {
        if (desejado.versao <= applied.versao) return
        try {
          store.save(desejado)
        } catch (error) {
          // A disk that is full for a moment must not keep a camera from being watched; the next one is saved again.
          log.error({ err: error, versao: desejado.versao }, 'configuration can not be written to the disk')
        }
        await apply(desejado)
      }),
    get applied() {
      return applied
    },
  }
}
