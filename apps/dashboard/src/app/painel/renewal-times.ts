import type { Me } from '@vigia/contracts/sessoes'

/** Longest time between two renewals of a page, ms: half of the life of a token, minus one failed attempt. */
const RENEW_MS = 25 * 60_000
/** Deferral after a failed renewal, ms. */
export const RETRY_MS = 30_000

/** Time before the limit at which the page warns, ms: of a login, and of a quiosque. */
const WARN_MS = 15 * 60_000
const WARN_QUIOSQUE_MS = 2 * 24 * 3_600_000

/**
 * Time until the next renewal, ms. Half of the rest leaves time for retries. An early renewal is harmless, so a wrong
 * clock of the browser is too.
 * @param leftMs remaining life of the token; negative with a wrong clock
 */
export const renewalDelayMs = (leftMs: number): number => Math.min(RENEW_MS, Math.max(0, leftMs / 2))

/**
 * Time until the first renewal of a page, ms; null: the token lasts until the limit of its session, like that of a
 * quiosque.
 */
export function firstRenewalMs({ expira_em, renova_ate }: NonNullable<Me['sessao']>, now: number): number | null {
  const end = Date.parse(expira_em)
  return end >= Date.parse(renova_ate) ? null : renewalDelayMs(end - now)
}

/** Whether the page warns of the end of its session. */
export const nearLimit = (leftMs: number, quiosque: boolean): boolean =>
  leftMs <= (quiosque ? WARN_QUIOSQUE_MS : WARN_MS)
