import type { Share } from '@vigia/ias/share'
import type { Table } from '@vigia/testing/table'
import type { BoundResult } from '../bound-result.ts'
import type { Grupo } from './outcome.ts'
import { BINS } from './statistics.ts'
import { type GroupSummary, type Row, sizeOf } from './summary.ts'

const decimal = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')
const cell = ({ k, n, de, ate }: Share) =>
  n === 0 ? '–' : `${decimal((100 * k) / n, 1)} (${decimal(100 * de, 1)}–${decimal(100 * ate, 1)})`

const titles: Readonly<Record<Grupo, string>> = {
  pessoa: 'Pessoas',
  pessoa_recortes: 'Pessoas, com dois recortes seguintes',
  pessoa_principal: 'Pessoas, recorte da imagem principal',
  veiculo: 'Veículos',
  fogo: 'Fogo',
  fumaca: 'Fumaça',
  capacete: 'Falta de capacete',
}

interface Tabled {
  readonly limites: readonly BoundResult[]
  readonly grupos: readonly GroupSummary[]
}

export const verifierTables = ({ limites, grupos }: Tabled): Table[] => [
  {
    titulo: 'Limites do verificador',
    colunas: ['limite', 'pedido', 'medido', ''],
    linhas: limites.map(({ nome, limite, valor, ok }) => [nome, limite, valor, ok ? 'ok' : 'FALHA']),
  },
  ...grupos.map(
    ({ grupo, linhas }): Table => ({
      titulo: titles[grupo],
      nota: 'Em %, com intervalos de 95 % (Wilson). Certeza: `confirmado` com `alta`; incerto: com `baixa`.',
      colunas: [
        'linha',
        'verdadeiros',
        'certeza',
        'incertos',
        'refutados',
        'falsos',
        'certeza',
        'incertos',
        'refutados',
      ],
      linhas: linhas.map(cells),
    }),
  ),
  {
    titulo: 'Calibração',
    nota: `Por faixa da probabilidade dita: parte dos candidatos que é verdadeira, em %, e quantos são. 
Erro: com os candidatos como são; meio a meio: com o mesmo peso para verdadeiros e falsos.`,
    colunas: [
      'grupo',
      ...Array.from({ length: BINS }, (_, bin) => `${bin * 10}–${bin * 10 + 10}`),
      'erro',
      'meio a meio',
    ],
    linhas: grupos.map(({ grupo, confiabilidade, erro_calibracao, erro_meio_a_meio }) => [
      titles[grupo],
      ...confiabilidade.map(({ n, verdadeiros }) => (n === 0 ? '–' : `${decimal(100 * verdadeiros, 0)} (${n})`)),
      decimal(erro_calibracao, 3),
      decimal(erro_meio_a_meio, 3),
    ]),
  },
]

const cells = ({ linha, verdadeiros, falsos }: Row): string[] => [
  linha,
  ...[verdadeiros, falsos].flatMap((some) => [
    String(sizeOf(some)),
    cell(some.confirmados),
    cell(some.incertos),
    cell(some.refutados),
  ]),
]
