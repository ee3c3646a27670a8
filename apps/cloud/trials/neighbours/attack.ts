import { setTimeout as delay } from 'node:timers/promises'
import type { TlsIdentity } from '@vigia/link/session'
import { linkOf, type Stage } from './stage.ts'

/** Access of an attack to the installation: an edge, cameras and an administrador of the hostile Empresa. */
export interface AttackContext {
  readonly url: string
  readonly mqttPort: number
  /** Folder of the installation, for files of `prepare`. */
  readonly dataDir: string
  readonly token: string
  readonly empresaId: number
  readonly edgeId: number
  readonly cameraIds: readonly number[]
  readonly identity: TlsIdentity
}

/** Ends an attack and frees what it holds. */
export interface RunningAttack {
  stop(): Promise<void>
}

/** One row of the trial: what one Empresa, or an unknown client, does to the installation of everybody. */
export interface Attack {
  readonly name: string
  /** Prepares the installation in the process of the trial, before the first measurement. */
  prepare?(stage: Stage): Promise<void>
  /** Runs in a process of its own. Resolves when the attack is under way; it goes on until `stop`. */
  start(context: AttackContext): Promise<RunningAttack>
}

/** Repeats `act`, `atOnce` times in parallel. A failed act is repeated after a pause: the attack does not give up. */
export function repeat(atOnce: number, act: () => Promise<unknown>, most = Number.MAX_SAFE_INTEGER): RunningAttack {
  const state = { ended: false, left: most }
  const worker = async () => {
    while (!state.ended && state.left > 0) {
      state.left -= 1
      await act().catch(() => delay(100))
    }
  }
  for (let index = 0; index < atOnce; index += 1) void worker()
  return {
    stop: async () => {
      state.ended = true
    },
  }
}

const SENT_AT_ONCE = 8

/** Publishes batches of `make` as the hostile edge, several in parallel. */
export function publishAll(context: AttackContext, make: () => Buffer, most?: number): RunningAttack {
  const link = linkOf(context, context.mqttPort)
  link.start()
  const running = repeat(SENT_AT_ONCE, () => link.publishBatch(make()), most)
  return {
    stop: async () => {
      await running.stop()
      await link.stop()
    },
  }
}
