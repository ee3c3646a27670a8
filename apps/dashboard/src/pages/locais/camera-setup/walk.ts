import type { AndamentoProva } from '@vigia/contracts/provas'
import type { Seen } from './live-hits.ts'

/** A running or finished walk test. Times are epoch ms of this browser; only their differences are used. */
export interface Walk {
  readonly startedAt: number
  /** null: it runs. */
  readonly endedAt: number | null
  /** Largest id of an event before the start. */
  readonly lastEvento: number
  readonly seen: Seen
  /** From the start to the first confirmed alert on this screen; null: none yet. */
  readonly telaMs: number | null
  /** First detection: a mark on the live picture, or an event; null: none yet. */
  readonly seenAt: number | null
  /** The last answer of the server; null: none yet. */
  readonly andamento: AndamentoProva | null
}

/** A walk ends this long after its first detection (or after its start) when its alarm has reached nobody. */
const NOBODY_MS = 120_000

/** Whether a walk ends by itself now: it reached somebody, or had its time. Without an answer it goes on. */
export const isOver = ({ startedAt, seenAt, andamento }: Walk, now: number): boolean =>
  andamento !== null && (andamento.passo_falho === null || now - (seenAt ?? startedAt) >= NOBODY_MS)
