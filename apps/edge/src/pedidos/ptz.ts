import { setTimeout as delay } from 'node:timers/promises'
import type { Comando, FalhaPedido } from '@vigia/contracts/pedidos'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { ContactSlots } from '@vigia/rtsp/contact'
import type { PtzClient } from '@vigia/rtsp/onvif-ptz'
import type { AwayCameras } from '../supervisor/away-cameras.ts'
import type { Handlers } from './handle-command.ts'

interface PtzDeps {
  readonly ptz: PtzClient
  readonly allowed: AllowedCidrs
  readonly slots: ContactSlots
  readonly away: AwayCameras
  isKnown(cameraId: number): boolean
  /** Interval of the questions whether the camera has arrived, and their number. */
  readonly arrival?: { readonly everyMs: number; readonly attempts: number }
}

type Move = Extract<Comando, { acao: 'mover_camera' }>

/** Travel time assumed for a camera that does not report whether it moves: in questions. */
const SILENT_ATTEMPTS = 10

/** Failures after which the camera certainly did not move. */
const NOT_MOVED: ReadonlySet<FalhaPedido> = new Set(['sem_ptz', 'ptz_recusado', 'senha_recusada', 'sem_onvif'])

/**
 * Moves PTZ cameras, one action of a camera at a time. The camera counts as away before its move begins, and until it
 * has arrived at its home position.
 */
export function createPtzHandlers(deps: PtzDeps): Pick<Handlers, 'mover_camera' | 'listar_presets'> & { stop(): void } {
  const { ptz, away, allowed, slots } = deps
  const arrival = deps.arrival ?? { everyMs: 1_000, attempts: 60 }
  const stopping = new AbortController()
  const turns = new Map<number, Promise<unknown>>()
  /** The last action of each camera: an older return to the home position ends at a newer one. */
  const latest = new Map<number, Move>()
  const options = (signal: AbortSignal, prazoMs: number) => ({ allowed, slots, signal, prazoMs })

  async function inTurn<T>(cameraId: number, work: () => Promise<T>): Promise<T> {
    const result = (turns.get(cameraId) ?? Promise.resolve()).then(work)
    const settled = result.catch(() => {})
    turns.set(cameraId, settled)
    try {
      return await result
    } finally {
      if (turns.get(cameraId) === settled) turns.delete(cameraId)
    }
  }

  async function awaitArrival(comando: Move): Promise<void> {
    const { signal } = stopping
    let silent = 0
    for (let i = 0; i < arrival.attempts && silent < SILENT_ATTEMPTS; i++) {
      await delay(arrival.everyMs, undefined, { signal }).catch(() => {})
      if (signal.aborted || latest.get(comando.camera_id) !== comando) return
      const status = await ptz.isMoving(comando, options(signal, 5_000))
      if (status.ok && status.moving === false) break
      if (status.ok && status.moving === null) silent += 1
    }
    if (!signal.aborted && latest.get(comando.camera_id) === comando) away.set(comando.camera_id, false)
  }

  async function move(comando: Move, signal: AbortSignal, prazoMs: number) {
    const { camera_id, movimento } = comando
    const { acao } = movimento
    const wasAway = away.has(camera_id)
    latest.set(camera_id, comando)
    if (acao === 'mover' || acao === 'preset') away.set(camera_id, true)
    const done = await ptz.run(comando, movimento, options(signal, prazoMs))
    if (!done.ok) {
      if (NOT_MOVED.has(done.falha)) away.set(camera_id, wasAway)
      return done
    }
    if (acao === 'definir_base') away.set(camera_id, false)
    if (acao === 'base') void awaitArrival(comando)
    return { ok: true as const, resultado: { fora: acao !== 'base' && away.has(camera_id) } }
  }

  return {
    async mover_camera(comando, { signal, prazoMs }) {
      if (!deps.isKnown(comando.camera_id)) return { ok: false, falha: 'camera_desconhecida' }
      return await inTurn(comando.camera_id, () => move(comando, signal, prazoMs))
    },
    async listar_presets(comando, { signal, prazoMs }) {
      const found = await ptz.presets(comando, options(signal, prazoMs))
      return found.ok ? { ok: true, resultado: { presets: found.presets } } : found
    },
    stop: () => stopping.abort(),
  }
}
