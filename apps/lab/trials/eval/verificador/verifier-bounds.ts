import type { Share } from '@vigia/ias/share'
import type { BoundResult } from '../bound-result.ts'
import type { Grupo } from './outcome.ts'
import { type GroupSummary, type Row, sizeOf } from './summary.ts'

/** Rows with fewer true candidates may lose one. */
const LARGE_ROW = 300

const percent = (value: number) => `${(value * 100).toFixed(1).replace('.', ',')} %`
const words = ({ k, n, de, ate }: Share) => `${percent(k / n)} (${k} de ${n}; ${percent(de)} a ${percent(ate)})`
const decimal = (value: number) => value.toFixed(3).replace('.', ',')
const partOf = ({ k, n }: Share) => (n === 0 ? 0 : k / n)

const atMost = (nome: string, share: Share, limit: number): BoundResult[] =>
  share.n === 0 ? [] : [{ nome, limite: `≤ ${percent(limit)}`, valor: words(share), ok: partOf(share) <= limit }]
const atLeast = (nome: string, share: Share, limit: number): BoundResult[] =>
  share.n === 0 ? [] : [{ nome, limite: `≥ ${percent(limit)}`, valor: words(share), ok: partOf(share) >= limit }]

/** A refuted true candidate is the worst error, so that each row has its own limit. */
function rowBound(rows: readonly Row[]): BoundResult {
  const losing = rows.filter(({ verdadeiros }) => {
    const { k } = verdadeiros.refutados
    const size = sizeOf(verdadeiros)
    return size >= LARGE_ROW ? k / size > 0.01 : k > 1
  })
  return {
    nome: 'pessoas: verdadeiras refutadas em cada linha',
    limite: `≤ 1,0 %; no máximo 1 abaixo de ${LARGE_ROW}`,
    valor:
      losing.length === 0
        ? 'todas'
        : losing.map(({ linha, verdadeiros }) => `${linha}: ${verdadeiros.refutados.k}`).join('; '),
    ok: losing.length === 0,
  }
}

const calibration = (nome: string, group: GroupSummary | undefined, limit: number): BoundResult[] =>
  group
    ? [
        {
          nome: `${nome}: erro de calibração`,
          limite: `≤ ${limit.toFixed(2).replace('.', ',')}`,
          valor: `${decimal(group.erro_calibracao)} (meio a meio: ${decimal(group.erro_meio_a_meio)})`,
          ok: group.erro_calibracao <= limit,
        },
      ]
    : []

/** Limits of the verifier. A limit that the data cannot show is left out. */
export function judgeVerifier(groups: readonly GroupSummary[]): BoundResult[] {
  const group = (nome: Grupo) => groups.find(({ grupo }) => grupo === nome)
  const people = group('pessoa')
  const [all] = people?.linhas ?? []
  const recortes = group('pessoa_recortes')?.linhas[0]
  const principal = group('pessoa_principal')?.linhas[0]
  const helmets = group('capacete')?.linhas[0]
  const fire = group('fogo')?.linhas[0]
  return [
    ...(people && all
      ? [
          ...atMost('pessoas: verdadeiras refutadas', all.verdadeiros.refutados, 0.005),
          rowBound(people.linhas.slice(1)),
          ...atLeast('pessoas: verdadeiras confirmadas com certeza', all.verdadeiros.confirmados, 0.75),
          ...atLeast('pessoas: o mesmo, primeiro modelo ≥ 0,45', people.fortes.verdadeiros.confirmados, 0.9),
          ...atMost('pessoas: falsas confirmadas com certeza', all.falsos.confirmados, 0.03),
          ...atLeast('pessoas: falsas refutadas, imagens limpas', people.limpas.falsos.refutados, 0.4),
          ...atLeast('pessoas: falsas refutadas, com imagens estragadas', all.falsos.refutados, 0.3),
        ]
      : []),
    ...(recortes
      ? [
          ...atMost('pessoas, dois recortes seguintes: verdadeiras refutadas', recortes.verdadeiros.refutados, 0.005),
          ...atLeast('pessoas, dois recortes seguintes: falsas refutadas (uma cena)', recortes.falsos.refutados, 0.4),
        ]
      : []),
    ...(principal
      ? [
          ...atMost('pessoas, imagem principal: verdadeiras refutadas', principal.verdadeiros.refutados, 0.005),
          ...atLeast('pessoas, imagem principal: falsas refutadas (uma cena)', principal.falsos.refutados, 0.9),
        ]
      : []),
    ...calibration('pessoas', people, 0.05),
    ...calibration('veículos', group('veiculo'), 0.05),
    ...calibration('fogo', group('fogo'), 0.08),
    ...calibration('fumaça', group('fumaca'), 0.08),
    ...calibration('capacete', group('capacete'), 0.08),
    ...(helmets
      ? [
          ...atMost('epi: capacetes usados confirmados como falta', helmets.falsos.confirmados, 0.1),
          ...atLeast('epi: cabeças sem capacete confirmadas', helmets.verdadeiros.confirmados, 0.7),
        ]
      : []),
    ...(fire ? atMost('fogo: fogos verdadeiros refutados', fire.verdadeiros.refutados, 0.01) : []),
  ]
}
