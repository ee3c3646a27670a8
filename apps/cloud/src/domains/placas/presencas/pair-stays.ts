import { setImmediate } from 'node:timers/promises'
import { createOpenStays, type Movement, type OpenStays, type Stay } from './open-stays.ts'

/** Movements between two pauses of the thread. */
const MOVEMENTS_OF_PART = 1_000

/**
 * Pairs each entry with the next exit of the same Empresa, `local` and plate. An exit without such an entry takes the
 * only open entry whose plate differs in one symbol (`semelhante`). A second entry of a plate ends its first stay
 * without an exit. A stay ended by hand takes no exit after that time.
 * @param movements in ascending order of `ocorrido_em`
 * @returns stays in the order of their first passage
 */
export async function pairStays<M extends Movement>(movements: readonly M[]): Promise<Stay<M>[]> {
  const openByLocal = new Map<string, OpenStays<M>>()
  const stays: Stay<M>[] = []
  for (const [at, movement] of movements.entries()) {
    if (at % MOVEMENTS_OF_PART === MOVEMENTS_OF_PART - 1) await setImmediate()
    const key = JSON.stringify([movement.empresa_id, movement.local])
    const open = openByLocal.get(key) ?? createOpenStays<M>()
    openByLocal.set(key, open)
    if (movement.sentido === 'entrada') stays.push(enter(open, movement))
    else stays.push(...leave(open, movement))
  }
  return stays
}

function enter<M extends Movement>(open: OpenStays<M>, entrada: M): Stay<M> {
  const missed = open.find(entrada.placa)
  if (missed) missed.aberta = false
  const stay = { entrada, saida: null, semelhante: false, aberta: entrada.encerrada_em === null }
  open.add(entrada.placa, stay)
  return stay
}

/** @returns the new stay of an exit without an entry; none if the exit ends a stay */
function leave<M extends Movement>(open: OpenStays<M>, saida: M): Stay<M>[] {
  const mayEnd = ({ entrada }: Stay<M>) => !endedBefore(entrada, saida.ocorrido_em)
  const own = open.find(saida.placa)
  const exact = own && mayEnd(own) ? own : undefined
  const stay = exact ?? open.findSimilar(saida.placa, mayEnd)
  if (!stay?.entrada) return [{ entrada: null, saida, semelhante: false, aberta: false }]
  open.remove(stay.entrada.placa)
  Object.assign(stay, { saida, semelhante: exact === undefined, aberta: false })
  return []
}

const endedBefore = (entrada: Movement | null, epochMs: number): boolean =>
  entrada !== null && entrada.encerrada_em !== null && entrada.encerrada_em < epochMs
