import { randomUUID } from 'node:crypto'
import { type Registro, registroSchema, respostaCentralSchema } from '@vigia/contracts/candidate'
import {
  cameraRelatadaSchema,
  certificadosSchema,
  type Desejado,
  desejadoSchema,
  motivosAnunciados,
  pedidoRenovacaoSchema,
  presencaSchema,
  type Relato,
  relatoSchema,
  renovadoSchema,
} from '@vigia/contracts/edge-state'
import { type Evidencia, recursosExtras } from '@vigia/contracts/extras'
import { comandoLacradoSchema, pedidoSchema, quadroAoVivoSchema, respostaSchema } from '@vigia/contracts/pedidos'
import { encodeAnswer } from '@vigia/link/answer'
import { encodeBatch } from '@vigia/link/batch'
import { createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, encodeReport } from '@vigia/link/edge-link'
import { encodeExtras } from '@vigia/link/extras-batch'
import { encodeFramed } from '@vigia/link/framed'
import { edgeName } from '@vigia/link/identity'
import { MAX_PACKET_BYTES, MAX_RECORD_BYTES, packetBytes } from '@vigia/link/limits'
import { sealedLength } from '@vigia/link/sealed'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, type TopicName, topicNames, topics } from '@vigia/link/topics'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { largestJson } from '../../../test/walks/largest-json.ts'
import { MAX_EDGES } from './create-edge.ts'
import { desiredCameraBytes } from './desired-camera.ts'
import { MAX_EDGE_BYTES, MAX_TREE_BYTES } from './desired-limits.ts'

/**
 * Every publisher of the link with the bytes of its largest possible payload. The bound is its contract, else the check
 * that refuses a larger payload. A publisher without an entry here fails the tests below.
 */
interface Publisher {
  /** Methods of both ends of the link; empty: published internally. */
  readonly by: readonly string[]
  readonly largest: () => number
}

const ID = 2_147_483_647
const INTEIRO = Number.MAX_SAFE_INTEGER
const uuid = randomUUID()

/** A frame (header and bytes) never exceeds MAX_RECORD_BYTES: `encode` returns null for a larger one. */
function framedLargest(encode: (body: Buffer) => Buffer | null): number {
  expect(encode(Buffer.alloc(MAX_RECORD_BYTES))).toBeNull()
  const nearly = encode(Buffer.alloc(MAX_RECORD_BYTES - 1024))
  expect(nearly?.length).toBeLessThanOrEqual(MAX_RECORD_BYTES)
  return MAX_RECORD_BYTES
}

const lacuna: Registro = {
  tipo: 'lacuna',
  v: 1,
  id: uuid,
  camera_id: ID,
  de_seq: 1,
  ate_seq: 1,
  ocorrido_de: 0,
  ocorrido_ate: 0,
  motivo: 'cota_de_disco',
}

const evidencia: Evidencia = {
  tipo: 'evidencia',
  v: 1,
  id: uuid,
  camera_id: ID,
  evento: uuid,
  fonte: 'sub',
  dt_ms: 0,
  redetectada: true,
  caixas: [{ rotulo: 'person', confianca: 1, x: 0, y: 0, w: 1, h: 1 }],
  imagem: { tipo: 'image/jpeg', tamanho: 1, sha256: '0'.repeat(64) },
}

/** The API refuses a larger sum of cameras (desired-limits.test.ts); these fields surround them. */
function largestDesired(): number {
  const around: Desejado = {
    v: 1,
    versao: INTEIRO,
    cameras: [],
    limite_reenvio_kbps: 10_000_000,
    identidade_duplicada: false,
    recursos: [...recursosExtras, 'passagem', ...motivosAnunciados],
    gravacao_continua_mb: 100_000_000,
  }
  // Each new field of the envelope must be counted here.
  expect(Object.keys(desejadoSchema.shape).sort()).toEqual(Object.keys(around).sort())
  return Buffer.byteLength(JSON.stringify(around)) + MAX_EDGE_BYTES
}

/** A report names as many cameras as a desired state can hold when all are minimal. */
function largestReport(): number {
  const smallest = desiredCameraBytes(
    {
      id: 1,
      nome: 'C',
      ativa: 1,
      eventos_habilitados_json: '[]',
      config_ia_json: '{}',
      zonas_json: '[]',
      linha_json: '[]',
      mascaras_json: '[]',
      gravacao_continua: 0,
      audio: 0,
      transporte: 'automatico',
      modo_b_config_json: null,
      gravacao_apagada_json: '[]',
      horarios_json: '{}',
      agenda_json: '{}',
    },
    { rtsp_url: 'rtsp://a', sub_rtsp_url: null },
  )
  const count = Math.floor(MAX_EDGE_BYTES / smallest)
  const names = ['invasao', 'cruzamento_linha', 'permanencia', 'aglomeracao', 'objeto_abandonado'] as const
  const cameras = Array.from({ length: count }, () => ({
    id: ID,
    estado: 'desativada',
    motivo: 'codec_nao_suportado',
    complemento: '\u0000'.repeat(100),
    codec: '\u0000'.repeat(32),
    resolucao: '\u0000'.repeat(16),
    ultimo_frame_ha_ms: 1.234567890123456e-300,
    fps: 1.234567890123456e-300,
    quadro_chave_ms: 1.234567890123456e-300,
    taxa_kbps: 1.234567890123456e-300,
    quadro_chave_ha_ms: 1.234567890123456e-300,
    ias_sem_suporte: names,
    ias_indisponiveis: names,
    audio: 'aguardando',
    gravacao: { motivo: 'disco_indisponivel', de: INTEIRO, ate: INTEIRO, mb: INTEIRO },
  }))
  const { cameras: _cameras, ...rest } = relatoSchema.shape
  const around = largestJson(z.object(rest))
  const relato = { cameras } as unknown as Relato
  expect(Buffer.byteLength(JSON.stringify(relato))).toBeGreaterThan(MAX_PACKET_BYTES)
  expect(largestJson(cameraRelatadaSchema.omit({ ias_sem_suporte: true, ias_indisponiveis: true }))).toBeLessThan(2400)
  return encodeReport(relato).length + around
}

/** The API refuses more edges (create-edge.ts). */
function largestList(): number {
  const entry = `"${edgeName(ID)}":${JSON.stringify(['0'.repeat(64), '0'.repeat(64)])},`
  expect(certificadosSchema.parse({ v: 2, certificados: JSON.parse(`{${entry.slice(0, -1)}}`) })).toBeTruthy()
  // Each edge of a root Empresa of its own needs the most groups.
  const grupos = JSON.stringify(Array.from({ length: MAX_EDGES }, () => -1))
  const around = Buffer.byteLength(`{"v":2,"versao":${Number.MAX_SAFE_INTEGER},"certificados":{},"grupos":${grupos}}`)
  return around + MAX_EDGES * entry.length
}

/** The largest sealed command fits its contract. */
function largestRequest(): number {
  const comando = sealedLength(largestJson(comandoLacradoSchema))
  expect(comando).toBeLessThan(64 * 1024)
  return largestJson(pedidoSchema)
}

const publishers = {
  candidatos: {
    by: ['edge.publishBatch'],
    largest: () =>
      framedLargest((body) =>
        encodeBatch({
          serie: uuid,
          itens: [{ registro: registroSchema.parse(lacuna), base: 1, desde: 1, midias: [body] }],
        }),
      ),
  },
  extras: {
    by: ['edge.publishExtras'],
    largest: () => framedLargest((imagem) => encodeExtras([{ extra: evidencia, imagem }])),
  },
  confirmacoes: { by: ['cloud.publishAnswer'], largest: () => largestJson(respostaCentralSchema) },
  desejado: { by: ['cloud.publishDesired'], largest: largestDesired },
  relato: { by: ['edge.publishReport'], largest: largestReport },
  presenca: { by: [], largest: () => largestJson(presencaSchema) },
  pedidos: { by: ['cloud.request'], largest: largestRequest },
  respostas: {
    by: [],
    largest: () => {
      const resposta = respostaSchema.parse({ v: 1, id: uuid, ok: true, resultado: {} })
      return framedLargest((corpo) => encodeAnswer({ resposta, corpo }))
    },
  },
  aovivo: {
    by: ['edge.publishLiveFrame'],
    largest: () => {
      const quadro = quadroAoVivoSchema.parse({ v: 1, camera_id: ID, largura: INTEIRO, altura: INTEIRO })
      return framedLargest((jpeg) => encodeFramed(quadro, [jpeg]))
    },
  },
  renovacao: { by: ['edge.publishRenewal'], largest: () => largestJson(pedidoRenovacaoSchema) },
  certificado: { by: ['cloud.publishRenewed'], largest: () => largestJson(renovadoSchema) },
  certificados: { by: ['cloud.publishAllowed'], largest: largestList },
} as const satisfies Record<TopicName | 'certificados', Publisher>

describe('every publisher of the link', () => {
  const topicOf = (name: string) =>
    name === 'certificados' ? CERTIFICATES_TOPIC : topics(ID)[topicNames.find((known) => known === name) ?? 'relato']

  it.each(Object.entries(publishers))('fits the largest message of %s', (name, { largest }) => {
    const bytes = largest()
    expect(bytes).toBeGreaterThan(20)
    expect(packetBytes(topicOf(name), Buffer.alloc(0)) + bytes).toBeLessThanOrEqual(MAX_PACKET_BYTES)
  })

  it('has an entry above for each topic and each sending method', () => {
    const options = { url: 'mqtts://127.0.0.1:1', log: createMemoryLog() }
    const tls = { ca: '', cert: '', key: '' }
    const sending = (end: string, link: object) =>
      Object.keys(link)
        .filter((method) => /^(publish|request|send)/.test(method))
        .map((method) => `${end}.${method}`)
    const cloud = sending('cloud', createCloudLink({ ...options, tls }))
    const edge = sending('edge', createEdgeLink({ ...options, edgeId: 1, tls: () => tls }))
    expect(Object.keys(publishers).sort()).toEqual([...topicNames, 'certificados'].sort())
    expect(
      Object.values(publishers)
        .flatMap(({ by }) => [...by])
        .sort(),
    ).toEqual([...cloud, ...edge].sort())
  })

  it('fits three accounts at their limit on the local edge', () => {
    expect(3 * MAX_TREE_BYTES).toBeLessThanOrEqual(MAX_EDGE_BYTES)
  })
})
