import { ia as entryOf, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { type BoundInput, type Measured, sumOf } from '@vigia/ias/bench-entry'
import { benchOf } from './benches.ts'
import type { BoundResult } from './bound-result.ts'
import type { EvalResult } from './result.ts'

type Results = Pick<EvalResult, 'modelos' | 'ias' | 'detectores' | 'imagens' | 'videos'>

interface CommonBound {
  /** Position among the bounds of the IAs, in the order of the catalogue. */
  readonly ordem: number
  readonly nome: string
  readonly limite: string
  /** Reason for the bound. */
  readonly razao: string
  /** null: the data do not allow a measurement. */
  measure(results: Results): Measured | null
}

/** Bounds that concern no particular IA. */
const common: readonly CommonBound[] = [
  {
    ordem: 0,
    nome: 'modelos: em condições de uso',
    limite: 'todos',
    razao: 'The silence of a model that does not run must not pass for a kept bound.',
    measure({ modelos }) {
      const usable = modelos.filter(({ motivo }) => motivo === null).length
      return modelos.length === 0 ? null : { valor: `${usable} de ${modelos.length}`, ok: usable === modelos.length }
    },
  },
  {
    ordem: 25,
    nome: 'cena parada (no_motion): candidatos da borda',
    limite: 'nenhum',
    razao: 'A still scene contains no event, and its refutation must not depend on the verifier.',
    measure({ videos }) {
      const still = videos.filter(({ quiet }) => quiet.length > 0)
      const all = sumOf(
        still,
        ({ quiet, events }) =>
          events.filter(({ atS }) => quiet.some(({ startS, endS }) => atS >= startS && atS <= endS)).length,
      )
      return still.length === 0 ? null : { valor: String(all), ok: all === 0 }
    },
  },
]

/** The part of the results that concerns one IA. */
function inputOf({ ias, imagens, detectores }: Results, nome: NomeIa): BoundInput {
  const { modelo } = entryOf(nome)
  const ofTask = (one: { readonly ia: NomeIa }) => entryOf(one.ia).modelo === modelo
  return {
    events: ias.find(({ ia }) => ia === nome),
    pictures: imagens.filter(({ ia }) => ia === nome),
    task: {
      events: ias.filter(ofTask),
      pictures: imagens.filter(ofTask),
      detectors: detectores.filter(({ tarefa }) => tarefa === modelo),
    },
  }
}

/** Bounds that the product guarantees on any footage. `npm run lab -- eval` fails if one is broken. */
const bounds: readonly CommonBound[] = [
  ...common,
  ...nomesIas.flatMap((nome) =>
    (benchOf(nome).bounds ?? []).map((bound) => ({
      ...bound,
      ordem: entryOf(nome).ordem,
      measure: (results: Results) => bound.measure(inputOf(results, nome)),
    })),
  ),
].toSorted((a, b) => a.ordem - b.ordem)

/** The results of the bounds that the data allow to measure. */
export const judgeBounds = (results: Results): BoundResult[] =>
  bounds.flatMap(({ nome, limite, measure }) => {
    const measured = measure(results)
    return measured ? [{ nome, limite, ...measured }] : []
  })
