import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@vigia/testing/free-port'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CloudLink, createCloudLink } from './cloud-link.ts'
import { createEdgeLink } from './edge-link.ts'
import { MAX_PACKET_BYTES, MESSAGE_BYTES, packetBytes } from './limits.ts'
import { loadAuthority } from './pki/authority.ts'
import { replaceFile } from './pki/files.ts'
import { createRevocationList } from './pki/revocation-list.ts'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from './testing/installation.ts'
import {
  CERTIFICATES_TOPIC,
  edgeTopicNames,
  everyEdge,
  isEdgeTopic,
  type TopicName,
  topicNames,
  topics,
} from './topics.ts'

/** Both ends on mosquitto with the files of deploy/mosquitto; only paths and port differ. */
const program = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync)
if (program === undefined)
  console.warn('mosquitto is not installed here: the link is tested on the embedded broker only')

const shipped = (name: string) => fileURLToPath(new URL(`../../../deploy/mosquitto/${name}`, import.meta.url))
const cloudWrites = topicNames.filter((name) => !isEdgeTopic(name))
const ofEveryEdge = edgeTopicNames.map((name) => everyEdge[name])
const forEdge7 = cloudWrites.map((name) => topics(7)[name])

const desired = {
  v: 1,
  versao: 3,
  cameras: [],
  limite_reenvio_kbps: null,
  identidade_duplicada: false,
} as const

let installation: TestInstallation
let broker: ChildProcess
let port: number
/** Port of the listener for replicas of the cloud. */
let internalPort: number
let dir: string
const clients: MqttClient[] = []

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
    protocol: 'mqtts',
    host: '127.0.0.1',
    port,
    ...tls,
    clientId: name,
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  })
  clients.push(client)
  await new Promise((resolve, reject) => {
    client.once('connect', resolve).on('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  return client
}

const ended = (client: MqttClient): Promise<void> => new Promise((resolve) => client.once('close', () => resolve()))

/** Runs the script of the systemd unit with a `systemctl` that records its arguments. */
function refresh(...args: string[]): string {
  const bin = join(dir, 'bin')
  const { status, stderr } = spawnSync(shipped('refresh.sh'), args, {
    encoding: 'utf8',
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      VIGIA_DATA_DIR: dir,
      VIGIA_MOSQUITTO_DIR: join(dir, 'etc/vigia'),
      VIGIA_MOSQUITTO_GROUP: String(process.getgid?.() ?? 0),
    },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const calls = spawnSync('sh', ['-c', `cat ${bin}/calls; rm -f ${bin}/calls`], { encoding: 'utf8' })
  return calls.stdout
}

async function startBroker(): Promise<void> {
  broker = spawn(program ?? '', ['-c', join(dir, 'etc/mosquitto.conf')], { stdio: 'ignore' })
  await until('mosquitto', () => accepts(port))
}
async function stopBroker(): Promise<void> {
  const over = once(broker, 'close')
  broker.kill()
  await over
}
const restartBroker = () => stopBroker().then(startBroker)
/** Writes the revocation list as the cloud does after each revocation. */
async function revoke(...revoked: string[]): Promise<void> {
  const entries = revoked.map((pem) => ({ serial: new X509Certificate(pem).serialNumber, revokedAt: new Date() }))
  const ca = await loadAuthority(dir)
  const list = await createRevocationList({ ca, revoked: entries, now: Date.now(), validDays: 30 })
  await replaceFile(join(dir, 'pki/crl.pem'), list)
}

describe.runIf(program !== undefined)('the link on mosquitto (needs mosquitto)', () => {
  beforeAll(async () => {
    installation = await createTestInstallation()
    dir = installation.dir
    ;[port, internalPort] = [await freePort(), await freePort()]
    for (const folder of ['bin', 'etc', 'lib']) await mkdir(join(dir, folder))
    await writeFile(join(dir, 'bin/systemctl'), `#!/bin/sh\necho "$@" >>"${dir}/bin/calls"\n`)
    await chmod(join(dir, 'bin/systemctl'), 0o755)
    await revoke()
    refresh()
    for (const name of ['vigia.acl', 'vigia-interno.acl'])
      await writeFile(join(dir, 'etc', name), await readFile(shipped(name), 'utf8'))
    const settings = (await readFile(shipped('mosquitto.conf'), 'utf8'))
      .replaceAll('/etc/mosquitto/', join(dir, 'etc/'))
      .replace('/var/lib/mosquitto/', join(dir, 'lib/'))
      .replace('listener 8883', `listener ${port} 127.0.0.1`)
      .replace('listener 8884 127.0.0.1', `listener ${internalPort} 127.0.0.1`)
    // Started as root, mosquitto would change to a user without access to the temporary folder.
    await writeFile(join(dir, 'etc/mosquitto.conf'), `user root\n${settings}`)
    await startBroker()
  })
  afterAll(async () => {
    for (const client of clients) client.end(true)
    await stopBroker()
    await installation.remove()
  })

  it('carries all messages in both directions, and the last will', async () => {
    const url = `mqtts://127.0.0.1:${port}`
    const log = createMemoryLog()
    const cloud = createCloudLink({ url, tls: installation.cloud, log })
    const identity = await installation.edge(7)
    const edge = createEdgeLink({ url, edgeId: 7, tls: () => identity, log })
    const id = randomUUID()
    const heard: unknown[] = []
    cloud.onBatch(async (edgeId, payload) => {
      heard.push(['batch', edgeId, payload.length])
      await cloud.publishAnswer(edgeId, { tipo: 'eco', v: 2, t1: 1, t2: 2, t3: 3 })
    })
    cloud.onPresence((edgeId, online) => void heard.push(['presence', edgeId, online]))
    cloud.onRenewal((edgeId, pedido) =>
      cloud.publishRenewed(edgeId, { v: 1, id: pedido.id, certificado: 'c', ca: 'a' }),
    )
    cloud.onLiveFrame((edgeId, quadro, jpeg) => void heard.push(['frame', edgeId, quadro.camera_id, jpeg.length]))
    edge.onEcho(({ t3 }) => void heard.push(['answer', t3]))
    edge.onRenewed((renovado) => void heard.push(['renewed', renovado.id]))
    cloud.onConnected(() => cloud.publishDesired(7, { ...desired, cameras: [], recursos: [] }))
    // mosquitto has no reader for this list, and the link stays up.
    let listTaken = false
    cloud.onConnected(async () => {
      await cloud.publishAllowed(await installation.allowed([7]))
      listTaken = true
    })
    edge.onDesired(({ versao }) => void heard.push(['desired', versao]))
    edge.onRequest(async (comando) => ({ ok: true, resultado: { comando }, corpo: Buffer.from('jpeg') }))
    cloud.start()
    await until('the cloud', () => cloud.connected)
    edge.start()
    await until('presence and desired state', () => heard.length === 2 && edge.connected)
    await until('the list of certificates', () => listTaken)
    expect(cloud.connected).toBe(true)
    await edge.publishBatch(Buffer.alloc(5 * 1024 * 1024))
    await edge.publishRenewal({ v: 1, id, csr: 'pedido' })
    expect(edge.publishLiveFrame({ v: 1, camera_id: 3, largura: 640, altura: 360 }, Buffer.alloc(9))).toBe(true)
    await until('batch, answer, renewal and frame', () => heard.length === 6)
    expect(heard).toEqual(
      expect.arrayContaining([
        ['desired', 3],
        ['presence', 7, true],
        ['batch', 7, 5 * 1024 * 1024],
        ['answer', 3],
        ['renewed', id],
        ['frame', 7, 3, 9],
      ]),
    )
    const signal = AbortSignal.timeout(20_000)
    expect(await cloud.request(7, { id: randomUUID(), comando: 'jwe' }, { prazoMs: 10_000, signal })).toMatchObject({
      resposta: { ok: true, resultado: { comando: 'jwe' } },
      corpo: Buffer.from('jpeg'),
    })
    // A second client with the same identity: mosquitto ends the first one and publishes its last will.
    heard.length = 0
    const second = await connect('edge-7')
    await until('the last will', () => heard.some((news) => JSON.stringify(news) === '["presence",7,false]'))
    // Spaces may follow JSON, so that only the size refuses this presence.
    const large = '{"v":1,"online":true}'.padEnd(MESSAGE_BYTES.presenca + 1)
    await second.publishAsync(topics(7).presenca, large, { qos: 1 })
    await until('the refusal', () => log.lines.some((line) => line.includes('unreadable')))
    await edge.stop()
    await cloud.stop()
  })

  it('confines each edge to its own topics', async () => {
    const [cloud, owner, intruder] = [await connect('cloud'), await connect('edge-7'), await connect('edge-8')]
    const heard = { cloud: [] as string[], owner: [] as string[], intruder: [] as string[] }
    for (const [name, client] of Object.entries({ cloud, owner, intruder }) as [keyof typeof heard, MqttClient][])
      client.on('message', (topic, payload) => heard[name].push(`${topic} ${payload}`))
    // The intruder must not get messages that were retained before it subscribed.
    await cloud.publishAsync(topics(7).desejado, 'kept', { qos: 1, retain: true })
    await owner.publishAsync(topics(7).presenca, 'kept', { qos: 1, retain: true })

    const wildcards = ['#', '+/#', '$SYS/#', 'vigia/#', 'vigia/v1/edges/+/+', 'vigia/v1/edges/edge-7/#', '$share/g/#']
    const all = topicNames.flatMap((name) => [topics(7)[name], everyEdge[name], `$share/g/${topics(7)[name]}`])
    for (const filter of [...wildcards, ...all, CERTIFICATES_TOPIC])
      await intruder.subscribeAsync(filter, { qos: 1 }).catch(() => {})
    await cloud.subscribeAsync(ofEveryEdge, { qos: 1 })
    await owner.subscribeAsync(forEdge7, { qos: 1 })
    await until('what is retained', () => heard.cloud.length > 0 && heard.owner.length > 0)
    for (const list of Object.values(heard)) list.length = 0

    for (const name of topicNames) {
      await intruder.publishAsync(topics(7)[name], 'forged', { qos: 1 })
      await intruder.publishAsync(topics(7)[name], 'forged', { qos: 0, retain: true })
    }
    for (const topic of [CERTIFICATES_TOPIC, '$SYS/broker/version', 'vigia/v1/edges/edge-8/desejado', 'outro'])
      await intruder.publishAsync(topic, 'forged', { qos: 1, retain: true })
    for (const name of edgeTopicNames) await owner.publishAsync(topics(7)[name], 'own', { qos: 1 })
    for (const name of cloudWrites) await cloud.publishAsync(topics(7)[name], 'own', { qos: 1 })
    await cloud.publishAsync(CERTIFICATES_TOPIC, 'secret', { qos: 1, retain: true })
    // The intruder may use its own topics only.
    for (const name of edgeTopicNames) await intruder.publishAsync(topics(8)[name], 'eight', { qos: 1 })
    for (const name of cloudWrites) await cloud.publishAsync(topics(8)[name], 'for eight', { qos: 1 })
    await until(
      'all that is allowed',
      () => heard.cloud.length >= 12 && heard.owner.length >= 4 && heard.intruder.length >= 4,
    )

    const named = (names: readonly TopicName[], edgeId: number, text: string) =>
      names.map((name) => `${topics(edgeId)[name]} ${text}`)
    expect(heard.cloud.sort()).toEqual(
      [...named(edgeTopicNames, 7, 'own'), ...named(edgeTopicNames, 8, 'eight')].sort(),
    )
    expect(heard.owner.sort()).toEqual(named(cloudWrites, 7, 'own').sort())
    expect(new Set(heard.intruder)).toEqual(new Set(named(cloudWrites, 8, 'for eight')))
  })

  it.each(topicNames)('rejects a last will of one edge on the topic %s of another', async (name) => {
    const [cloud, owner] = [await connect('cloud'), await connect('edge-7')]
    const heard: string[] = []
    for (const client of [cloud, owner]) client.on('message', (topic, payload) => heard.push(`${topic} ${payload}`))
    await cloud.subscribeAsync(ofEveryEdge, { qos: 1 })
    await owner.subscribeAsync(forEdge7, { qos: 1 })

    const will = { topic: topics(7)[name], payload: Buffer.from('forged'), qos: 1, retain: true } as const
    await connect('edge-8', { will }).then(
      (client) => client.stream.destroy(),
      () => {},
    )
    const own = { ...will, topic: topics(8).presenca, payload: Buffer.from('own') }
    await connect('edge-8', { will: own }).then((client) => client.stream.destroy())
    await until('the will that is allowed', () => heard.includes(`${topics(8).presenca} own`))
    expect(heard.filter((message) => message.includes('forged'))).toEqual([])
  })

  it('takes the client id from the certificate and refuses clients without one', async () => {
    const victim = await connect('edge-5')
    await connect('edge-6', { clientId: 'edge-5' })
    expect(victim.connected).toBe(true)
    await expect(connect('edge-6', { cert: '', key: '' })).rejects.toThrow()
  })

  it('keeps several replicas of the cloud on the internal listener, each with its own client id', async () => {
    const url = `mqtts://127.0.0.1:${internalPort}`
    const log = createMemoryLog()
    const replicas = ['um', 'dois'].map((replica) => createCloudLink({ url, tls: installation.cloud, log, replica }))
    const [one, two] = replicas as [CloudLink, CloudLink]
    const heard: string[] = []
    for (const [name, link] of Object.entries({ one, two })) {
      link.onBatch(async (edgeId) => void heard.push(`batch ${edgeId} ${name}`))
      link.onPresence((edgeId, online) => void heard.push(`presence ${edgeId} ${online} ${name}`))
      link.start()
    }
    await until('both replicas', () => one.connected && two.connected)
    one.own([11])
    two.own([12])
    const edges = await Promise.all(
      [11, 12].map(async (edgeId) => {
        const identity = await installation.edge(edgeId)
        return createEdgeLink({ url: `mqtts://127.0.0.1:${port}`, edgeId, tls: () => identity, log })
      }),
    )
    for (const edge of edges) edge.start()
    await until('the presence of both edges', () => heard.length === 2 && edges.every((edge) => edge.connected))
    for (const edge of edges) await edge.publishBatch(Buffer.from('batch'))
    await until('both batches', () => heard.length === 4)
    expect(heard.sort()).toEqual(['batch 11 one', 'batch 12 two', 'presence 11 true one', 'presence 12 true two'])
    expect([one.connected, two.connected]).toEqual([true, true])
    await Promise.all([...edges, ...replicas].map((link) => link.stop()))
  })

  it('gives an edge no topic on the internal listener, not even its own', async () => {
    const [cloud, owner] = [await connect('cloud'), await connect('edge-7')]
    const intruder = await connect('edge-8', { port: internalPort })
    const heard = { cloud: [] as string[], intruder: [] as string[] }
    for (const [name, client] of Object.entries({ cloud, intruder }) as [keyof typeof heard, MqttClient][])
      client.on('message', (topic, payload) => heard[name].push(`${topic} ${payload}`))
    const everything = ['#', ...topicNames.flatMap((name) => [everyEdge[name], topics(7)[name], topics(8)[name]])]
    for (const filter of everything) await intruder.subscribeAsync(filter, { qos: 1 }).catch(() => {})
    await cloud.subscribeAsync(ofEveryEdge, { qos: 1 })
    for (const name of topicNames) {
      for (const edgeId of [7, 8]) await intruder.publishAsync(topics(edgeId)[name], 'inside', { qos: 1, retain: true })
      await cloud.publishAsync(topics(8)[name], 'for eight', { qos: 1 })
    }
    await owner.publishAsync(topics(7).relato, 'last', { qos: 1 })
    await until('the allowed message', () => heard.cloud.includes(`${topics(7).relato} last`))
    expect(heard.cloud.filter((message) => message.endsWith('inside'))).toEqual([])
    expect(heard.intruder).toEqual([])
    await expect(connect('edge-8', { port: internalPort, cert: '', key: '' })).rejects.toThrow()
  })

  it('accepts the largest packet of either end', async () => {
    const [cloud, edge] = [await connect('cloud'), await connect('edge-6')]
    const { candidatos, desejado } = topics(6)
    const heard: string[] = []
    for (const client of [cloud, edge])
      client.on('message', (topic, payload) => heard.push(`${topic} ${packetBytes(topic, payload)}`))
    await cloud.subscribeAsync(candidatos, { qos: 1 })
    await edge.subscribeAsync(desejado, { qos: 1 })
    for (const [client, topic] of [[edge, candidatos] as const, [cloud, desejado] as const])
      await client.publishAsync(topic, Buffer.alloc(MAX_PACKET_BYTES - packetBytes(topic, Buffer.alloc(0))), { qos: 1 })
    await until('both', () => heard.length === 2)
    expect(heard.sort()).toEqual([`${candidatos} ${MAX_PACKET_BYTES}`, `${desejado} ${MAX_PACKET_BYTES}`])
  })

  it('disconnects a client that sends a packet above the limit, or QoS 2', async () => {
    for (const [bytes, qos] of [
      [MAX_PACKET_BYTES + 1, 1],
      [1, 2],
    ] as const) {
      const client = await connect('edge-6')
      const over = ended(client)
      client.publish(topics(6).candidatos, Buffer.alloc(bytes), { qos })
      await over
    }
  })

  it.each([
    ['', () => ({})],
    [' of a replica', () => ({ port: internalPort, clientId: 'cloud-um' })],
  ])('keeps retained messages%s across a restart', async (_of, options) => {
    const cloud = await connect('cloud', options())
    await cloud.publishAsync(topics(6).desejado, 'kept', { qos: 1, retain: true })
    await restartBroker()
    const edge = await connect('edge-6')
    const message = new Promise((resolve) => edge.once('message', (_topic, payload) => resolve(String(payload))))
    await edge.subscribeAsync(topics(6).desejado, { qos: 1 })
    expect(await message).toBe('kept')
  })

  it('disconnects and refuses only a revoked certificate', async () => {
    const old = await installation.edge(7)
    const live = await connect('edge-7')
    await installation.replace(7)
    // Without a change the script of the timer does nothing.
    expect(refresh('--restart')).toBe('')

    await revoke(old.cert)
    const cut = ended(live)
    expect(refresh('--restart')).toBe('restart mosquitto.service\n')
    await restartBroker()
    await cut
    await expect(connect('edge-7', old)).rejects.toThrow(/revoked/)
    await connect('edge-7')
    await connect('edge-8')
    await connect('cloud')
  })

  it('does not start with a certificate or a list older than those of the cloud', async () => {
    const revoked = await installation.edge(9)
    await connect('edge-9')
    await revoke(revoked.cert)
    // The unit runs the same command before each start.
    expect(refresh()).toBe('')
    await restartBroker()
    await expect(connect('edge-9')).rejects.toThrow(/revoked/)
  })
})
