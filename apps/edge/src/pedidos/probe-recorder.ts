import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { ContactSlots } from '@vigia/rtsp/contact'
import { listOnvifChannels } from '@vigia/rtsp/onvif'
import { probeChannels, probePorts } from '@vigia/rtsp/probe'
import type { Handlers } from './handle-command.ts'

/** A probe answers with its results so far this long before the deadline. */
const REST_MS = 500

/** Probes recorders from their own network. Its connections and those of the streams share one limit. */
export function createProbeHandlers({
  allowed,
  slots,
}: {
  readonly allowed: AllowedCidrs
  readonly slots: ContactSlots
}): Pick<Handlers, 'sondar_canais' | 'listar_canais_onvif' | 'sondar_portas'> {
  const within = (prazoMs: number) => Math.max(prazoMs / 2, prazoMs - REST_MS)
  return {
    async sondar_canais(comando, { signal, prazoMs }) {
      const found = await probeChannels(comando, { allowed, slots, signal, prazoMs: within(prazoMs) })
      return found.ok ? { ok: true, resultado: { canais: found.canais } } : found
    },
    async listar_canais_onvif(comando, { signal, prazoMs }) {
      const found = await listOnvifChannels(comando, { allowed, slots, signal, prazoMs: within(prazoMs) })
      return found.ok ? { ok: true, resultado: { canais: found.canais } } : found
    },
    async sondar_portas(comando, { signal, prazoMs }) {
      const found = await probePorts(comando, { allowed, slots, signal, prazoMs: within(prazoMs) })
      return found.ok ? { ok: true, resultado: { portas: found.portas } } : found
    },
  }
}
