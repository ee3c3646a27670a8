import type { Candidato, Confirmacao, Lacuna, Midia } from '@vigia/contracts/candidate'
import { ia } from '@vigia/contracts/ias'
import { decodeEnvelope } from '@vigia/link/envelope'
import type { Clock } from '../../adapters/clock.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import type { Database } from '../../db/open.ts'
import { jpegSize } from './jpeg.ts'
import { findCameraOfEdge, findSender, insertEvent, insertGap, isActivatedEdge } from './store.ts'

export interface IngestDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
}

type Resultado = Pick<Confirmacao, 'resultado' | 'motivo'>

/** What to tell the edge, under the id as the edge wrote it. null: nothing readable enough to answer to. */
export type Intake = (Resultado & { readonly id: string; readonly tipo: 'candidato' | 'lacuna' | null }) | null

const gravado: Resultado = { resultado: 'gravado', motivo: null }
const repetido: Resultado = { resultado: 'repetido', motivo: null }
const recusado = (motivo: string): Resultado => ({ resultado: 'recusado', motivo })

/** Last instant that is written with a year of four digits, epoch ms (9999-12-31T23:59:59.999Z). */
const MAX_INSTANTE = 253_402_300_799_999

/**
 * Stores what an edge sent, once: media on disk first, then one transaction. A process killed between the two leaves a
 * file without a row, never a row without its file; the edge, without an answer, sends the record again.
 * Rejects when the database or the disk fails: then nothing may be acknowledged.
 */
export async function ingestRecord(deps: IngestDeps, edgeId: number, payload: Buffer): Promise<Intake> {
  const decoded = decodeEnvelope(payload)
  if (!decoded.ok)
    return decoded.id === null
      ? null
      : { id: decoded.id, tipo: null, ...recusado(`Registro ilegível: ${decoded.motivo}`) }
  const { registro, midias } = decoded
  const resultado =
    registro.tipo === 'candidato'
      ? await ingestCandidate(deps, edgeId, registro, midias)
      : await ingestGap(deps, edgeId, registro)
  return { id: registro.id, tipo: registro.tipo, ...resultado }
}

async function ingestCandidate(
  { db, media, clock }: IngestDeps,
  edgeId: number,
  candidato: Candidato,
  midias: readonly Buffer[],
): Promise<Resultado> {
  const uuid = candidato.id.toLowerCase()
  const origin = await checkOrigin(db, edgeId, 'eventos', uuid, candidato.camera_id)
  if ('resultado' in origin) return origin
  if (candidato.ocorrido_em > MAX_INSTANTE) return recusado('O instante do evento não é válido.')
  const problem = mediaProblem(candidato.midias, midias)
  if (problem) return recusado(problem)

  const agora = clock.now()
  const paths: Record<Midia['papel'], string | null> = { crop: null, quadro: null }
  for (const [index, midia] of candidato.midias.entries()) {
    const bytes = midias[index]
    if (!bytes) return recusado('Falta uma imagem do registro.')
    paths[midia.papel] = mediaPath(uuid, midia.papel, agora)
    await media.put(paths[midia.papel] ?? '', bytes)
  }
  const stored = await insertEvent(db, {
    uuid,
    empresa_id: origin.camera.empresa_id,
    camera_id: origin.camera.id,
    camera_nome: origin.camera.nome,
    edge_id: edgeId,
    seq: candidato.seq,
    tipo: candidato.ia,
    gravidade: ia(candidato.ia).gravidade,
    ocorrido_em: candidato.ocorrido_em,
    recebido_em: agora,
    relogio_json: JSON.stringify(candidato.relogio),
    confianca: candidato.confianca,
    rotulos_json: JSON.stringify(candidato.rotulos),
    caixas_json: JSON.stringify(candidato.caixas),
    zona: candidato.zona,
    crop_path: paths.crop,
    quadro_path: paths.quadro,
    calibracao_json: JSON.stringify(candidato.calibracao),
    instrucoes_json: origin.camera.instrucoes_json,
    modelo: candidato.modelo,
    detalhes_json: JSON.stringify(candidato.midia_descartada ? { midia_descartada: true } : {}),
  })
  return stored ? gravado : repetido
}

async function ingestGap({ db, clock }: IngestDeps, edgeId: number, lacuna: Lacuna): Promise<Resultado> {
  const uuid = lacuna.id.toLowerCase()
  const origin = await checkOrigin(db, edgeId, 'lacunas', uuid, lacuna.camera_id)
  if ('resultado' in origin) return origin
  if (lacuna.ate_seq < lacuna.de_seq) return recusado('A lacuna termina antes de começar.')
  const stored = await insertGap(db, {
    uuid,
    edge_id: edgeId,
    camera_id: lacuna.camera_id,
    de_seq: lacuna.de_seq,
    ate_seq: lacuna.ate_seq,
    ocorrido_de: lacuna.ocorrido_de,
    ocorrido_ate: lacuna.ocorrido_ate,
    motivo: lacuna.motivo,
    registrada_em: clock.now(),
  })
  return stored ? gravado : repetido
}

/** The camera the record is about, or the answer that ends its way: sent before, or not this edge's to send. */
async function checkOrigin(
  db: Database,
  edgeId: number,
  tabela: 'eventos' | 'lacunas',
  uuid: string,
  cameraId: number,
) {
  if (!(await isActivatedEdge(db, edgeId))) return recusado('Este edge não está ativado na central.')
  // Before the media: a second message under a known id must not replace the pictures of the first.
  const sender = await findSender(db, tabela, uuid)
  if (sender !== undefined) return sender === edgeId ? repetido : recusado('Este identificador já foi usado.')
  const camera = await findCameraOfEdge(db, cameraId, edgeId)
  return camera ? { camera } : recusado('A câmera foi removida ou não é atendida por este edge.')
}

function mediaProblem(descriptions: readonly Midia[], midias: readonly Buffer[]): string | null {
  if (new Set(descriptions.map(({ papel }) => papel)).size !== descriptions.length) return 'Imagem em duplicidade.'
  return midias.every((bytes) => jpegSize(bytes) !== null) ? null : 'Uma imagem do registro não é um JPEG válido.'
}

/** By the cloud's day of arrival: an edge's clock cannot be trusted to name folders. */
function mediaPath(uuid: string, papel: Midia['papel'], epochMs: number): string {
  const day = new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '/')
  return `eventos/${day}/${uuid}-${papel}.jpg`
}
