import { backlogDue, hasPiledUp } from '../delivery/late-messages.ts'
import type { EnvioEmEspera } from './store.ts'

/** `em`: time until which the message waits. `levados`: other waiting messages that it carries in a summary. */
export type Sending = { readonly em: number } | { readonly levados: readonly EnvioEmEspera[] }

/**
 * Decides when a message is sent, and with which others of its browser. A message waits for the pause of an earlier
 * one, because the push service asked for it or fails. Backlog becomes one summary, except for `critica` events.
 */
export function planSending(own: EnvioEmEspera, others: readonly EnvioEmEspera[], now: number): Sending {
  const pausedUntil = Math.max(0, ...others.map(({ tentativas, em }) => (tentativas > 0 ? (em ?? 0) : 0)))
  if (own.tentativas === 0 && pausedUntil > now) return { em: pausedUntil }
  const late = [own, ...others].filter(isLate)
  if (isLate(own)) {
    const times = late.map(({ criado_em }) => criado_em)
    const due = backlogDue(Math.min(...times), Math.max(...times))
    if (now < due) return { em: due }
  }
  if (hasPiledUp(own.criado_em, now)) return { levados: others }
  return { levados: isLate(own) ? others.filter(isLate) : [] }
}

const isLate = ({ retroativo, gravidade }: EnvioEmEspera): boolean => retroativo === 1 && gravidade !== 'critica'
