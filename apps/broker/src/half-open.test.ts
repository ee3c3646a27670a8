import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { topics } from '@vigia/link/topics'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectClient } from './testing/broker-client.ts'
import { type BrokerProcess, startBrokerProcess } from './testing/broker-process.ts'

const CONNECTIONS = 1_500
const ADDRESSES = 50
/** The beginning of an incomplete TLS record. */
const HALF_A_HELLO = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
const edges = [1, 2, 3, 4, 5]

let installation: TestInstallation
let broker: BrokerProcess
let port = 0
let flood: ReturnType<typeof startFlood> | undefined
beforeEach(async () => {
  installation = await createTestInstallation()
  broker = startBrokerProcess(installation.dir)
  port = await broker.ready()
  await installation.admit(`mqtts://127.0.0.1:${port}`, edges)
})
afterEach(async () => {
  flood?.stop()
  broker.child.kill('SIGKILL')
  await broker.exit
  await installation.remove()
})

/** Keeps 1500 connections from 50 addresses open without a complete handshake; half of them begin one. */
function startFlood() {
  const open = new Set<net.Socket>()
  let isStopped = false
  let reset = 0
  const add = (index: number) => {
    if (isStopped) return
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (index % ADDRESSES)}` })
    open.add(socket)
    if (index % 2 === 0) socket.write(HALF_A_HELLO)
    socket.on('error', () => {}).resume()
    socket.on('close', () => {
      open.delete(socket)
      reset += 1
      setTimeout(() => add(index), 200).unref()
    })
  }
  for (let index = 0; index < CONNECTIONS; index += 1) add(index)
  return {
    reset: () => reset,
    stop: () => {
      isStopped = true
      for (const socket of open) socket.destroy()
    },
  }
}

/** Number of the five edges that connect within 5 s and get answers. */
async function served(): Promise<number> {
  const results = await Promise.allSettled(
    edges.map(async (id) => {
      const options = { connectTimeout: 5_000 }
      const client = await connectClient({ installation, port, name: `edge-${id}`, options })
      await client.publishAsync(topics(id).relato, 'x', { qos: 0 })
      await client.endAsync()
    }),
  )
  return results.filter(({ status }) => status === 'fulfilled').length
}

it('edges with a known address connect during 1500 half-open connections, also after a restart', async () => {
  const onDisk = join(installation.dir, 'broker/estado/origens-conhecidas.v1')
  expect(await served()).toBe(5)
  flood = startFlood()
  await until('the limit of strangers to be reached', () => (flood?.reset() ?? 0) > 400)
  expect(await served()).toBe(5)

  await until(
    'the address on the disk',
    () => existsSync(onDisk) && readFileSync(onDisk, 'utf8').includes('"origem":"127.0.0.1"'),
  )
  broker.child.kill('SIGKILL')
  await broker.exit
  broker = startBrokerProcess(installation.dir, { VIGIA_MQTT_PORT: String(port) })
  await broker.ready()
  const before = flood.reset()
  await until('the limit of strangers to be reached again', () => (flood?.reset() ?? 0) > before + 400)
  expect(await served()).toBe(5)
})
