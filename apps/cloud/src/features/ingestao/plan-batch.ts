import type { Candidato, Confirmacao, Registro } from '@vigia/contracts/candidate'
import type { BatchItem } from '@vigia/link/batch'
import type { MediaFile } from '../../adapters/media-store/interface.ts'
import type { NewEvento } from '../../db/rows.ts'
import { type CameraOfEvento, cameLate, eventRow, faultOf, filesOf, MAX_INSTANTE } from './candidate-row.ts'
import type { IdBudget } from './id-budget.ts'
import { type Place, placeOf, type ReadBatch } from './read-batch.ts'
import {
  accountBelow,
  explain,
  fill,
  isSettled,
  type Reserved,
  restart,
  type Sequence,
  splitsWait,
  waits,
} from './sequence.ts'

/** A camera's sequence, and the outbox that counts it; null: not known yet. */
export type Counted = Sequence & { readonly serie: string | null }

/** What the cloud has before a batch; `store.ts` reads it. */
export interface Known {
  /** Whether the edge may send at all. */
  readonly ativado: boolean
  /** The cameras that it may send of, by id. */
  readonly cameras: ReadonlyMap<number, CameraOfEvento>
  /** Edges that sent events, and gap records, by uuid. */
  readonly remetentes: ReadonlyMap<string, number>
  readonly sequencias: ReadonlyMap<number, Counted>
  /** Highest event id that was given out or kept free. */
  readonly ultimoId: number
}

/** What a batch changes, and what is answered. */
export interface BatchPlan {
  readonly respostas: Confirmacao[]
  readonly eventos: NewEvento[]
  readonly midias: MediaFile[]
  /** Of the cameras that it moved. */
  readonly sequencias: ReadonlyMap<number, Counted>
  /** Highest event id, given or reserved, after it. */
  readonly ultimoId: number
  /** Events whose number was there already: another copy of the box's disk may be in use. */
  readonly numerosUsados: { readonly camera_id: number; readonly seq: number; readonly uuid: string }[]
}

interface Reached {
  readonly camera: CameraOfEvento
  readonly below: Sequence
}
type Resultado = Pick<Confirmacao, 'resultado' | 'motivo'>
const gravado: Resultado = { resultado: 'gravado', motivo: null }
const repetido: Resultado = { resultado: 'repetido', motivo: null }
const foraDeOrdem: Resultado = { resultado: 'fora_de_ordem', motivo: null }
const recusado = (motivo: string): Resultado => ({ resultado: 'recusado', motivo })

/**
 * Decides over a batch, record by record. Changes nothing but `ids`, the event ids that may be reserved for what is overtaken.
 */
export function planBatch(
  { serie, itens }: ReadBatch,
  known: Known,
  { edgeId, now, ids }: { readonly edgeId: number; readonly now: number; readonly ids: IdBudget },
): BatchPlan {
  const remetentes = new Map(known.remetentes)
  const sequencias = new Map<number, Counted>()
  const plan = { respostas: [] as Confirmacao[], eventos: [] as NewEvento[], midias: [] as MediaFile[] }
  const numerosUsados: BatchPlan['numerosUsados'] = []
  let { ultimoId } = known

  const reserveFor =
    (empresaId: number) =>
    (n: number, before: number): Reserved => {
      const count = ids.take(empresaId, Math.min(n, Math.max(0, MAX_RESERVED_PER_CAMERA - before)))
      ultimoId += count
      return { first: ultimoId - count + 1, count }
    }

  function storeEvent(
    candidato: Candidato,
    midias: readonly Buffer[],
    camera: CameraOfEvento,
    below: Sequence,
  ): Sequence {
    const { sequence, esperado, atrasado, reservado } = fill(below, candidato.seq)
    if (reservado === null) ultimoId += 1
    else ids.giveBack(camera.empresa_id)
    const id = reservado ?? ultimoId
    const retroativo = atrasado || cameLate(candidato, now)
    plan.eventos.push(eventRow(candidato, camera, { id, edgeId, now, retroativo }))
    plan.midias.push(...filesOf(candidato, midias, now))
    if (!esperado) numerosUsados.push({ camera_id: camera.id, seq: candidato.seq, uuid: candidato.id })
    return sequence
  }

  /** How the camera's sequence stands right below the numbers of `place`; or why nothing can be stored there now. */
  function reach({ camera_id, de, ate, base, desde }: Place): Reached | Resultado {
    const camera = known.cameras.get(camera_id)
    if (camera === undefined) return recusado('A câmera foi removida ou não é atendida por este edge.')
    if (ate < de) return recusado('A lacuna termina antes de começar.')
    const before = sequencias.get(camera_id) ?? known.sequencias.get(camera_id) ?? emptySequence
    // What an edge holds begins at the latest with what it sends.
    const lowest = Math.min(base, de)
    const sequence = before.serie === null || before.serie === serie ? before : restart(before, lowest, now)
    if (!isSettled(sequence, { de: Math.max(desde, lowest), ate: de - 1 })) return foraDeOrdem
    // Each time the link comes back, what is live may overtake once more; in the end it waits until some of it is there.
    const overtakes = Math.max(sequence.ultimo + 1, lowest) < de
    if ((overtakes || splitsWait(sequence, de)) && waits(sequence) >= MAX_WAITS) return foraDeOrdem
    const below = accountBelow(sequence, { de, base: lowest, now }, reserveFor(camera.empresa_id))
    return { camera, below }
  }

  /** A refused record leaves its numbers accounted for: the count goes on without a jump. */
  function refuse(place: Place, below: Sequence, motivo: string, times: readonly [number, number] | null): Resultado {
    const [ocorridoDe, ocorridoAte] = times === null ? [null, null] : [readable(times[0]), readable(times[1])]
    const why = { motivo: 'recusado', uuid: null, ocorridoDe, ocorridoAte, registradaEm: now } as const
    sequencias.set(place.camera_id, { ...explain(below, place, why), serie })
    return recusado(motivo)
  }

  function take(item: BatchItem): Resultado {
    const { registro, midias } = item
    const uuid = registro.id.toLowerCase()
    const remetente = remetentes.get(uuid)
    if (remetente === edgeId) return repetido
    const place = placeOf(item)
    const reached = reach(place)
    if ('resultado' in reached) return reached
    const { camera, below } = reached

    const fault = registro.tipo === 'candidato' ? faultOf(registro, midias) : null
    const motivo = remetente === undefined ? fault : 'Este identificador já foi usado.'
    if (motivo !== null) return refuse(place, below, motivo, timesOf(registro))
    const next =
      registro.tipo === 'candidato'
        ? storeEvent(registro, midias, camera, below)
        : explain(below, place, {
            motivo: registro.motivo,
            uuid,
            ocorridoDe: readable(registro.ocorrido_de),
            ocorridoAte: readable(registro.ocorrido_ate),
            registradaEm: now,
          })
    sequencias.set(camera.id, { ...next, serie })
    remetentes.set(uuid, edgeId)
    return gravado
  }

  function takeUnreadable(motivo: string, place: Place | null): Resultado {
    const reached = place === null ? null : reach(place)
    if (place === null || reached === null) return recusado(motivo)
    return 'resultado' in reached ? reached : refuse(place, reached.below, motivo, null)
  }

  // Of an edge that is not activated nothing is answered: it keeps what it has for when it is, under this or another name.
  for (const item of known.ativado ? itens : []) {
    const id = item.ok ? item.registro.id : item.id
    if (id === null) continue
    const resultado = item.ok ? take(item) : takeUnreadable(`Registro ilegível: ${item.motivo}`, item.place)
    plan.respostas.push({ id, ...resultado })
  }
  return { ...plan, sequencias, ultimoId, numerosUsados }
}

/** Runs of numbers of one camera that may be on their way: all are read for each batch, and a box could make any number of them. */
const MAX_WAITS = 256

/**
 * Event ids reserved for one camera of one edge: with an event every minute, a week of outage. The oldest events of a longer
 * back-fill get their ids as they arrive, and so stand above the live events that overtook them. The live event never waits for ids.
 */
const MAX_RESERVED_PER_CAMERA = 10_000

const emptySequence: Counted = { ultimo: 0, lacunas: [], serie: null }

const timesOf = (registro: Registro): [number, number] =>
  registro.tipo === 'candidato'
    ? [registro.ocorrido_em, registro.ocorrido_em]
    : [registro.ocorrido_de, registro.ocorrido_ate]

const readable = (epochMs: number): number | null => (epochMs > MAX_INSTANTE ? null : epochMs)
