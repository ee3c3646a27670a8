import type { EventoFilter } from '../../domains/eventos/eventos/filter-store.ts'
import { NOW, SUBTREE } from '../stores/million-events-store.ts'

const DAY = 86_400_000

/** Every combination of the filters of a list of events, with common, rare, no longer used and unknown values. */
export function allMixes(): EventoFilter[] {
  const product = <A, B>(all: A[], values: readonly B[]) =>
    all.flatMap((one) => values.map((value) => ({ ...one, ...value })))
  let mixes: EventoFilter[] = [{ empresas: null }, { empresas: [2] }, { empresas: SUBTREE }]
  mixes = product(mixes, [{}, { cameraId: 23 }])
  mixes = product(mixes, [{}, { tipo: 'invasao' }, { tipo: 'objeto_abandonado' }, { tipo: 'placa' }])
  mixes = product(mixes, [{}, { gravidade: 'alta' }, { gravidade: 'baixa' }] as const)
  mixes = product(mixes, [{}, { situacao: ['pendente'] }, { situacao: ['refutado', 'refutado-alta'] }] as const)
  return product(mixes, [
    {},
    { desde: NOW - 7 * DAY - 1000 },
    { ate: NOW - 300 * DAY - 1000 },
    { desde: NOW - 200 * DAY - 1000, ate: NOW - 100 * DAY - 1000 },
    { desde: 0, ate: DAY },
  ])
}

/** Pages of a list of `total` events: the first one, a large one from the middle, and one by offset. */
export const listPages = (total: number) => [
  { before: null, offset: 0, limit: 51 },
  { before: total / 2, offset: 0, limit: 201 },
  { before: null, offset: 120, limit: 51 },
]
