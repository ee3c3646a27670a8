import { readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, createServer, type Server, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FaultyProxy, type ProxyIdentity, startFaultyProxy } from './faulty-proxy.ts'
import { runProgram } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait.ts'

const PUBLISH = Buffer.from([0x30, 2, 1, 2])
const PING = Buffer.from([0xc0, 0])

/** An echo server behind the proxy, with the certificates of a real installation. */
describe('a bad line', () => {
  let dir: string
  let echo: Server
  let proxy: FaultyProxy
  let server: ProxyIdentity
  let client: ProxyIdentity
  const sockets: TLSSocket[] = []

  const pem = async (part: string): Promise<ProxyIdentity> => {
    const read = (name: string) => readFile(join(dir, part, 'tls', `${name}.pem`), 'utf8')
    return { ca: await read('ca'), cert: await read('cert'), key: await read('key') }
  }
  /** Opens a connection and records the received bytes and its end. */
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port: proxy.port, ...client })
    const seen = { socket, bytes: Buffer.alloc(0), closed: false }
    socket.on('data', (chunk: Buffer) => {
      seen.bytes = Buffer.concat([seen.bytes, chunk])
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      seen.closed = true
    })
    sockets.push(socket)
    await new Promise((resolve) => socket.once('secureConnect', resolve))
    return seen
  }

  beforeAll(async () => {
    dir = temporaryFolder('vigia-linha-')
    const { code, output } = await runProgram({ entry: 'apps/cloud/src/prepare.ts', env: { VIGIA_DATA_DIR: dir } })
    if (code !== 0) throw new Error(output)
    server = await pem('broker')
    client = await pem('cloud')
    echo = createServer({ ...server, requestCert: true, rejectUnauthorized: true }, (socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.pipe(socket)
    })
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    echo.close()
    await rm(dir, { recursive: true, force: true })
  })
  beforeEach(async () => {
    const { port } = echo.address() as AddressInfo
    proxy = await startFaultyProxy({ server, upstream: { port, identity: async () => client }, random: () => 0.5 })
  })
  afterEach(() => proxy.close())

  it('passes packets unchanged', async () => {
    const seen = await open()
    seen.socket.write(Buffer.concat([PING, PUBLISH]))
    await waitFor('the echo', () => seen.bytes.equals(Buffer.concat([PING, PUBLISH])))
  })

  it('duplicates only PUBLISH packets', async () => {
    proxy.set({ duplicate: 0.6 })
    const seen = await open()
    seen.socket.write(Buffer.concat([PING, PUBLISH]))
    // The proxy duplicates the packet towards the server, and both copies towards the client.
    await waitFor('the echo', () => seen.bytes.equals(Buffer.concat([PING, PUBLISH, PUBLISH, PUBLISH, PUBLISH])))
  })

  it('delays, in order', async () => {
    proxy.set({ latencyMs: 100 })
    const seen = await open()
    const begun = performance.now()
    seen.socket.write(Buffer.concat([PUBLISH, PING]))
    await waitFor('the echo', () => seen.bytes.equals(Buffer.concat([PUBLISH, PING])), { everyMs: 5 })
    expect(performance.now() - begun).toBeGreaterThan(200)
  })

  it('freezes without closing the connection, and resumes', async () => {
    const seen = await open()
    seen.socket.write(PING)
    await waitFor('the first echo', () => seen.bytes.length === 2)
    proxy.set({ frozen: true })
    seen.socket.write(PUBLISH)
    // This wait is longer than any round trip of this test.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect([seen.bytes.length, seen.closed]).toEqual([2, false])
    proxy.set({ frozen: false })
    await waitFor('the rest', () => seen.bytes.length === 6)
  })

  it('resets connections, and accepts new ones', async () => {
    const seen = await open()
    seen.socket.write(PING)
    await waitFor('the echo', () => seen.bytes.length === 2)
    expect(proxy.cut()).toBe(2)
    await waitFor('the end', () => seen.closed)
    const again = await open()
    again.socket.write(PING)
    await waitFor('the echo', () => again.bytes.length === 2)
  })
})
