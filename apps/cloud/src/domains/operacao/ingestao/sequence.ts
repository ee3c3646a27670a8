import type { motivosFalta } from '@vigia/contracts/eventos'

/** Inclusive run of sequence numbers of one camera; empty if `ate` is below `de`. */
export interface Interval {
  readonly de: number
  readonly ate: number
}

/** A row of `lacunas`: missing numbers and their reason. */
export interface Lacuna extends Interval {
  /** Id of the row; null: not written yet. */
  readonly id: number | null
  readonly motivo: (typeof motivosFalta)[number]
  /** Event id reserved for number `de`; the following numbers have the following ids. null: none reserved. */
  readonly reservado: number | null
  /** The edge's UUID of the gap record. */
  readonly uuid: string | null
  /** Epoch ms, edge clock. */
  readonly ocorridoDe: number | null
  readonly ocorridoAte: number | null
  /** Epoch ms, cloud clock. */
  readonly registradaEm: number
}

/** State of the records of one camera. Numbers up to `ultimo` are stored or lie in a gap. */
export interface Sequence {
  readonly ultimo: number
  /** Contains at least all expected numbers, and the jumps that arriving numbers could fill. */
  readonly lacunas: readonly Lacuna[]
}

/** The edge's reason for numbers that will not arrive; `uuid` names its record. */
export type Explanation = Pick<Lacuna, 'motivo' | 'uuid' | 'ocorridoDe' | 'ocorridoAte' | 'registradaEm'>

const overlap = (a: Interval, b: Interval): boolean => a.de <= b.ate && b.de <= a.ate && b.de <= b.ate
const isOnItsWay = ({ motivo }: Lacuna): boolean => motivo === 'a_caminho'
/** Numbers that may still arrive. Other gaps, declared by the edge or refused, are final. */
const isOpen = ({ motivo }: Lacuna): boolean => motivo === 'a_caminho' || motivo === 'salto_de_sequencia'

/** Returns the part of `gap` within `window` with its reserved ids; null: no overlap. */
function slice(gap: Lacuna, window: Interval): Lacuna | null {
  const de = Math.max(gap.de, window.de)
  const ate = Math.min(gap.ate, window.ate)
  const reservado = gap.reservado === null ? null : gap.reservado + de - gap.de
  return de <= ate ? { ...gap, de, ate, reservado } : null
}

/** Replaces the part of `gap` within `window` by `change(part)`; the first remaining piece keeps the row. */
function cut(gap: Lacuna, window: Interval, change: (part: Lacuna) => Lacuna | null): Lacuna[] {
  const part = slice(gap, window)
  if (part === null) return [gap]
  const pieces = [
    slice(gap, { de: gap.de, ate: part.de - 1 }),
    change(part),
    slice(gap, { de: part.ate + 1, ate: gap.ate }),
  ].filter((piece) => piece !== null)
  return pieces.map((piece, i) => ({ ...piece, id: i === 0 ? gap.id : null }))
}

const newGap = (interval: Interval, motivo: Lacuna['motivo'], registradaEm: number): Lacuna => ({
  ...interval,
  id: null,
  motivo,
  reservado: null,
  uuid: null,
  ocorridoDe: null,
  ocorridoAte: null,
  registradaEm,
})

/** Whether no number within `numbers` is expected: each is stored or lies in a gap with a reason. */
export const isSettled = ({ ultimo, lacunas }: Sequence, numbers: Interval): boolean =>
  numbers.de > numbers.ate ||
  (numbers.ate <= ultimo && !lacunas.some((gap) => isOnItsWay(gap) && overlap(gap, numbers)))

/** Number of expected runs. */
export const waits = ({ lacunas }: Sequence): number => lacunas.filter(isOnItsWay).length

/** Whether a record from number `de` on would split an expected run in two. */
export const splitsWait = ({ lacunas }: Sequence, de: number): boolean =>
  lacunas.some((gap) => isOnItsWay(gap) && gap.de < de && de <= gap.ate)

/** Number of event ids reserved for expected numbers. */
const reservedIds = (lacunas: readonly Lacuna[]): number =>
  lacunas.reduce((sum, gap) => (isOnItsWay(gap) && gap.reservado !== null ? sum + gap.ate - gap.de + 1 : sum), 0)

/** Ids reserved for the newest `count` numbers of a run. */
export interface Reserved {
  readonly first: number
  readonly count: number
}

/** Starts a new outbox that counts from `base`: expected numbers of the previous one will never arrive. */
export const restart = ({ ultimo, lacunas }: Sequence, base: number, now: number): Sequence => ({
  ultimo: base - 1,
  lacunas: [
    ...lacunas.map((gap) => (isOnItsWay(gap) ? { ...gap, motivo: 'salto_de_sequencia' as const } : gap)),
    newGap({ de: ultimo + 1, ate: base - 1 }, 'fila_recomecada', now),
  ],
})

/**
 * Accounts for all numbers below `de` before a record from `de` on is stored. Missing numbers below `base` are lost.
 * Numbers from `base` on are expected and get reserved event ids, so that ids ascend with the sequence despite
 * overtaking.
 * @param reserve reserves event ids for the newest of `n` numbers, possibly none; `before`: ids already reserved for
 * the camera
 */
export function accountBelow(
  { ultimo, lacunas }: Sequence,
  { de, base, now }: { readonly de: number; readonly base: number; readonly now: number },
  reserve: (n: number, before: number) => Reserved,
): Sequence {
  const lost = { de: ultimo + 1, ate: Math.min(base, de) - 1 }
  const coming = { de: Math.max(ultimo + 1, base), ate: de - 1 }
  const settled = lacunas.flatMap((gap) =>
    isOnItsWay(gap) ? cut(gap, { de: 0, ate: base - 1 }, (part) => ({ ...part, motivo: 'salto_de_sequencia' })) : [gap],
  )
  if (lost.de <= lost.ate) settled.push(newGap(lost, 'salto_de_sequencia', now))
  if (coming.de <= coming.ate) {
    const { first, count } = reserve(coming.ate - coming.de + 1, reservedIds(settled))
    const without = { ...coming, ate: coming.ate - count }
    if (without.de <= without.ate) settled.push(newGap(without, 'a_caminho', now))
    const withIds = { ...coming, de: coming.ate - count + 1 }
    if (count > 0) settled.push({ ...newGap(withIds, 'a_caminho', now), reservado: first })
  }
  return { ultimo: Math.max(ultimo, de - 1), lacunas: settled }
}

/**
 * Records the arrival of number `seq`. `esperado`: it was the next one or was missing; else it was already stored or
 * declared lost by the edge. `reservado`: the id reserved for it. `atrasado`: later numbers arrived before it.
 */
export function fill(
  { ultimo, lacunas }: Sequence,
  seq: number,
): {
  readonly sequence: Sequence
  readonly esperado: boolean
  readonly atrasado: boolean
  readonly reservado: number | null
} {
  const one = { de: seq, ate: seq }
  const covering = (which: (gap: Lacuna) => boolean) => lacunas.find((gap) => which(gap) && overlap(gap, one))
  const gap = seq > ultimo ? undefined : (covering(isOnItsWay) ?? covering(isOpen))
  return {
    sequence: {
      ultimo: Math.max(ultimo, seq),
      lacunas:
        gap === undefined ? lacunas : lacunas.flatMap((each) => (each === gap ? cut(each, one, () => null) : [each])),
    },
    esperado: seq > ultimo || gap !== undefined,
    atrasado: gap !== undefined,
    reservado: gap === undefined ? null : (slice(gap, one)?.reservado ?? null),
  }
}

/**
 * Records why `numbers` will not arrive: the edge's reason or a refusal. Only missing numbers are explained: after a
 * lost answer the edge may have dropped a stored record.
 */
export function explain({ ultimo, lacunas }: Sequence, numbers: Interval, why: Explanation): Sequence {
  const explained = lacunas.flatMap((gap) =>
    isOpen(gap) ? cut(gap, { ...numbers, ate: Math.min(numbers.ate, ultimo) }, (part) => ({ ...part, ...why })) : [gap],
  )
  const beyond = { de: Math.max(numbers.de, ultimo + 1), ate: numbers.ate }
  if (beyond.de <= beyond.ate) explained.push({ ...newGap(beyond, why.motivo, why.registradaEm), ...why })
  return { ultimo: Math.max(ultimo, numbers.ate), lacunas: onlyFirst(explained, why.uuid) }
}

/** The uuid of a split gap record stays only on its first piece. */
function onlyFirst(lacunas: readonly Lacuna[], uuid: string | null): Lacuna[] {
  const first = lacunas.find((gap) => gap.uuid === uuid)
  return lacunas.map((gap) => (uuid !== null && gap.uuid === uuid && gap !== first ? { ...gap, uuid: null } : gap))
}
