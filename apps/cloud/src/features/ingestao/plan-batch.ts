import type { Candidato, Confirmacao, Registro } from '@vigia/contracts/candidate'
import type { BatchItem, DecodedBatch } from '@vigia/link/batch'
import type { MediaFile } from '../../adapters/media-store/interface.ts'
import type { NewEvent } from '../eventos/store.ts'
import { type CameraOfEvent, cameLate, eventRow, faultOf, filesOf, MAX_INSTANTE } from './candidate-row.ts'
import {
  accountBelow,
  type Explanation,
  explain,
  fill,
  type Interval,
  isSettled,
  restart,
  type Sequence,
} from './sequence.ts'

export type ReadBatch = Extract<DecodedBatch, { ok: true }>

/** A camera's sequence, and the outbox that counts it; null: not known yet. */
export type Counted = Sequence & { readonly serie: string | null }

/** What the cloud has before a batch; `store.ts` reads it. */
export interface Known {
  /** Whether the edge may send at all. */
  readonly ativado: boolean
  /** The cameras that it may send of, by id. */
  readonly cameras: ReadonlyMap<number, CameraOfEvent>
  /** Edges that sent events, and gap records, by uuid. */
  readonly remetentes: ReadonlyMap<string, number>
  readonly sequencias: ReadonlyMap<number, Counted>
  /** Highest event id that was given out or kept free. */
  readonly ultimoId: number
}

/** What a batch changes, and what is answered. */
export interface BatchPlan {
  readonly respostas: Confirmacao[]
  readonly eventos: NewEvent[]
  readonly midias: MediaFile[]
  /** Of the cameras that it moved. */
  readonly sequencias: ReadonlyMap<number, Counted>
  /** Highest event id, given out or kept free, behind it. */
  readonly ultimoId: number
  /** How many ids it keeps free. */
  readonly reservados: number
  /** Events whose number was there already: another copy of the box's disk may be in use. */
  readonly numerosUsados: { readonly camera_id: number; readonly seq: number; readonly uuid: string }[]
}

type Resultado = Pick<Confirmacao, 'resultado' | 'motivo'>
const gravado: Resultado = { resultado: 'gravado', motivo: null }
const repetido: Resultado = { resultado: 'repetido', motivo: null }
const foraDeOrdem: Resultado = { resultado: 'fora_de_ordem', motivo: null }
const recusado = (motivo: string): Resultado => ({ resultado: 'recusado', motivo })

const numbersOf = (registro: Registro): Interval =>
  registro.tipo === 'candidato'
    ? { de: registro.seq, ate: registro.seq }
    : { de: registro.de_seq, ate: registro.ate_seq }

/**
 * Decides over a batch, record by record, without touching anything.
 * @param vagas how many event ids may still be kept free for what was overtaken
 */
export function planBatch(
  { serie, itens }: ReadBatch,
  known: Known,
  { edgeId, agora, vagas }: { readonly edgeId: number; readonly agora: number; readonly vagas: number },
): BatchPlan {
  const remetentes = new Map(known.remetentes)
  const sequencias = new Map<number, Counted>()
  const plan = { respostas: [] as Confirmacao[], eventos: [] as NewEvent[], midias: [] as MediaFile[] }
  const numerosUsados: BatchPlan['numerosUsados'] = []
  let { ultimoId } = known
  let reservados = 0

  const reserve = (n: number): number | null => {
    if (reservados + n > vagas) return null
    reservados += n
    ultimoId += n
    return ultimoId - n + 1
  }

  function storeEvent(
    candidato: Candidato,
    midias: readonly Buffer[],
    camera: CameraOfEvent,
    below: Sequence,
  ): Sequence {
    const { sequence, esperado, atrasado, reservado } = fill(below, candidato.seq)
    if (reservado === null) ultimoId += 1
    const id = reservado ?? ultimoId
    const retroativo = atrasado || cameLate(candidato, agora)
    plan.eventos.push(eventRow(candidato, camera, { id, edgeId, agora, retroativo }))
    plan.midias.push(...filesOf(candidato, midias, agora))
    if (!esperado) numerosUsados.push({ camera_id: camera.id, seq: candidato.seq, uuid: candidato.id })
    return sequence
  }

  function take({ registro, base, desde, midias }: BatchItem): Resultado {
    const uuid = registro.id.toLowerCase()
    const remetente = remetentes.get(uuid)
    if (remetente === edgeId) return repetido
    const camera = known.cameras.get(registro.camera_id)
    if (camera === undefined) return recusado('A câmera foi removida ou não é atendida por este edge.')
    const numbers = numbersOf(registro)
    if (numbers.ate < numbers.de) return recusado('A lacuna termina antes de começar.')

    const before = sequencias.get(camera.id) ?? known.sequencias.get(camera.id) ?? emptySequence
    // What an edge holds begins at the latest with what it sends.
    const lowest = Math.min(base, numbers.de)
    const sequence = before.serie === null || before.serie === serie ? before : restart(before, lowest, agora)
    if (!isSettled(sequence, { de: Math.max(desde, lowest), ate: numbers.de - 1 })) return foraDeOrdem
    const below = accountBelow(sequence, { de: numbers.de, base: lowest, agora }, reserve)

    const moveTo = (next: Sequence) => sequencias.set(camera.id, { ...next, serie })
    const fault = remetente === undefined ? null : 'Este identificador já foi usado.'
    const motivo = fault ?? (registro.tipo === 'candidato' ? faultOf(registro, midias) : null)
    if (motivo !== null) {
      moveTo(explain(below, numbers, refusal(registro, agora)))
      return recusado(motivo)
    }
    moveTo(
      registro.tipo === 'candidato'
        ? storeEvent(registro, midias, camera, below)
        : explain(below, numbers, {
            motivo: registro.motivo,
            uuid,
            ocorridoDe: readable(registro.ocorrido_de),
            ocorridoAte: readable(registro.ocorrido_ate),
            registradaEm: agora,
          }),
    )
    remetentes.set(uuid, edgeId)
    return gravado
  }

  for (const item of itens) {
    const id = item.ok ? item.registro.id : item.id
    if (id === null) continue
    const resultado = !known.ativado
      ? recusado('Este edge não está ativado na central.')
      : item.ok
        ? take(item)
        : recusado(`Registro ilegível: ${item.motivo}`)
    plan.respostas.push({ id, ...resultado })
  }
  return { ...plan, sequencias, ultimoId, reservados, numerosUsados }
}

const emptySequence: Counted = { ultimo: 0, lacunas: [], serie: null }

/** A refused record leaves its number accounted for: the count goes on without a jump. */
function refusal(registro: Registro, agora: number): Explanation {
  const [de, ate] =
    registro.tipo === 'candidato'
      ? [registro.ocorrido_em, registro.ocorrido_em]
      : [registro.ocorrido_de, registro.ocorrido_ate]
  return { motivo: 'recusado', uuid: null, ocorridoDe: readable(de), ocorridoAte: readable(ate), registradaEm: agora }
}

const readable = (epochMs: number): number | null => (epochMs > MAX_INSTANTE ? null : epochMs)
