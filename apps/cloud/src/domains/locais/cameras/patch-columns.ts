import type { CameraPatch } from '@vigia/contracts/cameras'
import type { Fontes } from '@vigia/contracts/edge-state'
import { invalid } from '@vigia/contracts/errors'
import { countZonas, type GeometriaPatch, type Zonas } from '@vigia/contracts/geometria'
import type { Horarios } from '@vigia/contracts/horarios'
import type { MascarasPut } from '@vigia/contracts/mascaras'
import type { TransportePut } from '@vigia/contracts/transporte'
import { openSources, sealSources } from '../../../adapters/camera-sources.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { CameraChanges } from '../../../db/cameras.ts'
import type { CameraRow } from '../../../db/rows.ts'
import { namesAfter, zoneNamesColumn, zoneNamesOf } from '../../../db/zone-names.ts'
import { isSameStream } from '../gravadores/known-streams.ts'
import { hoursColumns } from './hours-columns.ts'
import { platesAndIas } from './plate-state.ts'
import { resolveUrl } from './resolve-url.ts'

/**
 * All fields that a caller changes: those of CameraPatch and of GeometriaPatch, masks, audio, transport, windows, and
 * continuous recording.
 */
export type CameraChange = CameraPatch &
  Pick<GeometriaPatch, 'nomes_zonas' | 'imagem_inteira'> &
  Partial<MascarasPut> &
  Partial<TransportePut> & {
    readonly horarios?: Horarios
    readonly gravacao_continua?: boolean
    readonly audio?: boolean
  }

/** Columns of a camera in an edge's desired state. */
const edgeColumns: ReadonlySet<string> = new Set([
  'nome',
  'rtsp_url_cifrada',
  'sub_rtsp_url_cifrada',
  'eventos_habilitados_json',
  'config_ia_json',
  'zonas_json',
  'linha_json',
  'mascaras_json',
  'modo_b_config_json',
  'gravacao_continua',
  'audio',
  'transporte',
  'agenda_json',
  'horarios_json',
  'ativa',
] satisfies (keyof CameraRow)[])

export const concernsEdge = (changes: CameraChanges): boolean => Object.keys(changes).some((c) => edgeColumns.has(c))

/**
 * Returns the columns that `patch` changes; equal values change nothing. null clears lists, objects and the substream.
 * For nome, rtsp_url and ativa null changes nothing.
 * @param channel addresses of the camera's canal; null: none. A camera with another address leaves its gravador and no
 * longer follows its changes. A camera without a substream stays in its gravador.
 * @throws VigiaError `validacao`: a masked URL without a stored password.
 */
export function patchColumns(
  row: CameraRow,
  patch: CameraChange,
  box: SecretBox,
  channel: Fontes | null,
): CameraChanges {
  const sent: CameraChanges = {
    ...(patch.nome != null && { nome: patch.nome }),
    ...(patch.ativa != null && { ativa: patch.ativa ? 1 : 0 }),
    ...platesAndIas(row, patch),
    ...(patch.zonas !== undefined && { zonas_json: JSON.stringify(patch.zonas ?? []) }),
    ...namesColumn(row, patch),
    ...(patch.linha !== undefined && { linha_json: JSON.stringify(patch.linha ?? []) }),
    ...(patch.imagem_inteira !== undefined && { imagem_inteira: patch.imagem_inteira ? 1 : 0 }),
    ...((patch.zonas ?? []).length > 0 && { imagem_inteira: 0 }),
    ...(patch.mascaras !== undefined && { mascaras_json: JSON.stringify(patch.mascaras) }),
    ...(patch.gravacao_continua !== undefined && { gravacao_continua: patch.gravacao_continua ? 1 : 0 }),
    ...(patch.audio !== undefined && { audio: patch.audio ? 1 : 0 }),
    ...(patch.transporte !== undefined && { transporte: patch.transporte }),
    ...(patch.config_ia !== undefined && { config_ia_json: JSON.stringify(patch.config_ia ?? {}) }),
    ...hoursColumns(row, patch),
    ...(patch.instrucoes !== undefined && { instrucoes_json: JSON.stringify(patch.instrucoes ?? []) }),
  }
  const changed = Object.entries(sent).filter(([column, value]) => row[column as keyof CameraRow] !== value)
  const masks = changed.some(([column]) => column === 'mascaras_json')
  const recording = changed.some(([column]) => column === 'gravacao_continua')
  const audio = changed.some(([column]) => column === 'audio')
  return {
    ...Object.fromEntries(changed),
    // The last report is about the masks before.
    ...(masks && row.relato_mascarada === 1 && { relato_mascarada: 0 as const }),
    ...((masks || recording) && row.relato_gravacao_json !== null && { relato_gravacao_json: null }),
    ...(changed.some(([column]) => column === 'transporte') && { relato_leitura: null, relato_perdas_json: null }),
    ...(audio && row.relato_audio !== null && { relato_audio: 'desligado' }),
    ...sourceChanges(row, patch, box, channel),
  }
}

/** @throws VigiaError `validacao`: more names than polygons. */
function namesColumn(row: CameraRow, { zonas, nomes_zonas }: CameraChange): CameraChanges {
  if (zonas === undefined && nomes_zonas === undefined) return {}
  const before = JSON.parse(row.zonas_json) as Zonas
  const after = zonas === undefined ? before : (zonas ?? [])
  const count = countZonas(after)
  if (nomes_zonas !== undefined && nomes_zonas.length > count)
    throw invalid(['body', 'nomes_zonas', count], 'A câmera não tem esta zona')
  return { nomes_zonas_json: zoneNamesColumn(nomes_zonas ?? namesAfter(zoneNamesOf(row), before, after)) }
}

function sourceChanges(row: CameraRow, patch: CameraPatch, box: SecretBox, channel: Fontes | null): CameraChanges {
  if (patch.rtsp_url == null && patch.sub_rtsp_url === undefined) return {}
  const stored = openSources(box, row)
  const main = patch.rtsp_url == null ? stored.rtsp_url : resolveUrl('rtsp_url', patch.rtsp_url, [stored.rtsp_url])
  const wanted: Fontes = { rtsp_url: main, sub_rtsp_url: wantedSub(patch.sub_rtsp_url, stored, main) }
  // Compared as plain text: the same address has a different ciphertext each time.
  if (wanted.rtsp_url === stored.rtsp_url && wanted.sub_rtsp_url === stored.sub_rtsp_url) return {}
  const leaves = channel !== null && !isOf(channel, wanted)
  return { ...sealSources(box, row.id, wanted), ...(leaves && { gravador_id: null, canal: null }) }
}

const isOf = (channel: Fontes, wanted: Fontes): boolean =>
  isSameStream(wanted.rtsp_url, channel.rtsp_url) &&
  (wanted.sub_rtsp_url === null ||
    (channel.sub_rtsp_url !== null && isSameStream(wanted.sub_rtsp_url, channel.sub_rtsp_url)))

/** A masked substream without a stored password uses the main stream's, which is the same device. */
function wantedSub(sent: string | null | undefined, stored: Fontes, main: string): string | null {
  if (sent === undefined) return stored.sub_rtsp_url
  return sent === null ? null : resolveUrl('sub_rtsp_url', sent, [stored.sub_rtsp_url, main])
}
