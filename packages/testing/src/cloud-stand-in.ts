import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Candidato, Confirmacao, Registro } from '@vigia/contracts/candidate'
import type { CameraDesejada, Relato } from '@vigia/contracts/edge-state'
import { type Ativado, ativarSchema } from '@vigia/contracts/edges'
import { type Extra, recursosExtras } from '@vigia/contracts/extras'
import type { Comando } from '@vigia/contracts/pedidos'
import { decodeBatch } from '@vigia/link/batch'
import { createCloudLink } from '@vigia/link/cloud-link'
import { decodeExtras } from '@vigia/link/extras-batch'
import { edgeName } from '@vigia/link/identity'
import { loadAuthority } from '@vigia/link/pki/authority'
import { issueEdgeCertificate } from '@vigia/link/pki/edge-certificate'
import { certificateSha256 } from '@vigia/link/pki/fingerprint'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import type { RequestOutcome } from '@vigia/link/requests'
import { type SealPublicJwk, seal } from '@vigia/link/sealed'
import pino from 'pino'
import { freePort } from './free-port.ts'
import { type Program, startProgram } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait.ts'

export interface CloudStandIn {
  readonly url: string
  readonly dir: string
  broker: Program
  startBroker(): Promise<void>
  /** All records in order of arrival, including repetitions. */
  readonly arrived: { readonly registro: Registro; readonly midias: readonly Buffer[] }[]
  /** All extras in order of arrival, including repetitions. */
  readonly extras: { readonly extra: Extra; readonly imagem: Buffer }[]
  readonly reports: Relato[]
  /** Sets the answer to records; null: no answer. */
  answer: Confirmacao['resultado'] | null
  readonly codes: Set<string>
  /** Answers requests other than the activation; null: none. */
  serve: RequestListener | null
  /** `recursos`: kinds of extras that this cloud stores; default: those of the present cloud. */
  configure(versao: number, cameras: readonly DesiredCamera[], recursos?: readonly string[]): Promise<void>
  /** Sends a command to the edge; `key`: encryption key other than the edge's. */
  ask(
    comando: Comando,
    options?: { prazoMs?: number; signal?: AbortSignal; key?: SealPublicJwk },
  ): Promise<RequestOutcome>
  close(): Promise<void>
}

export type DesiredCamera = Partial<CameraDesejada> & {
  readonly id: number
  readonly rtsp_url: string
  readonly sub_rtsp_url?: string
}

const EDGE_ID = 5

/**
 * A replacement of the cloud for an edge: activation over HTTP, and the cloud's side of the link on a real broker. It
 * keeps records in memory and answers like the cloud: first `gravado`, then `repetido`.
 */
export async function startCloudStandIn(): Promise<CloudStandIn> {
  const dir = temporaryFolder('vigia-edge-')
  const mqttPort = await freePort()
  const mqttUrl = `mqtts://127.0.0.1:${mqttPort}`
  await ensureInstallationPki({ dir, brokerHosts: ['127.0.0.1'] })
  const pem = (name: string) => readFile(join(dir, 'cloud', 'tls', name), 'utf8')
  const startBroker = () =>
    startProgram({
      entry: 'apps/broker/src/main.ts',
      env: { VIGIA_DATA_DIR: dir, VIGIA_MQTT_PORT: String(mqttPort), VIGIA_LOG_LEVEL: 'warn' },
    })
  const link = createCloudLink({
    url: mqttUrl,
    tls: { ca: await pem('ca.pem'), cert: await pem('cert.pem'), key: await pem('key.pem') },
    log: pino({ level: 'silent' }),
    backoff: { minMs: 100, maxMs: 500 },
  })
  const stored = new Set<string>()
  let sealKey: SealPublicJwk | null = null
  const certificados: Record<string, string[]> = {}
  const publishAllowed = () => link.publishAllowed({ v: 2, certificados })

  const server = createServer((request, response) => {
    if (cloud.serve && request.url !== '/api/v1/edges/ativar') return cloud.serve(request, response)
    const reply = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    activate(request).then(
      (ativado) => (ativado ? reply(201, ativado) : reply(401, { detail: 'Código inválido.' })),
      () => reply(500, {}),
    )
  })

  async function activate(request: IncomingMessage): Promise<Ativado | null> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = ativarSchema.parse(JSON.parse(Buffer.concat(chunks).toString()))
    if (!cloud.codes.delete(body.codigo)) return null
    sealKey = body.chave_cifra
    const ca = await loadAuthority(dir)
    const certificado = await issueEdgeCertificate({ ca, edgeId: EDGE_ID, csrPem: body.csr })
    certificados[edgeName(EDGE_ID)] = [certificateSha256(certificado)]
    if (link.connected) await publishAllowed()
    return { edge_id: EDGE_ID, certificado, ca: await pem('ca.pem'), mqtt: { url: mqttUrl }, sequencias: {} }
  }

  async function desired(camera: DesiredCamera): Promise<CameraDesejada> {
    if (!sealKey) throw new Error('not activated')
    const { rtsp_url, sub_rtsp_url = null, ...rest } = camera
    return {
      nome: `Câmera ${camera.id}`,
      ativa: true,
      analises: [],
      zonas: [],
      linha: [],
      fuso_horario: 'America/Sao_Paulo',
      ultimo_seq: 0,
      fontes: await seal(sealKey, { rtsp_url, sub_rtsp_url }),
      ...rest,
    }
  }

  link.onBatch(async (edgeId, payload) => {
    const batch = decodeBatch(payload)
    if (!batch.ok) throw new Error(batch.motivo)
    const itens: Confirmacao[] = []
    for (const item of batch.itens) {
      if (!item.ok) throw new Error(item.motivo)
      cloud.arrived.push(item)
      if (cloud.answer === null) continue
      const { id } = item.registro
      const resultado = cloud.answer === 'gravado' && stored.has(id) ? 'repetido' : cloud.answer
      stored.add(id)
      itens.push({ id, resultado, motivo: null })
    }
    if (itens.length > 0) await link.publishAnswer(edgeId, { tipo: 'registros', v: 2, itens })
  })
  link.onExtras(async (edgeId, payload) => {
    const lote = decodeExtras(payload)
    if (!lote.ok) throw new Error(lote.motivo)
    const itens = lote.itens.flatMap((item) => (item.ok ? [item] : []))
    cloud.extras.push(...itens)
    const answers = itens.map(({ extra }) => ({ id: extra.id, resultado: 'gravado' as const, motivo: null }))
    await link.publishAnswer(edgeId, { tipo: 'extras', v: 1, itens: answers })
  })
  link.onConnected(publishAllowed)
  link.onReport(async (edgeId, relato) => {
    cloud.reports.push(relato)
    const [t2, t3] = [Date.now(), Date.now()]
    await link.publishAnswer(edgeId, { tipo: 'eco', v: 2, t1: relato.enviado_em, t2, t3 })
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const cloud: CloudStandIn = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    dir,
    broker: await startBroker(),
    async startBroker() {
      cloud.broker = await startBroker()
    },
    arrived: [],
    extras: [],
    reports: [],
    answer: 'gravado',
    codes: new Set(),
    serve: null,
    async configure(versao, cameras, recursos = recursosExtras) {
      await waitFor('the link of the cloud', () => link.connected)
      await link.publishDesired(EDGE_ID, {
        v: 1,
        versao,
        cameras: await Promise.all(cameras.map(desired)),
        limite_reenvio_kbps: null,
        identidade_duplicada: false,
        recursos: [...recursos],
      })
    },
    async ask(comando, { prazoMs = 30_000, signal = new AbortController().signal, key } = {}) {
      if (!sealKey) throw new Error('not activated')
      const id = randomUUID()
      const sealed = await seal(key ?? sealKey, { id, pedido_em: Date.now(), comando })
      return await link.request(EDGE_ID, { id, comando: sealed }, { prazoMs, signal })
    },
    async close() {
      await link.stop()
      await cloud.broker.stop()
      server.closeAllConnections()
      server.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
  link.start()
  return cloud
}

/** Returns the distinct sequence numbers of the candidates of one camera in order of arrival. */
export const numbers = (cloud: CloudStandIn, cameraId: number): number[] => {
  const candidates = cloud.arrived.flatMap(({ registro }) => (registro.tipo === 'candidato' ? [registro] : []))
  const once = new Map(candidates.map((one): [string, Candidato] => [one.id, one]))
  return [...once.values()].filter(({ camera_id }) => camera_id === cameraId).map(({ seq }) => seq)
}
