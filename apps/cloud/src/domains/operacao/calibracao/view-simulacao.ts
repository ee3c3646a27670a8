import { type AvisoSimulacao, type ItemSimulacao, SIMULACAO_ITENS, type Simulacao } from '@vigia/contracts/simulacao'
import { type NomeIa, nomesIas } from '@vigia/ias/catalogue'
import type { Outcome } from '@vigia/ias/replay/replay'
import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { DescartadoRow } from '../../../db/descartados.ts'
import { signDescartado } from '../../eventos/public.ts'
import { discardKey, eventKey } from './occasion-of.ts'
import { avisoTexts } from './simulation-texts.ts'
import type { CameraPeriod, CandidatoRow } from './store.ts'

interface Answer {
  readonly rows: readonly CandidatoRow[]
  readonly discards: readonly DescartadoRow[]
  readonly outcomes: readonly Outcome[]
  readonly avisos: readonly AvisoSimulacao[]
}

const HOUR_MS = 3_600_000
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

interface LinkDeps {
  readonly clock: Clock
  readonly box: SecretBox
}

/** An outcome with its stored event; null: a candidate without one. */
interface Judged extends Outcome {
  readonly row: CandidatoRow | null
}

export function viewSimulacao(
  deps: LinkDeps,
  { cameraId, desde, ate }: CameraPeriod,
  { rows, discards, outcomes, avisos }: Answer,
): Simulacao {
  const byKey = new Map(rows.map((row) => [eventKey(row), row]))
  const discardByKey = new Map(discards.map((row) => [discardKey(row), row]))
  const judged = outcomes.map((outcome): Judged => ({ ...outcome, row: byKey.get(outcome.occasion.key) ?? null }))
  const events = judged.flatMap(({ row, ...rest }) => (row ? [{ ...rest, row }] : []))
  const goes = events.filter(({ firesAt }) => firesAt === null)
  const comes = judged.filter(({ row, firesAt }) => row === null && firesAt !== null)
  return {
    camera_id: cameraId,
    desde: instant(desde),
    ate: instant(ate),
    ...countOf(judged),
    exato: outcomes.every(({ exact }) => exact),
    ficam: events.filter(({ firesAt }) => firesAt !== null).map(({ row }) => row.id),
    somem: newest(goes).map(viewItem),
    somem_total: goes.length,
    surgem: newest(comes).map(({ occasion, firesAt, exact }) => {
      const discard = discardByKey.get(occasion.key) ?? null
      return viewNew({ occasion, exact, at: firesAt ?? occasion.epochMs, discard, deps })
    }),
    surgem_total: comes.length,
    por_ia: nomesIas.flatMap((tipo) => countIa(tipo, judged)),
    por_hora: countHours(judged),
    revisados: {
      verdadeiros: countOf(judged.filter(({ row }) => row?.revisao_rotulo === 'confirmado')),
      falsos: countOf(judged.filter(({ row }) => row?.revisao_rotulo === 'refutado')),
    },
    avisos: avisos.map((codigo) => ({ codigo, texto: avisoTexts[codigo] })),
  }
}

const countOf = (judged: readonly Judged[]) => ({
  antes: judged.filter(({ row }) => row !== null).length,
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
    if (row !== null) add(row.ocorrido_em, 'antes')
    if (firesAt !== null) add(firesAt, 'depois')
  }
  return [...hours].sort(([a], [b]) => a - b).map(([hour, count]) => ({ inicio: instant(hour), ...count }))
}

const newest = <T extends Outcome>(judged: readonly T[]): T[] =>
  judged.toSorted((a, b) => b.occasion.epochMs - a.occasion.epochMs).slice(0, SIMULACAO_ITENS)

const viewItem = ({ row, occasion, loss, exact }: Outcome & { readonly row: CandidatoRow }): ItemSimulacao => ({
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

interface NewItem extends Pick<Outcome, 'occasion' | 'exact'> {
  readonly at: number
  readonly discard: DescartadoRow | null
  readonly deps: LinkDeps
}

const viewNew = ({ occasion, exact, at, discard, deps }: NewItem): ItemSimulacao => ({
  evento_id: null,
  descartado_id: discard?.id ?? null,
  tipo: occasion.ia,
  ocorrido_em: instant(at),
  confianca: occasion.confianca,
  motivo: occasion.stopped ?? 'conf',
  exato: exact,
  imagem_url: discard && signDescartado(deps, discard),
  veredito: null,
  revisao: null,
})
