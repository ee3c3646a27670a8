import type { motivosFalta } from '@vigia/contracts/eventos'

/** Inclusive run of sequence numbers of one camera; empty when `ate` lies below `de`. */
export interface Interval {
  readonly de: number
  readonly ate: number
}

/** Why numbers are not there as events: a row of `lacunas`. */
export interface Lacuna extends Interval {
  /** The row; null: not written yet. */
  readonly id: number | null
  readonly motivo: (typeof motivosFalta)[number]
  /** Id of the event that number `de` gets if it comes, and so on upwards; null: none was kept free. */
  readonly reservado: number | null
  /** The edge's UUID of the gap record. */
  readonly uuid: string | null
  /** Epoch ms, edge clock. */
  readonly ocorridoDe: number | null
  readonly ocorridoAte: number | null
  /** Epoch ms, cloud clock. */
  readonly registradaEm: number
}

/** How far the records of one camera have come. Numbers up to `ultimo` are there, or lie in a gap. */
export interface Sequence {
  readonly ultimo: number
  /** At least all that are on their way, and the jumps that arriving numbers could fill. */
  readonly lacunas: readonly Lacuna[]
}

/** What the edge says itself of numbers that will not come; `uuid` names its record. */
export type Explanation = Pick<Lacuna, 'motivo' | 'uuid' | 'ocorridoDe' | 'ocorridoAte' | 'registradaEm'>

const overlap = (a: Interval, b: Interval): boolean => a.de <= b.ate && b.de <= a.ate && b.de <= b.ate
const isOnItsWay = ({ motivo }: Lacuna): boolean => motivo === 'a_caminho'
/** What may still come, or come late after all; the others are the edge's own word or a refusal, and stay. */
const isOpen = ({ motivo }: Lacuna): boolean => motivo === 'a_caminho' || motivo === 'salto_de_sequencia'

/** The part of `gap` within `window`, with the ids kept for it; null: nothing of it. */
function slice(gap: Lacuna, window: Interval): Lacuna | null {
  const de = Math.max(gap.de, window.de)
  const ate = Math.min(gap.ate, window.ate)
  const reservado = gap.reservado === null ? null : gap.reservado + de - gap.de
  return de <= ate ? { ...gap, de, ate, reservado } : null
}

/** Puts `change(part)` in the place of the part of `gap` within `window`; the first piece left keeps the row. */
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

/** Whether nothing within `numbers` is still to come: each is there, or lies in a gap that says why it is not. */
export const isSettled = ({ ultimo, lacunas }: Sequence, numbers: Interval): boolean =>
  numbers.de > numbers.ate ||
  (numbers.ate <= ultimo && !lacunas.some((gap) => isOnItsWay(gap) && overlap(gap, numbers)))

/** How many runs of numbers are still to come. */
export const waits = ({ lacunas }: Sequence): number => lacunas.filter(isOnItsWay).length

/** Whether a record from number `de` on would leave two runs of one that is still to come: numbers below it stay missing. */
export const splitsWait = ({ lacunas }: Sequence, de: number): boolean =>
  lacunas.some((gap) => isOnItsWay(gap) && gap.de < de && de <= gap.ate)

/** How many event ids are reserved for what is still to come. */
const reservedIds = (lacunas: readonly Lacuna[]): number =>
  lacunas.reduce((sum, gap) => (isOnItsWay(gap) && gap.reservado !== null ? sum + gap.ate - gap.de + 1 : sum), 0)

/** The reserved ids of the newest `count` numbers of a run. */
export interface Reserved {
  readonly first: number
  readonly count: number
}

/** Another outbox counts from `base` on: what was still to come of the one before never will. */
export const restart = ({ ultimo, lacunas }: Sequence, base: number, now: number): Sequence => ({
  ultimo: base - 1,
  lacunas: [
    ...lacunas.map((gap) => (isOnItsWay(gap) ? { ...gap, motivo: 'salto_de_sequencia' as const } : gap)),
    newGap({ de: ultimo + 1, ate: base - 1 }, 'fila_recomecada', now),
  ],
})

/**
 * Everything below `de`, as the edge describes it, before a record with the numbers from `de` on is stored: what lies below
 * `base` and is not there was lost, what lies from `base` on is on its way, with event ids reserved for it, so that the ids of
 * a camera ascend with its sequence whatever overtakes what.
 * @param reserve reserves event ids for the newest of `n` numbers, for none in the worst case; `before`: those that the camera has reserved
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
 * Number `seq` is there now. `esperado`: it is the next one, or was missing; else the number is there already, or the edge
 * had said that it would not come. `reservado`: the id kept for it. `atrasado`: later ones came before it.
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
 * The edge says why `numbers` do not come, or it was refused. Only what is missing is explained: a record may have been
 * stored and its answer lost, after which the edge dropped it.
 */
export function explain({ ultimo, lacunas }: Sequence, numbers: Interval, why: Explanation): Sequence {
  const explained = lacunas.flatMap((gap) =>
    isOpen(gap) ? cut(gap, { ...numbers, ate: Math.min(numbers.ate, ultimo) }, (part) => ({ ...part, ...why })) : [gap],
  )
  const beyond = { de: Math.max(numbers.de, ultimo + 1), ate: numbers.ate }
  if (beyond.de <= beyond.ate) explained.push({ ...newGap(beyond, why.motivo, why.registradaEm), ...why })
  return { ultimo: Math.max(ultimo, numbers.ate), lacunas: onlyFirst(explained, why.uuid) }
}

/** A gap record that falls into several pieces is known by the first of them. */
function onlyFirst(lacunas: readonly Lacuna[], uuid: string | null): Lacuna[] {
  const first = lacunas.find((gap) => gap.uuid === uuid)
  return lacunas.map((gap) => (uuid !== null && gap.uuid === uuid && gap !== first ? { ...gap, uuid: null } : gap))
}
