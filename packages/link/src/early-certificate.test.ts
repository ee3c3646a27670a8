import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureInstallationPki } from './pki/installation.ts'
import { openSession } from './session.ts'

const DAY = 86_400_000
/** The cloud is five days ahead of this machine. */
const CLOUD_NOW = Date.now() + 5 * DAY
const dirs: string[] = []
let ours: string
let foreign: string
let past: string
const servers: Server[] = []

async function pki(now: number): Promise<string> {
  const dir = temporaryFolder('vigia-early-')
  dirs.push(dir)
  await ensureInstallationPki({ dir, brokerHosts: [], now })
  return dir
}
const pem = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8')

beforeAll(async () => {
  ;[ours, foreign, past] = [await pki(CLOUD_NOW), await pki(CLOUD_NOW), await pki(Date.now() - 2_000 * DAY)]
})
afterAll(() => {
  for (const server of servers) server.close()
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

/** A broker with the certificate `<folder>/tls` of an installation. Resolves with its port. */
async function broker(
  dir: string,
  folder: 'broker' | 'cloud' = 'broker',
): Promise<{ port: number; heard: () => number }> {
  let heard = 0
  const tls = { cert: pem(dir, `${folder}/tls/cert.pem`), key: pem(dir, `${folder}/tls/key.pem`) }
  const server = createServer(tls, (socket) => {
    socket.on('error', () => {})
    socket.on('data', () => {
      heard++
      socket.write(Buffer.from([0x20, 2, 0, 0]))
    })
  })
  server.on('tlsClientError', () => {})
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, heard: () => heard }
}

async function connect(port: number, now: (() => number | null) | undefined, host = '127.0.0.1') {
  const stop = new AbortController()
  const session = openSession({
    host,
    port,
    clientId: 'edge-1',
    subscriptions: [],
    will: undefined,
    birth: undefined,
    keepaliveS: 15,
    tls: {
      ca: pem(ours, 'pki/ca.pem'),
      cert: pem(ours, 'cloud/tls/cert.pem'),
      key: pem(ours, 'cloud/tls/key.pem'),
    },
    ...(now && { now }),
    onMessage: () => {},
    signal: stop.signal,
  })
  const ready = await session.ready
  stop.abort()
  await session.closed
  return ready
}
const refused = (reason: RegExp) => ({ ok: false, reason: expect.stringMatching(reason) })

it('connects with a certificate that is not valid yet by the clock, unless the right time is as early', async () => {
  const { port } = await broker(ours)
  expect(await connect(port, () => null)).toEqual({ ok: true })
  expect(await connect(port, () => CLOUD_NOW)).toEqual({ ok: true })
})

it('refuses it by the right time, and without a source of the time', async () => {
  const { port, heard } = await broker(ours)
  expect(await connect(port, () => Date.now())).toEqual(refused(/CERT_NOT_YET_VALID/))
  expect(await connect(port, undefined)).toEqual(refused(/not yet valid/))
  expect(heard()).toBe(0)
})

it('refuses another authority, another name, another use and a certificate that is over', async () => {
  const { port: other, heard } = await broker(foreign)
  expect(await connect(other, () => null)).toEqual(refused(/CERT|SELF_SIGNED|UNABLE/))
  const { port: named } = await broker(ours)
  expect(await connect(named, () => null, '127.0.0.2')).toMatchObject({ ok: false })
  const { port: client, heard: heardByClient } = await broker(ours, 'cloud')
  expect(await connect(client, () => null)).toMatchObject({ ok: false })
  const { port: over } = await broker(past)
  expect(await connect(over, () => null)).toMatchObject({ ok: false })
  expect([heard(), heardByClient()]).toEqual([0, 0])
})
