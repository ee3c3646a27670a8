import {
  type IncidenteRow,
  isBetterCover,
  joinTipos,
  lineOf,
  maxGravidade,
  splitTipos,
} from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import { silencedCameras } from '../../../db/silencios.ts'
import { placeEvento } from './place-evento.ts'
import { plateKeyOf } from './plate-key.ts'
import { type Grown, insertIncidentes, lockReachable, type NewIncidente, type Reachable, saveGrown } from './store.ts'

/** Shortest time between two announcements of an incidente that only gained events, ms. */
const ANNOUNCE_MS = 1_000

/** Ids from here on are provisional: above all others, and in the order of the insertion. */
const PROVISIONAL = 2 ** 52

/** An incidente with the events of one transaction. */
interface Draft extends Grown {
  /** From `PROVISIONAL` on: not inserted yet. */
  readonly id: number
  /** Severity and `ocorrido_em` of the cover. */
  readonly capa: Pick<NewEvento, 'gravidade' | 'ocorrido_em'>
  readonly placa: string | null
  readonly camera_id: number
  /** null: not inserted yet. */
  readonly before: IncidenteRow | null
  readonly atendido: boolean
  readonly refutado: boolean
  readonly incerto: boolean
  readonly prova: boolean
  readonly trilhas: ReadonlySet<string>
}

export interface Joined {
  /** The events with their `incidente_id`. */
  readonly events: readonly NewEvento[]
  /** Lines that announce the changed incidentes, for the end of the alert log. */
  readonly lines: readonly ReturnType<typeof lineOf>[]
}

/**
 * Assigns new events to incidentes of their cameras, and writes these. Called in the transaction that stores the
 * events, before it does. The membership of an event never changes afterwards.
 */
export async function joinIncidentes(tx: Database, events: readonly NewEvento[], now: number): Promise<Joined> {
  const reachable = await lockReachable(tx, events)
  const drafts = new Map(reachable.rows.map((row): [number, Draft] => [row.id, draftOf(row, reachable)]))
  const joined = events.map((event) => {
    const own = [...drafts.values()]
      .filter(({ camera_id }) => camera_id === event.camera_id)
      .map((draft) => ({ ...draft, tipos: new Set(splitTipos(draft.tipos)) }))
    const { id } =
      placeEvento(own, {
        ...event,
        placa: plateKeyOf(event),
        trilha: event.trilha ?? null,
        incerto: event.hora_ate != null,
        prova: event.prova === 1,
      }) ?? {}
    const taker = id === undefined ? undefined : drafts.get(id)
    const draft = taker === undefined ? opened(event, PROVISIONAL + drafts.size, now) : grown(taker, event)
    drafts.set(draft.id, draft)
    return { event, draftId: draft.id }
  })

  const fresh = [...drafts.values()].filter(({ before }) => before === null)
  const ids = await insertIncidentes(tx, await rowsOf(tx, fresh, events, now))
  const lines = fresh.map(({ capa_evento_id }) => lineOf({ id: ids.get(capa_evento_id) ?? 0, capa_evento_id }, now))
  for (const draft of drafts.values()) {
    const { before } = draft
    if (before === null || draft.eventos === before.eventos) continue
    const announced = isNotable(before, draft) || now - before.anunciado_em >= ANNOUNCE_MS
    await saveGrown(tx, draft.id, columnsOf({ ...draft, anunciado_em: announced ? now : before.anunciado_em }))
    if (announced) lines.push(lineOf(draft, now))
  }
  const idOf = (draftId: number) =>
    draftId < PROVISIONAL ? draftId : ids.get(drafts.get(draftId)?.capa_evento_id ?? 0)
  return { events: joined.map(({ event, draftId }) => ({ ...event, incidente_id: idOf(draftId) ?? null })), lines }
}

function draftOf(row: IncidenteRow, { capas, trilhas }: Reachable): Draft {
  const capa = capas.get(row.capa_evento_id)
  return {
    ...columnsOf(row),
    id: row.id,
    camera_id: row.camera_id,
    capa: capa ?? { gravidade: row.gravidade, ocorrido_em: row.inicio },
    placa: capa === undefined ? null : plateKeyOf(capa),
    before: row,
    atendido: row.resposta !== null,
    refutado: row.situacao === 'refutado',
    incerto: row.hora_ate !== null,
    prova: row.prova === 1,
    trilhas: trilhas.get(row.id) ?? new Set(),
    versao: row.versao + 1,
  }
}

const opened = (event: NewEvento, id: number, now: number): Draft => ({
  ...startedBy(event),
  id,
  camera_id: event.camera_id,
  capa: event,
  placa: plateKeyOf(event),
  before: null,
  atendido: false,
  refutado: false,
  incerto: event.hora_ate != null,
  prova: event.prova === 1,
  trilhas: withTrack(new Set(), event),
  eventos: 1,
  pendentes: 1,
  versao: 1,
  anunciado_em: now,
})

/** The columns of an incidente whose only event without a refutation is `event`. */
const startedBy = ({ id, ocorrido_em, gravidade, tipo, hora_de = null, hora_ate = null }: NewEvento) =>
  ({
    hora_de,
    hora_ate,
    inicio: ocorrido_em,
    fim: ocorrido_em,
    gravidade,
    tipos: joinTipos([tipo]),
    situacao: 'pendente',
    capa_evento_id: id,
  }) as const

function grown(draft: Draft, event: NewEvento): Draft {
  const counts = { eventos: draft.eventos + 1, pendentes: draft.pendentes + 1 }
  const trilhas = withTrack(draft.trilhas, event)
  if (draft.refutado) return { ...draft, ...startedBy(event), ...counts, trilhas, capa: event, refutado: false }
  const covers = isBetterCover(event, { ...draft.capa, id: draft.capa_evento_id })
  return {
    ...draft,
    ...counts,
    trilhas,
    ...(covers && { capa: event, capa_evento_id: event.id }),
    inicio: Math.min(draft.inicio, event.ocorrido_em),
    fim: Math.max(draft.fim, event.ocorrido_em),
    hora_de: widest(Math.min, draft.hora_de, event.hora_de),
    hora_ate: widest(Math.max, draft.hora_ate, event.hora_ate),
    gravidade: maxGravidade(draft.gravidade, event.gravidade),
    tipos: joinTipos([...splitTipos(draft.tipos), event.tipo]),
  }
}

/** The bound of both; null: the time of each is known. */
function widest(pick: typeof Math.min, a: number | null, b: number | null | undefined): number | null {
  const bounds = [a, b ?? null].filter((bound) => bound !== null)
  return bounds.length === 0 ? null : pick(...bounds)
}

const withTrack = (trilhas: ReadonlySet<string>, { trilha }: NewEvento): ReadonlySet<string> =>
  trilha == null ? trilhas : new Set(trilhas).add(trilha)

/** Whether screens must show the change at once. */
const isNotable = (before: IncidenteRow, { gravidade, situacao, tipos }: Draft): boolean =>
  before.gravidade !== gravidade || before.situacao !== situacao || before.tipos !== tipos

const columnsOf = (from: Grown): Grown => ({
  inicio: from.inicio,
  fim: from.fim,
  gravidade: from.gravidade,
  tipos: from.tipos,
  situacao: from.situacao,
  capa_evento_id: from.capa_evento_id,
  eventos: from.eventos,
  pendentes: from.pendentes,
  versao: from.versao,
  anunciado_em: from.anunciado_em,
  hora_de: from.hora_de,
  hora_ate: from.hora_ate,
})

async function rowsOf(
  tx: Database,
  drafts: readonly Draft[],
  events: readonly NewEvento[],
  now: number,
): Promise<NewIncidente[]> {
  const silenced = await silencedCameras(tx, [...new Set(drafts.map(({ camera_id }) => camera_id))], now)
  const byId = new Map(events.map((event) => [event.id, event]))
  return drafts.map((draft) => {
    const cover = byId.get(draft.capa_evento_id)
    if (!cover) throw new Error(`cover ${draft.capa_evento_id} of a new incidente is missing`)
    const { camera_id, empresa_id, camera_nome } = cover
    return {
      ...columnsOf(draft),
      camera_id,
      empresa_id,
      camera_nome,
      confirmados: 0,
      refutados: 0,
      prova: draft.prova ? 1 : 0,
      // A walk test is heard.
      silenciado: silenced.has(camera_id) && !draft.prova ? 1 : 0,
    }
  })
}
