import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { ContactSlots } from '@vigia/rtsp/contact'
import { scanNetwork, scanScope } from '@vigia/rtsp/scan/scan-network'
import type { Handlers } from './handle-command.ts'

/** A scan answers with its results so far this long before the deadline. */
const REST_MS = 1_000

/** Searches for recorders in the edge's own networks, when a person asked for it. */
export function createScanHandlers({
  enabled,
  allowed,
  slots,
}: {
  /** Whether the owner of the edge allows scans. */
  readonly enabled: boolean
  readonly allowed: AllowedCidrs
  readonly slots: ContactSlots
}): Pick<Handlers, 'listar_redes' | 'varrer_rede'> {
  /** A second scan would double the load on the same devices. */
  let isScanning = false
  return {
    async listar_redes() {
      if (!enabled) return { ok: false, falha: 'varredura_desligada' }
      return { ok: true, resultado: scanScope(allowed) }
    },
    async varrer_rede(_comando, { signal, prazoMs }) {
      if (!enabled) return { ok: false, falha: 'varredura_desligada' }
      if (isScanning) return { ok: false, falha: 'ocupado' }
      isScanning = true
      try {
        const limitMs = Math.max(prazoMs / 2, prazoMs - REST_MS)
        const found = await scanNetwork({ allowed, slots, signal, prazoMs: limitMs })
        return found.ok ? { ok: true, resultado: { equipamentos: found.equipamentos } } : found
      } finally {
        isScanning = false
      }
    },
  }
}
