import { type AvisoSimulacao, type ItemSimulacao, SIMULACAO_ITENS, type Simulacao } from '@vigia/contracts/simulacao'
import { type NomeIa, nomesIas } from '@vigia/ias/catalogue'
import type { Outcome } from '@vigia/ias/replay/replay'
import { avisoTexts } from './simulation-texts.ts'
import type { CameraPeriod, CandidatoRow } from './store.ts'

interface Answer {
  readonly rows: readonly CandidatoRow[]
  readonly outcomes: readonly Outcome[]
  readonly avisos: readonly AvisoSimulacao[]
}

const HOUR_MS = 3_600_000
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** An outcome with its stored event. */
interface Judged extends Outcome {
  readonly row: CandidatoRow
}

export function viewSimulacao({ cameraId, desde, ate }: CameraPeriod, { rows, outcomes, avisos }: Answer): Simulacao {
  const byKey = new Map(rows.map((row) => [`evento ${row.id}`, row]))
  const judged = outcomes.flatMap((outcome): Judged[] => {
    const row = byKey.get(outcome.occasion.key)
    return row ? [{ ...outcome, row }] : []
  })
  const stays = judged.filter(({ firesAt }) => firesAt !== null)
  const goes = judged.filter(({ firesAt }) => firesAt === null)
  return {
    camera_id: cameraId,
    desde: instant(desde),
    ate: instant(ate),
    ...countOf(judged),
    exato: outcomes.every(({ exact }) => exact),
    ficam: stays.map(({ row }) => row.id),
    somem: newest(goes).map(viewItem),
    somem_total: goes.length,
    surgem: [],
    surgem_total: 0,
    por_ia: nomesIas.flatMap((tipo) => countIa(tipo, judged)),
    por_hora: countHours(judged),
    revisados: {
      verdadeiros: countOf(judged.filter(({ row }) => row.revisao_rotulo === 'confirmado')),
      falsos: countOf(judged.filter(({ row }) => row.revisao_rotulo === 'refutado')),
    },
    avisos: avisos.map((codigo) => ({ codigo, texto: avisoTexts[codigo] })),
  }
}

const countOf = (judged: readonly Judged[]) => ({
  antes: judged.length,
  depois: judged.filter(({ firesAt }) => firesAt !== null).length,
})

function countIa(tipo: NomeIa, judged: readonly Judged[]): Simulacao['por_ia'] {
  const own = judged.filter(({ occasion }) => occasion.ia === tipo)
  return own.length === 0 ? [] : [{ tipo, ...countOf(own), exato: own.every(({ exact }) => exact) }]
}

/** Hours in UTC. An event counts before in its own hour, and after in the hour in which it would have come. */
function countHours(judged: readonly Judged[]): Simulacao['por_hora'] {
  const hours = new Map<number, { antes: number; depois: number }>()
  const add = (epochMs: number, side: 'antes' | 'depois') => {
    const hour = Math.floor(epochMs / HOUR_MS) * HOUR_MS
    const count = hours.get(hour) ?? { antes: 0, depois: 0 }
    count[side]++
    hours.set(hour, count)
  }
  for (const { row, firesAt } of judged) {
    add(row.ocorrido_em, 'antes')
    if (firesAt !== null) add(firesAt, 'depois')
  }
  return [...hours].sort(([a], [b]) => a - b).map(([hour, count]) => ({ inicio: instant(hour), ...count }))
}

const newest = (judged: readonly Judged[]) =>
  judged.toSorted((a, b) => b.row.ocorrido_em - a.row.ocorrido_em).slice(0, SIMULACAO_ITENS)

const viewItem = ({ row, occasion, loss, exact }: Judged): ItemSimulacao => ({
  evento_id: row.id,
  descartado_id: null,
  tipo: occasion.ia,
  ocorrido_em: instant(row.ocorrido_em),
  confianca: row.confianca,
  motivo: loss ?? 'conf',
  exato: exact,
  imagem_url: row.crop_path === null ? null : `/api/v1/crops/${row.id}`,
  veredito: row.veredito_decisao,
  revisao: row.revisao_rotulo,
})
