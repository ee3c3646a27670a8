import type { Certeza, Decisao } from '@vigia/contracts/eventos'

/** The stored verdict of an event; `certeza` null: of an older release. */
export interface CurrentVerdict {
  readonly decisao: Decisao
  readonly certeza: Certeza | null
  /** Confidence of the first model, 0–1. */
  readonly primeiraConfianca: number
}

interface Opinion {
  readonly decisao: Decisao
  readonly certeza: Certeza
  readonly confianca: number
  readonly motivo: string
  readonly fonte: string
}

/** The verifier's opinion on one later picture. */
export interface LaterOpinion {
  readonly fonte: 'sub' | 'principal'
  readonly dtMs: number
  readonly redetectada: boolean
  readonly opiniao: Opinion
}

/** Largest distance in time at which a picture shows the detection itself. */
const SAME_MS = 500
/** From this confidence of the first model on, nothing refutes. */
const SURE_FIRST = 0.6
/**
 * Pictures of the analysed stream that refute together. Measured on 305 true people: no one is lost if two frames agree
 * (docs/quality.md). One picture of the main stream is enough: its detail separates better than all models together.
 */
const AGREEING = 2

/**
 * Decides whether later pictures change a verdict. They may raise `baixa` to `alta`, or turn `baixa` into `refutado`. A
 * picture counts towards `refutado` if it is of the time of the detection, or if the object was detected in it again.
 * Any other picture can only confirm. null: the verdict stays.
 */
export function nextVerdict(current: CurrentVerdict, later: readonly LaterOpinion[]): Opinion | null {
  if (current.decisao !== 'confirmado' || current.certeza !== 'baixa') return null
  const sure = later.filter(({ opiniao }) => opiniao.certeza === 'alta')
  const [confirming] = sure
    .filter(({ opiniao }) => opiniao.decisao === 'confirmado')
    .toSorted((a, b) => b.opiniao.confianca - a.opiniao.confianca)
  if (confirming) return confirming.opiniao
  if (current.primeiraConfianca >= SURE_FIRST) return null
  const counting = later.filter(({ dtMs, redetectada }) => redetectada || Math.abs(dtMs) <= SAME_MS)
  const refuting = counting.filter(({ opiniao }) => opiniao.decisao === 'refutado' && opiniao.certeza === 'alta')
  const isEnough = refuting.length >= AGREEING || refuting.some(({ fonte }) => fonte === 'principal')
  if (!isEnough || refuting.length < counting.length) return null
  const [weakest] = refuting.toSorted((a, b) => a.opiniao.confianca - b.opiniao.confianca)
  return weakest?.opiniao ?? null
}
