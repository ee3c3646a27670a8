import type { Camera } from '@vigia/contracts/cameras'
import type { Saude } from '@vigia/contracts/saude'
import { freePort } from '@vigia/testing/free-port'
import { type IsolatedDisk, startIsolatedDisk } from '@vigia/testing/isolated-disk'
import { type Program, runProgram, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, clientOf, form, send, signIn } from './test/clients/client.ts'
import { batch, candidate } from './test/records/records.ts'
import { type StandInEdge, startStandInEdge } from './test/stand-ins/stand-in-edge.ts'

const disk = await startIsolatedDisk(64)
const ADMIN = { username: 'admin', password: 'senha-do-operador' } as const

/** Cloud and broker as real processes with their data on a full disk. The tests build on each other. */
describe.runIf(disk !== null)('a cloud whose disk is full (needs user namespaces)', () => {
  const { dir, execPath, fill, free } = disk ?? ({} as IsolatedDisk)
  let port: number
  let mqttPort: number
  let cloud: Program
  let broker: Program
  let edge: StandInEdge
  let operator: Client
  let url: string
  let cameraId: number
  let chave: string
  let seq = 0

  const startCloud = async () => {
    cloud = await startProgram({
      entry: 'apps/cloud/src/test/unverifying-cloud.ts',
      execPath,
      env: {
        PORT: String(port),
        VIGIA_LOG_LEVEL: 'debug',
        VIGIA_DATA_DIR: dir,
        VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
        VIGIA_ADMIN_USERNAME: ADMIN.username,
        VIGIA_ADMIN_PASSWORD: ADMIN.password,
      },
    })
  }
  const startBroker = async () => {
    const env = { VIGIA_DATA_DIR: dir, VIGIA_MQTT_PORT: String(mqttPort) }
    broker = await startProgram({ entry: 'apps/broker/src/main.ts', execPath, env })
  }
  const health = async () => (await send<Saude>(`${url}/healthz`)).body
  const stored = async () => Number((await operator.send('GET', '/api/v1/events?limit=1')).headers.get('x-total-count'))
  /** Repeats the batch until the cloud has stored it, like an outbox. */
  const deliver = (records = batch([candidate(cameraId, seq)])) =>
    waitFor(
      'the event to be stored',
      async () => {
        await edge.link.publishBatch(records).catch(() => {})
        return (await stored()) === seq
      },
      { everyMs: 200 },
    )
  const create = (nome: string) => operator.send<{ detail: string }>('POST', '/api/v1/empresas', { nome })

  beforeAll(async () => {
    ;[port, mqttPort] = [await freePort(), await freePort()]
    url = `http://127.0.0.1:${port}`
    await runProgram({ entry: 'apps/cloud/src/prepare.ts', execPath, env: { VIGIA_DATA_DIR: dir } })
    await startBroker()
    await startCloud()
    operator = await signIn(url, ADMIN.username, ADMIN.password)
    const { id: empresa_id } = await operator.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Loja' })
    const login = { username: 'dono', senha: ADMIN.password, papel: 'administrador', empresa_id }
    await operator.expect(201, 'POST', '/api/v1/usuarios', login)
    edge = await startStandInEdge(await signIn(url, login.username, login.senha), url)
    const key = { nome: 'Integração', escopo: 'leitura', empresa_id }
    chave = (await operator.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', key)).chave
    const rtsp_url = 'rtsp://127.0.0.1:9/1'
    const made = { nome: 'Portão', empresa_id, edge_id: edge.id, rtsp_url }
    cameraId = (await operator.expect<Camera>(201, 'POST', '/api/v1/cameras', made)).id
    seq = 1
    await deliver()
  })
  afterAll(async () => {
    await edge?.stop()
    await cloud?.kill()
    await broker?.kill()
    disk?.close()
  })

  it('reports no warning before the disk is full', async () => {
    expect(await health()).toEqual({ status: 'ok' })
  })

  it('refuses writes and logins with a message, and answers reads', async () => {
    fill()
    const refused = await create('Nova')
    expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringMatching(/^Disco cheio: .*Avise/) } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const login = await send(`${url}/api/v1/auth/token`, form(ADMIN))
    expect(login).toMatchObject({ status: 503, body: { detail: expect.stringContaining('Disco cheio') } })
    for (const path of ['/me', '/cameras', '/events', '/edges', '/empresas', '/auditoria?limit=1'])
      expect(await operator.send('GET', `/api/v1${path}`), path).toMatchObject({ status: 200 })
    const page = await operator.expect<{ nome: string }[]>(200, 'GET', '/api/v1/empresas')
    expect(page.map(({ nome }) => nome)).not.toContain('Nova')
    expect(await health()).toEqual({ status: 'ok', avisos: ['disco_cheio'] })
  })

  it('accepts an API key although it cannot store the time of its use', async () => {
    expect(await clientOf(url, chave).send('GET', '/api/v1/cameras')).toMatchObject({ status: 200 })
  })

  it('shows the message on the sign-in page, and refuses to sign out', async () => {
    const answer = await send(`${url}/login`, form(ADMIN))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?erro=disco'])
    expect(await operator.send('GET', '/api/v1/auth/logout')).toMatchObject({ status: 503 })
    expect(await operator.send('GET', '/api/v1/me')).toMatchObject({ status: 200 })
  })

  it('logs the cause', async () => {
    expect(cloud.output()).toContain('SQLITE_FULL')
    expect(cloud.output()).not.toContain('cannot rollback')
    expect(cloud.output()).toContain('disco cheio: eventos ficam nas caixas')
  })

  it('does not confirm a batch, so that the edge keeps it', async () => {
    seq = 2
    await edge.link.publishBatch(batch([candidate(cameraId, seq)]))
    await waitFor('the batch to arrive', () => cloud.output().includes('batch not accepted: disk full'))
    expect(await stored()).toBe(1)
  })

  it('starts on the full disk after kill -9, and so does the broker', async () => {
    await broker.kill()
    await cloud.kill()
    // Fills the space that the ended programs released, except the ballast.
    fill()
    await startBroker()
    await startCloud()
    expect(await operator.send('GET', '/api/v1/events')).toMatchObject({ status: 200 })
    expect((await health()).avisos).toContain('disco_cheio')
    expect(await stored()).toBe(1)
  })

  it('continues by itself after space is freed, without losses', async () => {
    free()
    await deliver()
    await waitFor('writes', async () => (await create('Nova')).status === 201)
    await waitFor('no warning', async () => (await health()).avisos === undefined)
    expect((await send(`${url}/api/v1/auth/token`, form(ADMIN))).status).toBe(200)
    expect(await operator.send('GET', '/api/v1/lacunas')).toMatchObject({ status: 200, body: [] })
  })
})
