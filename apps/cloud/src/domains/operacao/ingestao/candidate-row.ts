import type { Candidato, Midia } from '@vigia/contracts/candidate'
import { ia } from '@vigia/contracts/ias'
import type { BatchItem } from '@vigia/link/batch'
import { fitsItsPixels, jpegSize } from '@vigia/link/jpeg-size'
import type { MediaFile } from '../../../adapters/media-store/interface.ts'
import { uncertainColumns } from '../../../db/hora-incerta.ts'
import type { NewEvento } from '../../../db/rows.ts'

/** Camera fields that an event stores. */
export interface CameraOfEvento {
  readonly id: number
  readonly empresa_id: number
  readonly nome: string
  readonly instrucoes_json: string
}

/** Last instant with a four-digit year in epoch ms (9999-12-31T23:59:59.999Z). */
export const MAX_INSTANTE = 253_402_300_799_999
/** An event that is older than this on arrival counts as late: it waited on the edge. */
const LATE_MS = 60_000

/** Returns the Portuguese reason why a candidate can never be stored; null: it can. */
export function faultOf(candidato: Candidato, midias: readonly Buffer[]): string | null {
  const latest = Math.max(candidato.ocorrido_em, candidato.hora_incerta?.ate ?? 0)
  if (latest > MAX_INSTANTE) return 'O instante do evento não é válido.'
  const papeis = new Set(candidato.midias.map(({ papel }) => papel))
  if (papeis.size !== candidato.midias.length) return 'Imagem em duplicidade.'
  return midias.every((bytes) => jpegSize(bytes) !== null) ? null : 'Uma imagem do registro não é um JPEG válido.'
}

/** Whether the candidate waited on the edge: its age at `now`, if the edge's clock is trusted. */
export function cameLate(
  { ocorrido_em, relogio, hora_incerta }: Pick<Candidato, 'ocorrido_em' | 'relogio' | 'hora_incerta'>,
  now: number,
): boolean {
  // It is of an earlier start of the edge.
  if (hora_incerta !== undefined) return true
  const desvio = relogio.desvio_ms ?? (relogio.sincronizado ? 0 : null)
  return desvio !== null && now - (ocorrido_em - desvio) > LATE_MS
}

/** A file to write, with the Empresa that it counts for. */
export interface OwnedFile extends MediaFile {
  readonly empresaId: number
}

/**
 * Leaves out pictures with more bytes than their pixels need, and the frame of an event without its crop. A full
 * Empresa loses the pictures of an event by its crop. The record itself is stored (`midia_descartada`).
 */
export function withoutLargePictures(item: BatchItem): BatchItem {
  const { registro, midias } = item
  if (registro.tipo === 'lacuna') return item
  const small = midias.map((bytes) => {
    const size = jpegSize(bytes)
    return size === null || fitsItsPixels(bytes, size)
  })
  const hasFirst =
    registro.tipo === 'passagem' || registro.midias.some(({ papel }, at) => small[at] && papel === 'crop')
  const fits = small.map((isSmall) => isSmall && hasFirst)
  if (fits.every(Boolean)) return item
  const kept = { ...registro, midias: registro.midias.filter((_, at) => fits[at]), midia_descartada: true }
  return { ...item, registro: kept as typeof registro, midias: midias.filter((_, at) => fits[at]) }
}

/** The pictures of a candidate with their media paths. */
export const filesOf = (candidato: Candidato, midias: readonly Buffer[], now: number): MediaFile[] =>
  candidato.midias.flatMap(({ papel }, i) => {
    const bytes = midias[i]
    return bytes === undefined ? [] : [{ path: mediaPath(candidato, papel, now), bytes }]
  })

/** Returns the event row of a candidate, without a verdict. @param now cloud clock in epoch ms */
export function eventRow(
  candidato: Candidato,
  camera: CameraOfEvento,
  at: { readonly id: number; readonly edgeId: number; readonly now: number; readonly retroativo: boolean },
): NewEvento {
  const pathOf = (papel: Midia['papel']) =>
    candidato.midias.some((midia) => midia.papel === papel) ? mediaPath(candidato, papel, at.now) : null
  const { trajeto, ...detalhes } = candidato.detalhes
  return {
    id: at.id,
    uuid: candidato.id.toLowerCase(),
    empresa_id: camera.empresa_id,
    camera_id: camera.id,
    camera_nome: camera.nome,
    edge_id: at.edgeId,
    seq: candidato.seq,
    tipo: candidato.ia,
    gravidade: ia(candidato.ia).gravidade,
    ocorrido_em: candidato.ocorrido_em,
    recebido_em: at.now,
    relogio_json: JSON.stringify(candidato.relogio),
    confianca: candidato.confianca,
    rotulos_json: JSON.stringify(candidato.rotulos),
    caixas_json: JSON.stringify(candidato.caixas),
    zona: candidato.zona,
    crop_path: pathOf('crop'),
    quadro_path: pathOf('quadro'),
    calibracao_json: JSON.stringify(candidato.calibracao),
    instrucoes_json: camera.instrucoes_json,
    modelo: candidato.modelo,
    detalhes_json: JSON.stringify({ ...detalhes, ...(candidato.midia_descartada && { midia_descartada: true }) }),
    trajeto_json: trajeto === undefined ? null : JSON.stringify(trajeto),
    retroativo: at.retroativo ? 1 : 0,
    trilha: candidato.trilha ?? null,
    ...uncertainColumns(candidato),
  }
}

/** Folders are named by the cloud's day of arrival, because an edge's clock is not trusted. */
function mediaPath({ id }: Candidato, papel: Midia['papel'], epochMs: number): string {
  const day = new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '/')
  return `eventos/${day}/${id.toLowerCase()}-${papel}.jpg`
}
