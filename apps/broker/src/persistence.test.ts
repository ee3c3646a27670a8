import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, everyEdge, topics } from '@vigia/link/topics'
import type { MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectClient, heard } from './testing/broker-client.ts'
import { type BrokerProcess, startBrokerProcess } from './testing/broker-process.ts'

let installation: TestInstallation
let folder: string
let broker: BrokerProcess
let port: number
const clients: MqttClient[] = []

async function startBroker(): Promise<void> {
  broker = startBrokerProcess(installation.dir)
  port = await broker.ready()
}
/** Kills the broker as a power cut does: no client gets a message. */
async function killAndRestart(between: () => Promise<unknown> = async () => {}): Promise<void> {
  broker.child.kill('SIGKILL')
  await broker.exit
  await between()
  await startBroker()
}
async function connect(name: string, options = {}): Promise<MqttClient> {
  const client = await connectClient({ installation, port, name, options })
  clients.push(client)
  return client
}
/** Messages that an edge receives on connection. */
async function listen(edgeId: number): Promise<string[]> {
  const edge = await connect(`edge-${edgeId}`)
  const messages = heard(edge)
  await edge.subscribeAsync([topics(edgeId).desejado, topics(edgeId).confirmacoes], { qos: 1 })
  return messages
}
async function expectDesired(edgeId: number, text: string): Promise<void> {
  const messages = await listen(edgeId)
  await until('the desired state', () => messages.length > 0)
  expect(messages).toEqual([`${topics(edgeId).desejado}=${text}`])
}
async function expectNothingDesired(edgeId: number): Promise<void> {
  const messages = await listen(edgeId)
  const cloud = await connect('cloud')
  // A later message, which proves that no other message was pending.
  for (const text of ['1', '2']) await cloud.publishAsync(topics(edgeId).confirmacoes, text, { qos: 1 })
  await until('what was sent later', () => messages.length >= 2)
  expect(messages).toEqual([`${topics(edgeId).confirmacoes}=1`, `${topics(edgeId).confirmacoes}=2`])
}
const allow = async (cloud: MqttClient, ...edgeIds: number[]) =>
  cloud.publishAsync(CERTIFICATES_TOPIC, JSON.stringify(await installation.allowed(edgeIds)), { qos: 1, retain: true })
const desire = (cloud: MqttClient, edgeId: number, text: string) =>
  cloud.publishAsync(topics(edgeId).desejado, text, { qos: 1, retain: true })
const onDisk = (file: string) => readFile(join(folder, file), 'utf8').then(JSON.parse, () => null)
const contentOf = async (file: string) => {
  const stored = await onDisk(file)
  return stored === null ? null : Buffer.from(stored.conteudo, 'base64').toString()
}

beforeEach(async () => {
  installation = await createTestInstallation()
  folder = join(installation.dir, 'broker/estado')
  await startBroker()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  broker.child.kill('SIGKILL')
  await broker.exit
  await installation.remove()
})

describe('a killed broker without the cloud', () => {
  it('admits only certificates that were in force, with their desired states', async () => {
    const cloud = await connect('cloud')
    await allow(cloud, 7, 8)
    await desire(cloud, 7, 'first')
    for (let version = 1; version <= 50; version += 1) await desire(cloud, 7, `seven ${version}`)
    await desire(cloud, 8, 'eight')
    await until('the last ones on disk', async () => (await contentOf('desejado-7.json')) === 'seven 50')
    await until('both on disk', async () => (await contentOf('desejado-8.json')) === 'eight')
    // The last list before the end was acknowledged, so it is in force.
    await allow(cloud, 7)
    await killAndRestart()

    await expectDesired(7, 'seven 50')
    await expect(connect('edge-8')).rejects.toThrow(/Not authorized/)
  })

  it('does not restore states that the cloud cleared', async () => {
    const cloud = await connect('cloud')
    await allow(cloud, 7)
    await desire(cloud, 7, 'old')
    const will = { topic: topics(7).presenca, payload: Buffer.from('away'), qos: 1, retain: true } as const
    await connect('edge-7', { will })
    await until('the files', async () => (await readdir(folder)).length === 3)
    await desire(cloud, 7, '')
    await until('no file', async () => (await readdir(folder)).join() === 'certificados.json')
    await killAndRestart()
    await expectNothingDesired(7)
  })

  it('publishes the last will of an edge until the edge returns', async () => {
    await allow(await connect('cloud'), 7)
    const presence = topics(7).presenca
    const will = { topic: presence, payload: Buffer.from('away'), qos: 1, retain: true } as const
    const edge = await connect('edge-7', { will })
    await edge.publishAsync(presence, 'here', { qos: 1, retain: true })
    await until('the will on disk', async () => (await contentOf('presenca-7.json')) === 'away')
    await killAndRestart()

    const cloud = await connect('cloud')
    const messages = heard(cloud)
    await cloud.subscribeAsync(everyEdge.presenca, { qos: 1 })
    await until('what is retained', () => messages.length > 0)
    const back = await connect('edge-7', { will })
    await back.publishAsync(presence, 'here', { qos: 1, retain: true })
    await until('the return', () => messages.length === 2)
    expect(messages).toEqual([`${presence}=away`, `${presence}=here`])
  })

  it('stores its files with private permissions', async () => {
    await allow(await connect('cloud'), 7)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, 'certificados.json'))).mode & 0o777).toBe(0o600)
  })
})

describe('damaged files', () => {
  const half = async (file: string) => {
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.slice(0, text.length / 2))
  }
  /** This file is valid JSON of the right shape with changed content. */
  const flip = async (file: string) => {
    const stored = await onDisk(file)
    await writeFile(
      join(folder, file),
      JSON.stringify({ ...stored, conteudo: Buffer.from('other').toString('base64') }),
    )
  }
  const swap = async (file: string) => writeFile(join(folder, file), await readFile(join(folder, 'desejado-8.json')))

  beforeEach(async () => {
    const cloud = await connect('cloud')
    await allow(cloud, 7, 8)
    await desire(cloud, 7, 'seven')
    await desire(cloud, 8, 'eight')
    await until(
      'both',
      async () => (await onDisk('desejado-7.json')) !== null && (await onDisk('desejado-8.json')) !== null,
    )
  })

  it.each([
    ['half', half],
    ['changed', flip],
    ['of another', swap],
    ['empty', (file: string) => writeFile(join(folder, file), '')],
  ])('(%s) a damaged list is set aside, and no edge connects before a new one', async (_what, damage) => {
    await killAndRestart(() => damage('certificados.json'))
    await expect(connect('edge-7')).rejects.toThrow(/Not authorized/)
    expect(broker.output.out).toContain('certificados.json')
    expect(await readdir(folder)).toContain('certificados.json.danificado')
    await allow(await connect('cloud'), 7)
    await expectDesired(7, 'seven')
  })

  it('an intact list with invalid content is set aside, too', async () => {
    await killAndRestart(async () => {
      const { createStateFolder } = await import('./state-folder.ts')
      const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
      await createStateFolder(folder, log).keep(CERTIFICATES_TOPIC, Buffer.from('{"v":1}'))
    })
    await expect(connect('edge-7')).rejects.toThrow(/Not authorized/)
    expect(await readdir(folder)).toContain('certificados.json.danificado')
  })

  it.each([
    ['half', half],
    ['changed', flip],
  ])('(%s) a damaged desired state is set aside, and the others stay', async (_what, damage) => {
    await killAndRestart(() => damage('desejado-7.json'))
    await expectNothingDesired(7)
    await expectDesired(8, 'eight')
  })

  it('do not prevent the start, nor does an unusable folder', async () => {
    await killAndRestart(async () => {
      await rm(folder, { recursive: true })
      await writeFile(folder, '')
    })
    await expect(connect('edge-7')).rejects.toThrow(/Not authorized/)
    await allow(await connect('cloud'), 7)
    await connect('edge-7')
    await until('the line', () => broker.output.out.includes('state folder unusable'))
  })

  it('leftovers of an interrupted write are removed', async () => {
    await killAndRestart(() => writeFile(join(folder, '.0.tmp'), 'half'))
    expect((await readdir(folder)).filter((file) => file.endsWith('.tmp'))).toEqual([])
  })
})

it('a list that cannot be written leaves no older one on disk', async () => {
  const cloud = await connect('cloud')
  await allow(cloud, 7)
  // A folder at the path of the file makes the write fail, also for root.
  await rm(join(folder, 'certificados.json'))
  await mkdir(join(folder, 'certificados.json', 'x'), { recursive: true })
  await chmod(join(folder, 'certificados.json'), 0o700)
  await allow(cloud, 8)
  await connect('edge-8')
  expect(broker.output.out).toContain('state not stored on disk')
})
