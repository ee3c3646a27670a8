import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCloudLink } from './cloud-link.ts'
import { createEdgeLink } from './edge-link.ts'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from './testing/installation.ts'
import { CERTIFICATES_TOPIC, topics } from './topics.ts'

/** The same ends on mosquitto, with the configuration that the README tells people to use. */
const program = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync)
if (program === undefined)
  console.warn('mosquitto is not installed here: the link is tested on the embedded broker only')

let installation: TestInstallation
let broker: ChildProcess
let port: number
const clients: MqttClient[] = []

/** The text of the fenced block of one language in the README. */
async function fromReadme(language: string): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const text = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1]
  if (text === undefined) throw new Error(`no ${language} block in the README`)
  return text
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port: free } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

async function accepts(onPort: number): Promise<boolean> {
  const socket = net.connect(onPort, '127.0.0.1')
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return connected
}

async function connect(name: string, options: IClientOptions = {}): Promise<MqttClient> {
  const tls = name === 'cloud' ? installation.cloud : await installation.edge(Number(name.slice('edge-'.length)))
  const client = mqtt.connect({
    ...{ protocol: 'mqtts', host: '127.0.0.1', port, ...tls, clientId: name, protocolVersion: 4, reconnectPeriod: 0 },
    ...options,
  })
  clients.push(client)
  await new Promise((resolve, reject) => {
    client.once('connect', resolve).on('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  return client
}

describe.runIf(program !== undefined)('the link on mosquitto', () => {
  beforeAll(async () => {
    installation = await createTestInstallation()
    port = await freePort()
    const aclPath = join(installation.dir, 'vigia.acl')
    const settings = (await fromReadme('conf'))
      .replaceAll('/etc/mosquitto/tls', join(installation.dir, 'broker/tls'))
      .replace('/etc/mosquitto/vigia.acl', aclPath)
      .replace('listener 8883', `listener ${port}`)
    await writeFile(aclPath, await fromReadme('acl'))
    // As root it would otherwise become a user that may not read the temporary folder.
    await writeFile(join(installation.dir, 'mosquitto.conf'), `${settings}\nuser root\n`)
    broker = spawn(program ?? '', ['-c', join(installation.dir, 'mosquitto.conf')], { stdio: 'ignore' })
    await until('mosquitto', () => accepts(port))
  })
  afterAll(async () => {
    for (const client of clients) client.end(true)
    broker.kill()
    await installation.remove()
  })

  it('carries everything, both ways, and the last will', async () => {
    const url = `mqtts://127.0.0.1:${port}`
    const log = createMemoryLog()
    const cloud = createCloudLink({ url, tls: installation.cloud, log })
    const edge = createEdgeLink({ url, edgeId: 7, tls: await installation.edge(7), log })
    const id = randomUUID()
    const heard: unknown[] = []
    cloud.onRecord(async (edgeId, payload) => {
      heard.push(['record', edgeId, payload.length])
      await cloud.publishAck(edgeId, { v: 1, id, resultado: 'gravado', motivo: null, enviado_em: 1 })
    })
    cloud.onPresence((edgeId, online) => void heard.push(['presence', edgeId, online]))
    cloud.onConnected(() => cloud.publishDesired(7, { v: 1, versao: 3, cameras: [] }))
    // Of no use to this broker, and no reason to lose the link.
    let listTaken = false
    cloud.onConnected(async () => {
      await cloud.publishAllowed(await installation.allowed([7]))
      listTaken = true
    })
    edge.onAck((confirmacao) => void heard.push(['ack', confirmacao.id]))
    edge.onDesired(({ versao }) => void heard.push(['desired', versao]))
    edge.onRequest(async (comando) => ({ ok: true, resultado: { comando }, corpo: Buffer.from('jpeg') }))
    cloud.start()
    await until('the cloud', () => cloud.connected)
    edge.start()
    await until('presence and desired state', () => heard.length === 2 && edge.connected)
    await until('the list of certificates', () => listTaken)
    expect(cloud.connected).toBe(true)
    await edge.publishRecord(Buffer.alloc(5 * 1024 * 1024))
    await until('record and confirmation', () => heard.length === 4)
    expect(heard).toEqual(
      expect.arrayContaining([
        ['desired', 3],
        ['presence', 7, true],
        ['record', 7, 5 * 1024 * 1024],
        ['ack', id],
      ]),
    )
    const signal = AbortSignal.timeout(20_000)
    expect(await cloud.request(7, 'jwe', { prazoMs: 10_000, signal })).toMatchObject({
      resposta: { ok: true, resultado: { comando: 'jwe' } },
      corpo: Buffer.from('jpeg'),
    })
    // The same identity again: mosquitto throws the link out, and publishes its last will.
    heard.length = 0
    await connect('edge-7')
    await until('the last will', () => heard.some((news) => JSON.stringify(news) === '["presence",7,false]'))
    await edge.stop()
    await cloud.stop()
  })

  it('confines each edge to its branch', async () => {
    const spy = await connect('edge-8')
    const messages: string[] = []
    spy.on('message', (topic) => messages.push(topic))
    await spy
      .subscribeAsync(
        ['#', '$SYS/#', CERTIFICATES_TOPIC, topics(7).desejado, topics(7).pedidos, topics(8).confirmacoes],
        {
          qos: 1,
        },
      )
      .catch(() => {})
    const cloud = await connect('cloud')
    const atCloud: string[] = []
    cloud.on('message', (topic) => atCloud.push(topic))
    await cloud.subscribeAsync(['vigia/v1/edges/+/candidatos', 'vigia/v1/edges/+/respostas'], { qos: 1 })

    await spy.publishAsync(topics(7).candidatos, 'forged', { qos: 1 })
    await spy.publishAsync(topics(7).respostas, 'forged', { qos: 1 })
    await spy.publishAsync(topics(8).respostas, 'own', { qos: 1 })
    await spy.publishAsync(topics(8).candidatos, 'own', { qos: 1 })
    await cloud.publishAsync(CERTIFICATES_TOPIC, 'not for 8', { qos: 1 })
    await cloud.publishAsync(topics(7).desejado, 'not for 8', { qos: 1 })
    await cloud.publishAsync(topics(7).confirmacoes, 'not for 8', { qos: 1 })
    await cloud.publishAsync(topics(7).pedidos, 'not for 8', { qos: 1 })
    await cloud.publishAsync(topics(8).pedidos, 'for 8', { qos: 1 })
    await cloud.publishAsync(topics(8).confirmacoes, 'for 8', { qos: 1 })
    await until('what is allowed', () => messages.includes(topics(8).confirmacoes) && atCloud.length > 1)
    expect(new Set(messages)).toEqual(new Set([topics(8).pedidos, topics(8).confirmacoes]))
    expect(atCloud).toEqual([topics(8).respostas, topics(8).candidatos])
  })

  it('takes the client id from the certificate, and no client without one', async () => {
    const victim = await connect('edge-5')
    await connect('edge-6', { clientId: 'edge-5' })
    expect(victim.connected).toBe(true)
    await expect(connect('edge-6', { cert: '', key: '' })).rejects.toThrow()
  })
})
