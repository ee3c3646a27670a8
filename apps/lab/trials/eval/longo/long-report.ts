import { ANALYSED_FPS } from '@vigia/analysis/model'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { Table } from '@vigia/testing/table'
import { falseOf, type SegmentRow, sumOf } from './long-state.ts'
import { poissonLimit } from './poisson.ts'
import { type Perfil, perfis } from './scenes.ts'
import { SEGMENT_S } from './segments.ts'

const number = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')

const WARNING =
  'Horas geradas repetem poucos minutos reais: elas não provam uma taxa de falsos na câmera de um cliente.'

const titles: Record<Perfil, string> = {
  parado: 'nada verdadeiro acontece',
  movimentado: 'rótulos completos, ou zonas em que nada verdadeiro pode acontecer',
}

/** Tables of the finished segments. */
export const longTables = (rows: readonly SegmentRow[], hours: number): Table[] =>
  perfis.flatMap((perfil) => {
    const mine = rows.filter((one) => one.perfil === perfil)
    return mine.length === 0 ? [] : [profileTable(perfil, mine, hours)]
  })

function profileTable(perfil: Perfil, rows: readonly SegmentRow[], hours: number): Table {
  const doneH = sumOf(rows, ({ duracao_s }) => duracao_s) / 3600
  const line = (nome: string, falsos: number, judgedH: number, refutados: number) => [
    nome,
    judgedH === 0 ? '–' : number(judgedH, 1),
    judgedH === 0 ? '–' : String(falsos),
    judgedH === 0 ? '–' : number((falsos * 24) / judgedH, 2),
    judgedH === 0 ? '–' : number((poissonLimit(falsos) * 24) / judgedH, 2),
    String(refutados),
  ]
  const all = [...new Set(rows.flatMap(({ julgado_s }) => Object.keys(julgado_s)))]
  const ran = nomesIas.filter((ia) => all.includes(ia))
  const refuted = (ia: NomeIa) => sumOf(rows, ({ refutados }) => refutados[ia] ?? 0)
  return {
    titulo: `Fluxo longo, ${perfil}`,
    nota:
      `${titles[perfil].replace(/^./, (first) => first.toUpperCase())}. ` +
      `Prontas: ${number(doneH, 1)} de ${number(hours, 1)} h de fluxo, ${ANALYSED_FPS} quadros por segundo, em ` +
      `trechos de ${SEGMENT_S / 60} min, de ${number(realMinutes(rows), 1)} minutos reais distintos. ` +
      `Velocidade: ${number(speedOf(rows), 1)} vezes o tempo real; ` +
      `CPU: ${number(sumOf(rows, ({ cpu_s }) => cpu_s) / 3600 / doneH, 3)} núcleo por câmera, ` +
      'sem decodificar e com o gerador; ' +
      `${number(sumOf(rows, ({ inferencias }) => inferencias) / (doneH * 60), 1)} inferências por minuto. ` +
      `Limite: 95 %, Poisson. ${WARNING}`,
    colunas: ['IA', 'horas julgadas', 'falsos', 'por 24 h', 'no máximo por 24 h', 'refutados'],
    linhas: [
      ...ran.map((ia) =>
        line(ia, falseOf(rows, ia), sumOf(rows, ({ julgado_s }) => julgado_s[ia] ?? 0) / 3600, refuted(ia)),
      ),
      line(
        'soma das IAs',
        sumOf(rows, ({ falsos }) => falsos.length),
        doneH,
        ran.reduce((sum, ia) => sum + refuted(ia), 0),
      ),
    ],
  }
}

/** Minutes of different real footage behind the rows: each scene once. */
function realMinutes(rows: readonly SegmentRow[]): number {
  const byScene = new Map(rows.map(({ cena, real_s }) => [cena, real_s]))
  return [...byScene.values()].reduce((sum, realS) => sum + realS, 0) / 60
}

const speedOf = (rows: readonly SegmentRow[]): number =>
  sumOf(rows, ({ duracao_s }) => duracao_s) / sumOf(rows, ({ relogio_s }) => relogio_s)

/** Each false event, for a terminal. */
export const falseLines = (rows: readonly SegmentRow[]): string[] =>
  rows.flatMap(({ perfil, segmento, cena, falsos }) =>
    falsos.map(({ ia, em_s, confianca, rotulos, clima, motivo, imagem }) => {
      const what = `${ia} ${number(confianca, 2)} ${rotulos.join('+')}`
      const where = `${perfil} ${segmento} (${cena}, ${clima ?? 'sem clima'}) ${number(em_s, 1)} s`
      return `${where}: ${what}; ${motivo}; ${imagem}`
    }),
  )
