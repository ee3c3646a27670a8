import type { Camera } from '@vigia/contracts/cameras'
import type { Confirmacao, Eco } from '@vigia/contracts/candidate'
import type { CameraRelatada, Desejado, Relato } from '@vigia/contracts/edge-state'
import type { Ativado, Edge } from '@vigia/contracts/edges'
import type { Evento } from '@vigia/contracts/eventos'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair, type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { patio, readPatio } from '@vigia/vision/testing/still'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { batch, candidate, type HeldRecord } from '../../../test/records/records.ts'

const PASSWORD = 's3nha-do-gravador'

/** Edges in these tests are activated through the API and connect to a real broker. */
interface ConnectedEdge {
  readonly id: number
  readonly link: EdgeLink
  readonly acks: Confirmacao[]
  readonly echoes: Eco[]
  readonly desired: Desejado[]
  readonly privateJwk: SealPrivateJwk
  /** Number of refusals by the broker. */
  refusals(): number
}

let app: TestApp
let broker: Program
let mqttPort: number
let admin: Client
let backstage: Backstage
let firstEdge: ConnectedEdge
let camera: Camera
const connectedEdges: ConnectedEdge[] = []

const startBroker = () =>
  startProgram({
    entry: 'apps/broker/src/main.ts',
    env: { VIGIA_DATA_DIR: app.dataDir, VIGIA_MQTT_PORT: String(mqttPort), VIGIA_LOG_LEVEL: 'warn' },
  })

async function connectEdge(edge: { id: number; codigo: string }): Promise<ConnectedEdge> {
  const { csrPem, privateKeyPem } = await createCsr()
  const { publicJwk, privateJwk } = await createSealKeyPair()
  const body = { codigo: edge.codigo, csr: csrPem, chave_cifra: publicJwk }
  const { certificado, ca, mqtt } = await admin.expect<Ativado>(200, 'POST', '/api/v1/edges/ativar', body)
  const tls = { ca, cert: certificado, key: privateKeyPem }
  const log = createMemoryLog()
  const link = createEdgeLink({
    url: mqtt.url,
    edgeId: edge.id,
    tls: () => tls,
    log,
    backoff: { minMs: 50, maxMs: 300 },
  })
  const acks: Confirmacao[] = []
  const desired: Desejado[] = []
  const echoes: Eco[] = []
  link.onConfirmations(({ itens }) => void acks.push(...itens))
  link.onEcho((eco) => void echoes.push(eco))
  link.onDesired((desejado) => void desired.push(desejado))
  link.start()
  await waitFor('the edge to be connected', () => link.connected)
  const refusals = () => log.lines.filter((line) => line.includes('Not authorized')).length
  const made = { id: edge.id, link, acks, echoes, desired, privateJwk, refusals }
  connectedEdges.push(made)
  return made
}
const newEdge = () => admin.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
const newCamera = (edge_id: number) =>
  admin.expect<Camera>(201, 'POST', '/api/v1/cameras', {
    nome: 'Portão',
    rtsp_url: `rtsp://admin:${PASSWORD}@192.0.2.7:554/1`,
    edge_id,
  })

const send = (from: ConnectedEdge, ...records: HeldRecord[]) => from.link.publishBatch(batch(records))
const answered = (to: ConnectedEdge, id: string, times = 1) =>
  waitFor(`answer ${times} to ${id}`, () => {
    const answers = to.acks.filter((ack) => ack.id === id)
    return answers.length >= times && answers.map(({ resultado }) => resultado)
  })
const newest = (of: ConnectedEdge) => of.desired.at(-1)
const report = (cameras: Partial<CameraRelatada>[], change: Partial<Relato> = {}): Relato => ({
  v: 1,
  config_versao: 1,
  versao: '0.1.0',
  instancia: '0197a000-0000-4000-8000-000000000001',
  certificado: { sha256: '00'.repeat(32), vence_em: Date.now() + 86_400_000 },
  fila_memoria: 0,
  disco_gravavel: true,
  memoria: null,
  enviado_em: Date.now(),
  relogio: { desvio_ms: 3, sincronizado: true },
  cameras: cameras.map((one) => ({
    id: camera.id,
    estado: 'online',
    motivo: null,
    complemento: null,
    ultimo_frame_ha_ms: 120,
    codec: 'h264',
    resolucao: '640x360',
    fps: 15,
    quadro_chave_ms: 1_966.7,
    quadro_chave_ha_ms: 87_400.4,
    taxa_kbps: 512,
    ias_sem_suporte: [],
    ias_indisponiveis: [],
    ...one,
  })),
  fila: 4,
  disco: { total: 100, livre: 40 },
  cpu: 0.2,
  temperatura: 51,
  ...change,
})
const cameraNow = (id = camera.id) => admin.expect<Camera>(200, 'GET', `/api/v1/cameras/${id}`)

beforeAll(async () => {
  mqttPort = await freePort()
  app = await startTestApp({ VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}` })
  broker = await startBroker()
  backstage = await openBackstage(app)
  admin = (await app.account('Padaria')).admin
  firstEdge = await connectEdge(await newEdge())
  camera = await newCamera(firstEdge.id)
})
afterAll(async () => {
  for (const { link } of connectedEdges) await link.stop()
  await backstage.close()
  await app.stop()
  await broker.stop()
})

describe('the desired state', () => {
  it('reaches the edge, with addresses that only that edge can read', async () => {
    const desejado = await waitFor('the camera', () => firstEdge.desired.find(({ cameras }) => cameras.length === 1))
    const [wanted] = desejado.cameras
    expect(wanted).toMatchObject({
      id: camera.id,
      ativa: true,
      fuso_horario: 'America/Sao_Paulo',
      zonas: [],
      linha: [],
    })
    expect(wanted?.analises).toEqual([{ ia: 'invasao', calibracao: calibracaoPadrao.invasao, agenda: null }])
    expect(JSON.stringify(desejado)).not.toContain(PASSWORD)
    expect(await unseal(firstEdge.privateJwk, wanted?.fontes ?? '')).toEqual({
      rtsp_url: `rtsp://admin:${PASSWORD}@192.0.2.7:554/1`,
      sub_rtsp_url: null,
    })
    const { privateJwk } = await createSealKeyPair()
    await expect(unseal(privateJwk, wanted?.fontes ?? '')).rejects.toThrow()
    expect(app.logText()).not.toContain(PASSWORD)
  })

  it('follows every change and combines concurrent changes', async () => {
    const before = firstEdge.desired.length
    const patches = Array.from({ length: 10 }, (_, i) => ({ config_ia: { invasao: { conf: 0.5 + i / 100 } } }))
    await Promise.all(patches.map((patch) => admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.id}`, patch)))
    await admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.id}`, {
      ...patches.at(-1),
      agenda: { invasao: { inicio: 22, fim: 6, dias: [] } },
      ativa: false,
    })
    const last = await waitFor('the last change', () => {
      const wanted = newest(firstEdge)?.cameras[0]
      return wanted?.ativa === false && wanted
    })
    expect(last.analises[0]).toMatchObject({ calibracao: { conf: 0.59 }, agenda: { inicio: 22, fim: 6, dias: [] } })
    const versions = firstEdge.desired.map(({ versao }) => versao)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    expect(firstEdge.desired.length - before).toBeLessThan(11)
    await admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.id}`, { ativa: true, agenda: {} })
  })

  it('becomes newer than the version that the edge reports', async () => {
    await waitFor('a desired state', () => newest(firstEdge))
    await firstEdge.link.publishReport(report([], { config_versao: 5000 }))
    await waitFor('a newer version', () => (newest(firstEdge)?.versao ?? 0) > 5000)
  })

  it('is deleted from the broker with the edge', async () => {
    const second = await connectEdge(await newEdge())
    await waitFor('its desired state', () => newest(second))
    await second.link.stop()
    await admin.expect(204, 'DELETE', `/api/v1/edges/${second.id}`)
    await waitFor('the clearing', () =>
      app
        .logText()
        .split('\n')
        .some(
          (line) => line.includes('desired state published') && line.includes(`"edge_id":${second.id},"versao":null`),
        ),
    )
  })
})

describe('a certificate', () => {
  it('is refused after the removal of its edge', async () => {
    const own = await connectEdge(await newEdge())
    await admin.expect(204, 'DELETE', `/api/v1/edges/${own.id}`)
    await waitFor('the edge to be cut off', () => !own.link.connected)
    await waitFor('the edge to be refused', () => own.refusals() >= 2)
    expect(firstEdge.link.connected).toBe(true)
  })

  it('is refused after a new activation, whose certificate is accepted', async () => {
    const old = await connectEdge(await newEdge())
    const { codigo } = await admin.expect<{ codigo: string }>(201, 'POST', `/api/v1/edges/${old.id}/codigo`)
    expect(old.link.connected).toBe(true)
    const fresh = await connectEdge({ id: old.id, codigo })
    let losses = 0
    fresh.link.onConnection(() => {
      losses += 1
    })
    await waitFor('the old edge to be refused', () => old.refusals() >= 3)
    const record = candidate((await newCamera(fresh.id)).id, 1)
    await send(fresh, record)
    await answered(fresh, record.id)
    expect({ losses, old: old.link.connected }).toEqual({ losses: 0, old: false })
    await old.link.stop()
  })
})

describe('batches', () => {
  it('are answered after the commit, each time and record by record', async () => {
    const records = [candidate(camera.id, 1), candidate(camera.id, 2), candidate(camera.id, 3)]
    const last = records[2]?.id ?? ''
    await send(firstEdge, ...records)
    expect(await answered(firstEdge, last)).toEqual(['gravado'])
    expect(firstEdge.acks.slice(-3).map(({ id }) => id)).toEqual(records.map(({ id }) => id))
    const events = await admin.expect<Evento[]>(200, 'GET', `/api/v1/events?camera_id=${camera.id}`)
    expect(events).toHaveLength(3)
    expect((await admin.send('GET', events[0]?.crop_url ?? '')).status).toBe(200)
    await Promise.all([send(firstEdge, ...records), send(firstEdge, ...records)])
    expect(await answered(firstEdge, last, 3)).toEqual(['gravado', 'repetido', 'repetido'])
    expect(await admin.expect<Evento[]>(200, 'GET', `/api/v1/events?camera_id=${camera.id}`)).toHaveLength(3)
  })

  it('are only logged if unreadable', async () => {
    await firstEdge.link.publishBatch(Buffer.from('junk'))
    await waitFor('the line in the log', () => app.logText().includes('unreadable batch dropped'))
    const record = candidate(camera.id, 4)
    await send(firstEdge, record)
    expect(await answered(firstEdge, record.id)).toEqual(['gravado'])
  })

  it('are refused with a reason for another account’s camera', async () => {
    const other = await app.account('Farmácia')
    const edge = await other.admin.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
    const foreign = await connectEdge(edge)
    const record = candidate(camera.id, 5)
    await send(foreign, record)
    expect(await answered(foreign, record.id)).toEqual(['recusado'])
    expect(foreign.acks[0]?.motivo).toContain('câmera')
  })

  it('get no answer while the database fails and are stored in order on repeat', async () => {
    const [first, second] = [candidate(camera.id, 5), candidate(camera.id, 6)]
    await backstage.db.schema.alterTable('alertas').renameTo('alertas_away').execute()
    await send(firstEdge, first)
    await waitFor('the failure', () => app.logText().includes('batch not processed'))
    await backstage.db.schema.alterTable('alertas_away').renameTo('alertas').execute()
    // This batch is sent before the answer to the previous one, and cannot overtake it.
    await firstEdge.link.publishBatch(batch([{ ...second, base: 5, desde: 5 }]))
    expect(await answered(firstEdge, second.id)).toEqual(['fora_de_ordem'])
    expect(firstEdge.acks.filter(({ id }) => id === first.id)).toEqual([])
    await send(firstEdge, first, second)
    expect(await answered(firstEdge, second.id, 2)).toEqual(['fora_de_ordem', 'gravado'])
    const gaps = await backstage.db.selectFrom('lacunas').selectAll().where('camera_id', '=', camera.id).execute()
    expect(gaps).toEqual([])
  })
})

describe('the whole path', () => {
  // The verification refutes only what the first model saw with a low confidence.
  const boxAt = (at: { x: number; y: number; w: number; h: number }) => ({
    change: { caixas: [{ rotulo: 'person', confianca: 0.12, ...at }] },
  })

  it('raises an alert for a picture with a person and none for a picture without', async () => {
    const stream = await openSse(`${app.url}/api/v1/sse/alertas?todos=true`, { authorization: `Bearer ${admin.token}` })
    const picture = await readPatio()
    const own = await connectEdge(await newEdge())
    const mine = await newCamera(own.id)
    const lawn = candidate(mine.id, 1, { crop: picture, quadro: picture, ...boxAt(patio.lawn) })
    const person = candidate(mine.id, 2, { crop: picture, quadro: picture, ...boxAt(patio.people[0]) })
    await send(own, lawn, person)

    // Events of other tests may be alerts, too.
    const framesOf = (event: string) =>
      stream.frames
        .filter((frame) => frame.event === event)
        .map(({ data }) => JSON.parse(data) as Evento)
        .filter(({ camera_id, veredito }) => camera_id === mine.id && veredito)
    // The events of other tests are verified first.
    const slow = { timeoutMs: 90_000 }
    const evento = await waitFor('the alert', () => framesOf('alerta')[0], slow)
    expect(evento).toMatchObject({ tipo: 'invasao', veredito: { decisao: 'confirmado' } })
    const refuted = () => framesOf('evento').some(({ veredito }) => veredito?.decisao === 'refutado')
    await waitFor('the refuted event', refuted, slow)
    expect(framesOf('alerta')).toHaveLength(1)
    expect((await admin.send('GET', evento.crop_url ?? '')).headers.get('content-type')).toBe('image/jpeg')
    stream.close()
  })
})

describe('reports', () => {
  it('are answered with the instants for the clock offset', async () => {
    const before = app.clock.now()
    const own = await connectEdge(await newEdge())
    await own.link.publishReport(report([], { enviado_em: 12_345 }))
    const eco = await waitFor('the echo', () => own.echoes[0])
    expect(eco.t1).toBe(12_345)
    expect(eco.t2).toBeGreaterThanOrEqual(before)
    expect(eco.t3).toBeGreaterThanOrEqual(eco.t2)
    expect(eco.t3).toBeLessThanOrEqual(app.clock.now())
  })

  it('set edge and camera online, and the end of the edge sets them offline', async () => {
    const own = await connectEdge(await newEdge())
    const mine = await newCamera(own.id)
    expect((await cameraNow(mine.id)).status).toBe('offline')
    // The report says that the frame is 120 ms old.
    const sinceMs = Date.now() - 120
    await own.link.publishReport(report([{ id: mine.id }]))
    const online = await waitFor('the camera to be online', async () => {
      const now = await cameraNow(mine.id)
      return now.status === 'online' && now
    })
    expect(online).toMatchObject({
      codec: 'h264',
      resolucao: '640x360',
      fps: 15,
      quadro_chave_s: 1.967,
      sem_quadro_chave_s: 87.4,
      taxa_kbps: 512,
    })
    expect(Date.parse(online.ultimo_frame_em ?? '')).toBeGreaterThanOrEqual(sinceMs)
    const edge = () => admin.expect<Edge>(200, 'GET', `/api/v1/edges/${own.id}`)
    expect(await edge()).toMatchObject({ status: 'online', versao: '0.1.0', fila: 4, cameras: 1, cpu: 0.2 })

    // An older edge does not measure the compressed stream.
    const older = report([{ id: mine.id, fps: 14 }])
    for (const one of older.cameras as Partial<CameraRelatada>[])
      Object.assign(one, { quadro_chave_ms: undefined, quadro_chave_ha_ms: undefined })
    await own.link.publishReport(older)
    const later = await waitFor('the older report', async () => {
      const now = await cameraNow(mine.id)
      return now.fps === 14 && now
    })
    expect(later).toMatchObject({ status: 'online', quadro_chave_s: 1.967, sem_quadro_chave_s: null })

    await own.link.stop()
    await waitFor('the edge to be offline', async () => (await edge()).status === 'offline')
    expect(await cameraNow(mine.id)).toMatchObject({
      status: 'offline',
      status_detalhe: expect.stringContaining('sem contato'),
    })
  })

  it('do not change another edge’s camera', async () => {
    const second = await connectEdge(await newEdge())
    await second.link.publishReport(report([{ id: camera.id, codec: 'forged' }]))
    await waitFor('the report', async () => {
      const edge = await admin.expect<Edge>(200, 'GET', `/api/v1/edges/${second.id}`)
      return edge.fila === 4
    })
    expect((await cameraNow()).codec).not.toBe('forged')
  })

  it('with implausible numbers are harmless', async () => {
    await firstEdge.link.publishReport(report([{ ultimo_frame_ha_ms: 1e300 }]))
    await waitFor('the report', async () => (await cameraNow()).ultimo_frame_em === '1970-01-01T00:00:00.000Z')
    expect((await admin.send('GET', '/api/v1/cameras')).status).toBe(200)
  })
})

describe('a restarted broker', () => {
  it('receives every desired state again', async () => {
    const before = await waitFor('a desired state', () => newest(firstEdge))
    await broker.kill()
    await waitFor('the edge to notice', () => !firstEdge.link.connected)
    firstEdge.desired.length = 0
    broker = await startBroker()
    const again = await waitFor('the desired state', () => newest(firstEdge))
    expect(again.versao).toBeGreaterThanOrEqual(before.versao)
  })
})
