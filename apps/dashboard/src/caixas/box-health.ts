import type { Edge } from '@vigia/contracts/edges'

/** From this share on a meter is shown as an alarm. */
export const FULL = 0.9
/** A clock farther off than this puts events at the wrong moment, ms. */
const CLOCK_OFF_MS = 2_000
/** The box renews its certificate long before: one that is this near its end could not, ms. */
const CERTIFICATE_SOON_MS = 30 * 86_400_000

/** How much of a disk or of memory is used, 0–1; null when it is not known. */
export function usedShare(amount: { readonly total: number; readonly livre: number } | null): number | null {
  if (amount === null || amount.total <= 0) return null
  return Math.min(1, Math.max(0, 1 - amount.livre / amount.total))
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes as a person reads them, in powers of 1000 like on the box of a disk: `1,4 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // 999,6 would be written as 1000 of the same unit.
  while (Math.round(value) >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value.toLocaleString('pt-BR', { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`
}

export type ClockState =
  | { readonly kind: 'desconhecido' | 'certo' }
  | { readonly kind: 'adiantado' | 'atrasado'; readonly ms: number }

/** What is to be said of the clock of a box: right is what is closer than events can be told apart by eye. */
export function clockState(relogio: Edge['relogio']): ClockState {
  const ms = relogio?.desvio_ms ?? null
  if (ms === null) return { kind: 'desconhecido' }
  if (Math.abs(ms) < CLOCK_OFF_MS) return { kind: 'certo' }
  return { kind: ms > 0 ? 'adiantado' : 'atrasado', ms: Math.abs(ms) }
}

export type CertificateState = 'em_dia' | 'vence_logo' | 'vencido'

/** @param until end of the certificate, ISO 8601; @param nowMs epoch ms */
export function certificateState(until: string, nowMs: number): CertificateState {
  const left = Date.parse(until) - nowMs
  if (left <= 0) return 'vencido'
  return left < CERTIFICATE_SOON_MS ? 'vence_logo' : 'em_dia'
}
