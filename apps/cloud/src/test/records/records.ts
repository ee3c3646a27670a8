import { createHash, randomUUID } from 'node:crypto'
import { type Candidato, type Lacuna, type Posicao, primeiroSeqDe, type Registro } from '@vigia/contracts/candidate'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { encodeBatch } from '@vigia/link/batch'
import type { Database } from '../../db/open.ts'
import type { NewCamera } from '../../domains/locais/cameras/store.ts'

/** A complete green JPEG of 16x12 pixels. */
export const JPEG = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBD' +
    'ARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAMABAD' +
    'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAA' +
    'AwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMBGJ//9k=',
  'base64',
)

/** Represents the whole frame, distinguishable from the crop. */
export const FRAME = Buffer.concat([JPEG, Buffer.from([0])])

/** A record as an outbox stores it. */
export interface HeldRecord {
  readonly id: string
  readonly registro: Registro
  readonly midias: readonly Buffer[]
}

/** Outbox id of the edge that tests send as. */
const SERIE = '0197a000-0000-7000-8000-000000000001'

/** The records as one batch. By default the edge holds no earlier record than each of them. */
export function batch(records: readonly (HeldRecord & Partial<Posicao>)[], serie = SERIE): Buffer {
  const itens = records.map(({ registro, midias, base, desde }) => {
    const first = primeiroSeqDe(registro)
    return { registro, midias, base: base ?? first, desde: desde ?? base ?? first }
  })
  const payload = encodeBatch({ serie, itens })
  if (payload === null) throw new Error('more than a batch takes')
  return payload
}

/** A candidate with `crop` (and `quadro`); `change` alters it. */
export function candidate(
  cameraId: number,
  seq: number,
  {
    crop = JPEG,
    quadro = null,
    change = {},
  }: { crop?: Buffer | null; quadro?: Buffer | null; change?: Partial<Candidato> } = {},
): HeldRecord {
  const pictures = [
    { papel: 'crop', bytes: crop },
    { papel: 'quadro', bytes: quadro },
  ] as const
  const midias = pictures.flatMap(({ papel, bytes }) => (bytes === null ? [] : [{ papel, bytes }]))
  const registro: Candidato = {
    tipo: 'candidato',
    v: 1,
    id: randomUUID(),
    camera_id: cameraId,
    seq,
    ia: 'invasao',
    ocorrido_em: 1_790_000_000_000 + seq,
    relogio: { desvio_ms: 12, sincronizado: true },
    confianca: 0.7,
    rotulos: ['person'],
    caixas: [{ rotulo: 'person', confianca: 0.7, x: 0.2, y: 0.2, w: 0.3, h: 0.6 }],
    zona: null,
    quadro: { largura: 640, altura: 360 },
    calibracao: { conf: 0.45 },
    modelo: 'nanodet-g-416',
    detalhes: {},
    midias: midias.map(({ papel, bytes }) => ({
      papel,
      tipo: 'image/jpeg',
      tamanho: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
    midia_descartada: crop === null,
    ...change,
  }
  return { id: registro.id, registro, midias: midias.map(({ bytes }) => bytes) }
}

/** A record of a passage with both pictures, or without; `change` alters it. */
export function passage(
  cameraId: number,
  seq: number,
  { foto = JPEG, change = {} }: { foto?: Buffer | null; change?: Partial<RegistroPassagem> } = {},
): HeldRecord {
  const midias = foto === null ? [] : [foto, JPEG]
  const registro: RegistroPassagem = {
    tipo: 'passagem',
    v: 1,
    id: randomUUID(),
    camera_id: cameraId,
    seq,
    passagem: randomUUID(),
    revisao: 1,
    relogio: { desvio_ms: 12, sincronizado: true },
    inicio: 1_790_000_000_000,
    ocorrido_em: 1_790_000_000_000 + seq,
    fim: null,
    veiculo: 'car',
    cor: null,
    confianca: 0.9,
    trilha: `t-${seq}`,
    direcao: null,
    placa: { placa: 'ABC1D23', pais: 'BR', forma: 'mercosul', confianca: 0.95 },
    quadros: 5,
    candidatas: [{ placa: 'A8C1D23', pais: 'BR', forma: 'mercosul', confianca: 0.03 }],
    conf_placa: 0.8,
    modelo: 'pp-ocrv4',
    qualidade: { largura_px: 120, borrao_px: 2, angulo_graus: 1 },
    caixa: { rotulo: 'car', confianca: 0.9, x: 0.2, y: 0.2, w: 0.5, h: 0.5 },
    caixa_placa: { rotulo: 'placa', confianca: 0.95, x: 0.4, y: 0.6, w: 0.2, h: 0.1 },
    midias: midias.map((bytes, at) => ({
      papel: at === 0 ? 'veiculo' : 'placa',
      tipo: 'image/jpeg',
      tamanho: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
    midia_descartada: false,
    ...change,
  }
  return { id: registro.id, registro, midias }
}

export function gap(cameraId: number, de: number, ate: number): HeldRecord {
  const registro: Lacuna = {
    tipo: 'lacuna',
    v: 1,
    id: randomUUID(),
    camera_id: cameraId,
    de_seq: de,
    ate_seq: ate,
    ocorrido_de: 1_790_000_000_000,
    ocorrido_ate: 1_790_000_001_000,
    motivo: 'cota_de_disco',
  }
  return { id: registro.id, registro, midias: [] }
}

/** Inserts the rows that the API would create, for tests without it: an Empresa, an activated edge, a camera. */
export async function seedCamera(db: Database): Promise<{ empresaId: number; edgeId: number; cameraId: number }> {
  const empresa = {
    nome: 'Loja',
    empresa_pai_id: null,
    fuso_horario: 'America/Sao_Paulo',
    limite_cameras: 9,
    criada_em: 1,
  }
  const { id: empresaId } = await db.insertInto('empresas').values(empresa).returning('id').executeTakeFirstOrThrow()
  const edgeId = await seedActivatedEdge(db, empresaId)
  return { empresaId, edgeId, cameraId: await seedOneCamera(db, empresaId, edgeId) }
}

export async function seedActivatedEdge(db: Database, empresaId: number): Promise<number> {
  const edge = {
    nome: 'Caixa',
    empresa_id: empresaId,
    local: 0 as const,
    codigo_hash: null,
    codigo_expira_em: null,
    ativado_em: 1,
    chave_cifra_json: '{}',
    visto_em: null,
    relato_json: null,
    criado_em: 1,
  }
  const { id } = await db.insertInto('edges').values(edge).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function seedOneCamera(
  db: Database,
  empresaId: number,
  edgeId: number,
  change: Partial<NewCamera> = {},
): Promise<number> {
  const camera = {
    empresa_id: empresaId,
    edge_id: edgeId,
    gravador_id: null,
    canal: null,
    nome: 'Portão',
    rtsp_url_cifrada: '',
    rtsp_url: 'rtsp://192.0.2.1/1',
    sub_rtsp_url_cifrada: null,
    sub_rtsp_url: null,
    perfil: null,
    eventos_habilitados_json: '["invasao"]',
    config_ia_json: '{}',
    zonas_json: '[]',
    linha_json: '[]',
    agenda_json: '{}',
    ativa: 1 as const,
    modo_b_config_json: null,
    instrucoes_json: '["ignore animais"]',
    relato_estado: null,
    relato_motivo: null,
    relato_complemento: null,
    relato_em: null,
    ultimo_frame_em: null,
    codec: null,
    resolucao: null,
    fps: null,
    criada_em: 1,
    atualizada_em: 1,
    ...change,
  }
  const { id } = await db.insertInto('cameras').values(camera).returning('id').executeTakeFirstOrThrow()
  return id
}
