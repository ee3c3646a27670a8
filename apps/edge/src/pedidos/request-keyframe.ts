import { KEYFRAME_REQUEST_MS } from '@vigia/contracts/keyframes'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { ContactSlots } from '@vigia/rtsp/contact'
import { requestKeyframe } from '@vigia/rtsp/onvif-keyframe'
import { fluxoOf } from '@vigia/rtsp/onvif-url'
import type { DesiredState } from '../link/desired.ts'
import type { Handlers } from './handle-command.ts'

/** Limits how often the device of a camera is asked for a keyframe. */
export interface KeyframeTurns {
  /** Whether its last request is KEYFRAME_REQUEST_MS ago. */
  isDue(cameraId: number): boolean
  /** Begins a request; false: it is not due. */
  take(cameraId: number): boolean
  /** Forgets all other cameras. */
  retain(cameraIds: readonly number[]): void
}

export function createKeyframeTurns(now = () => performance.now()): KeyframeTurns {
  const askedAt = new Map<number, number>()
  const isDue = (id: number) => now() - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= KEYFRAME_REQUEST_MS
  return {
    isDue,
    take(id) {
      const due = isDue(id)
      if (due) askedAt.set(id, now())
      return due
    },
    retain(ids) {
      for (const id of [...askedAt.keys()]) if (!ids.includes(id)) askedAt.delete(id)
    },
  }
}

interface KeyframeDeps {
  readonly allowed: AllowedCidrs
  readonly slots: ContactSlots
  readonly turns: KeyframeTurns
  readonly desired: Pick<DesiredState, 'applied'>
}

/** Asks the device of a camera for a keyframe of the streams that wait for one. */
export const createKeyframeHandler =
  ({ allowed, slots, turns, desired }: KeyframeDeps): Handlers['pedir_quadro_chave'] =>
  async ({ camera_id, fluxos, ...device }, { signal, prazoMs }) => {
    const fontes = desired.applied.cameras.find(({ desejada }) => desejada.id === camera_id)?.task?.fontes
    if (!fontes) return { ok: false, falha: 'camera_desconhecida' }
    const caminhos = fluxos.flatMap((fluxo) => {
      const url = fluxo === 'secundario' ? fontes.sub_rtsp_url : fontes.rtsp_url
      return (url === null ? null : fluxoOf(url))?.caminho ?? []
    })
    if (caminhos.length === 0) return { ok: false, falha: 'fluxo_inexistente' }
    if (!turns.take(camera_id)) return { ok: true, resultado: { pedido: false } }
    const done = await requestKeyframe({ ...device, caminhos }, { allowed, slots, signal, prazoMs })
    return done.ok ? { ok: true, resultado: { pedido: true } } : done
  }
