import type { Edge } from '@vigia/contracts/edges'
import { formatNumber } from '../../../texts/locale.ts'

/** Smallest clock offset that counts as wrong: it gives events a wrong time. */
const CLOCK_OFF_MS = 2_000
/** Remaining validity that proves a failed renewal: the edge renews its certificate much earlier. */
const CERTIFICATE_SOON_MS = 30 * 86_400_000

/** Used share of a disk or of memory, 0–1; null: unknown. */
export function usedShare(amount: { readonly total: number; readonly livre: number } | null): number | null {
  if (amount === null || amount.total <= 0) return null
  return Math.min(1, Math.max(0, 1 - amount.livre / amount.total))
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** Formats bytes in powers of 1000, as disk makers do: `1,4 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // 999,6 would be rounded to 1000 of the same unit.
  while (Math.round(value) >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${formatNumber(value, { maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`
}

export type ClockState =
  | { readonly kind: 'desconhecido' | 'certo' }
  | { readonly kind: 'adiantado' | 'atrasado'; readonly ms: number }

/** State of the clock of an edge; offsets below CLOCK_OFF_MS count as right. */
export function clockState(relogio: Edge['relogio']): ClockState {
  const ms = relogio?.desvio_ms ?? null
  if (ms === null) return { kind: 'desconhecido' }
  if (Math.abs(ms) < CLOCK_OFF_MS) return { kind: 'certo' }
  return { kind: ms > 0 ? 'adiantado' : 'atrasado', ms: Math.abs(ms) }
}

export type CertificateState = 'em_dia' | 'vence_logo' | 'vencido'

/** @param until end of the certificate, ISO 8601; @param now epoch ms */
export function certificateState(until: string, now: number): CertificateState {
  const left = Date.parse(until) - now
  if (left <= 0) return 'vencido'
  return left < CERTIFICATE_SOON_MS ? 'vence_logo' : 'em_dia'
}
