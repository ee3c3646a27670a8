import { type Judged, logit } from './calibration.ts'
import type { Row } from './collect.ts'
import type { Task } from './sources.ts'
import { UNKNOWN } from './targets.ts'

/** One question that a judge asks a head, and its evidence from the logits of the labels. */
export interface Question {
  readonly name: string
  readonly task: Task
  /** Names of the evidence, in the order of the weights. */
  readonly evidence: readonly string[]
  /** The place as evidence and truth; null if the place does not ask this question. */
  judged(row: Row, logits: readonly number[]): Judged | null
}

/** Logits as they arrive from a probability that is clipped. */
const clipped = (value: number) => logit(1 / (1 + Math.exp(-value)))

const burning = (name: 'fire' | 'smoke'): Question => ({
  name,
  task: 'fogo',
  evidence: ['second', 'first'],
  judged({ first, wanted }, logits) {
    // Flames also confirm an alarm of smoke.
    const labels = name === 'fire' ? [0] : [0, 1]
    const truths = labels.map((at) => wanted[at])
    if (first?.rotulo !== name || truths.includes(UNKNOWN)) return null
    const second = Math.max(...labels.map((at) => clipped(logits[at] ?? 0)))
    return { evidence: [second, logit(first.confianca)], real: truths.includes(1) }
  },
})

const missing = (name: string, worn: number, without: number): Question => ({
  name,
  task: 'epi',
  evidence: ['missing', 'worn'],
  judged({ kind, wanted }, logits) {
    const truths = [wanted[worn], wanted[without]]
    if (kind !== 'labelled' || truths.includes(UNKNOWN)) return null
    return { evidence: [clipped(logits[without] ?? 0), clipped(logits[worn] ?? 0)], real: truths[1] === 1 }
  },
})

/** Questions of the judges `fire-judge.ts` and `epi/judge.ts` (packages/ias). */
export const questions: readonly Question[] = [
  burning('fire'),
  burning('smoke'),
  missing('no_hardhat', 0, 1),
  missing('no_vest', 2, 3),
]
