import type { BoundResult, DetectorResult, EvalResult, IaResult, PictureResult } from './result.ts'

type Measured = Pick<EvalResult, 'modelos' | 'ias' | 'detectores' | 'imagens' | 'videos'>

interface Bound {
  readonly nome: string
  readonly limite: string
  /** Reason for the bound. */
  readonly razao: string
  /** null: the data contain nothing about it. */
  measure(result: Measured): { readonly valor: string; readonly ok: boolean } | null
}

const iaOf = ({ ias }: Measured, nome: string): IaResult | undefined => ias.find(({ ia }) => ia === nome)
const percent = (share: number) => `${(share * 100).toFixed(1).replace('.', ',')} %`
const ofAll = (found: number, all: number) => `${found} de ${all}`

/** All pictures of one question, over all sets. */
function picturesOf({ imagens }: Measured, ia: string): { positive: number; seen: number } {
  const some = imagens.filter((one: PictureResult) => one.ia === ia)
  return {
    positive: some.reduce((sum, { positivas }) => sum + positivas, 0),
    seen: some.reduce((sum, { vistas }) => sum + vistas, 0),
  }
}

const allFound = (nome: string) => (result: Measured) => {
  const one = iaOf(result, nome)
  if (!one || one.rotulos === 0) return null
  return { valor: ofAll(one.encontrados, one.rotulos), ok: one.encontrados === one.rotulos }
}

/** Bounds that the product guarantees on any footage. `npm run eval` ends with 1 if one is broken. */
const bounds: readonly Bound[] = [
  {
    nome: 'modelos: em condições de uso',
    limite: 'todos',
    razao: 'The silence of a model that does not run must not pass for a kept bound.',
    measure({ modelos }) {
      const usable = modelos.filter(({ motivo }) => motivo === null).length
      return modelos.length === 0 ? null : { valor: ofAll(usable, modelos.length), ok: usable === modelos.length }
    },
  },
  {
    nome: 'invasao: pessoas encontradas',
    limite: 'todas',
    razao: 'The product exists to report every intruder.',
    measure: allFound('invasao'),
  },
  {
    nome: 'invasao: eventos sem ninguém',
    limite: 'nenhum',
    razao: 'Users stop reading alerts that are often false.',
    measure(result) {
      const one = iaOf(result, 'invasao')
      return one && one.horas > 0 ? { valor: String(one.falsos), ok: one.falsos === 0 } : null
    },
  },
  {
    nome: 'cruzamento_linha: no sentido certo, uma vez cada',
    limite: 'todos, sem falsos',
    razao: 'The count must be exact: an extra crossing is as wrong as a missing one.',
    measure(result) {
      const one = iaOf(result, 'cruzamento_linha')
      if (!one || one.rotulos === 0) return null
      const valor = `${ofAll(one.encontrados, one.rotulos)}, ${one.falsos} falsos`
      return { valor, ok: one.encontrados === one.rotulos && one.falsos === 0 }
    },
  },
  {
    nome: 'cena parada (no_motion): candidatos da borda',
    limite: 'nenhum',
    razao: 'A still scene contains no event, and its refutation must not depend on the verifier.',
    measure({ videos }) {
      const still = videos.flatMap(({ quiet, events }) =>
        quiet.length === 0
          ? []
          : [events.filter(({ atS }) => quiet.some((q) => atS >= q.startS && atS <= q.endS)).length],
      )
      const all = still.reduce((sum, count) => sum + count, 0)
      return still.length === 0 ? null : { valor: String(all), ok: all === 0 }
    },
  },
  {
    nome: 'epi: precisão de "sem capacete" no limiar padrão',
    limite: '≥ 80 %',
    razao: 'The event accuses a person: four of five must be right.',
    measure({ detectores }) {
      const some = detectores.filter(({ rotulo }) => rotulo === 'no_hardhat')
      const [right, all] = [total(some, 'certos'), total(some, 'achados')]
      // A detector without any detection is never wrong, but useless.
      if (all === 0 && total(some, 'rotulos') > 0) return { valor: 'nada encontrado', ok: false }
      return all === 0 ? null : { valor: `${percent(right / all)} (${ofAll(right, all)})`, ok: right / all >= 0.8 }
    },
  },
  {
    nome: 'fogo: imagens com fogo em que o detector o vê',
    limite: '≥ 90 %',
    razao: 'Nine of ten in a single picture. An event also needs flicker, which a picture lacks.',
    measure(result) {
      const { positive, seen } = picturesOf(result, 'fogo')
      if (positive === 0) return null
      return { valor: `${percent(seen / positive)} (${ofAll(seen, positive)})`, ok: seen / positive >= 0.9 }
    },
  },
  {
    nome: 'fogo e fumaça: imagens sem fogo que disparam',
    limite: 'nenhuma',
    razao: 'A still picture does not burn: neither a poster nor a red wall may call the fire brigade.',
    measure({ imagens }) {
      const some = imagens.filter(({ ia }) => ia === 'fogo' || ia === 'fumaca')
      // Both questions use the same pictures of a set.
      const bySet = Map.groupBy(some, ({ conjunto }) => conjunto)
      const pictures = [...bySet.values()].reduce((sum, rows) => sum + Math.max(...rows.map((one) => one.vazias)), 0)
      const raised = new Set(some.flatMap(({ falsas_vazias }) => falsas_vazias)).size
      if (pictures === 0) return null
      return { valor: ofAll(raised, pictures), ok: raised === 0 }
    },
  },
  {
    nome: 'fogo e fumaça: eventos em vídeos sem fogo',
    limite: 'nenhum',
    razao: 'After a false alarm the fire brigade may not come again.',
    measure(result) {
      const some = ['fogo', 'fumaca'].flatMap((nome) => iaOf(result, nome) ?? []).filter(({ horas }) => horas > 0)
      const all = some.reduce((sum, { falsos }) => sum + falsos, 0)
      return some.length === 0 ? null : { valor: String(all), ok: all === 0 }
    },
  },
  {
    nome: 'fogo: do primeiro quadro rotulado ao evento',
    limite: 'todos em até 3 s',
    razao: 'Faster than the fire alarm of a building.',
    measure(result) {
      const one = iaOf(result, 'fogo')
      if (!one || one.rotulos === 0) return null
      const worst = one.deteccao_s?.pior
      const ok = one.encontrados === one.rotulos && worst !== undefined && worst <= 3
      return { valor: worst === undefined ? 'não encontrado' : `${worst.toFixed(1).replace('.', ',')} s`, ok }
    },
  },
]

const total = (some: readonly DetectorResult[], key: 'certos' | 'achados' | 'rotulos') =>
  some.reduce((sum, one) => sum + one[key], 0)

/** The results of the bounds that the data allow to measure. */
export const judgeBounds = (result: Measured): BoundResult[] =>
  bounds.flatMap(({ nome, limite, measure }) => {
    const measured = measure(result)
    return measured ? [{ nome, limite, ...measured }] : []
  })
