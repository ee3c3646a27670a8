import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createKeyframes } from './rtp/keyframe-calls.ts'
import { createPausePoint } from './rtp/pause-point.ts'
import { createGatekeeper } from './rtsp/gatekeeper.ts'
import { createRtspServer } from './rtsp/server.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
import { footageFile, shortClip } from './test/clips.ts'
import { connectClient, play, type RtpPacket, receive, rtpPackets, TCP } from './test/rtsp-client.ts'

const good = { usuario: 'admin', senha: 'segredo' }
const file = { principal: footageFile('campus-b-sub.mp4') }
const big = { principal: footageFile('campus-b-principal.mp4') }
let simulator: Simulator
let porta = 0
const url = (canal: number) => `rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=0`

beforeAll(async () => {
  simulator = createSimulator({
    porta: 0,
    canais: [big, file, file, file, file],
    defeitos: { 2: 'mudo', 3: 'mudo_apos_describe', 4: 'recusa_senha', 5: { defeito: 'encerra', quadros: 3 } },
    ...good,
  })
  porta = (await simulator.start()).porta
})
afterAll(() => simulator.stop())

describe('quirks of the dialogue', () => {
  const answered = (promise: Promise<unknown>) =>
    Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 300))])

  it('mudo never answers, mudo_apos_describe stops answering', async () => {
    const mute = await connectClient(porta, good)
    expect(await answered(mute.request('OPTIONS', url(2)).catch(() => new Promise(() => undefined)))).toBe(false)
    mute.close()
    const half = await connectClient(porta, good)
    expect((await half.request('DESCRIBE', url(3))).status).toBe(200)
    expect(
      await answered(half.request('SETUP', `${url(3)}/trackID=0`, TCP).catch(() => new Promise(() => undefined))),
    ).toBe(false)
    half.close()
  })

  it('recusa_senha refuses the right password', async () => {
    const client = await connectClient(porta, good)
    expect((await client.request('DESCRIBE', url(4))).status).toBe(401)
    client.close()
  })

  it('encerra closes the connection after its frames', async () => {
    const client = await connectClient(porta, good)
    await play(client, url(5))
    await waitFor('the end', () => client.closed)
    expect(rtpPackets(client).filter(({ marker }) => marker)).toHaveLength(3)
  })
})

describe('recorders that refuse clients', () => {
  const wrong = { ...good, senha: 'outra' }
  const others: Simulator[] = []
  afterEach(async () => {
    for (const other of others.splice(0)) await other.stop()
  })
  async function another(options: Partial<SimulatorOptions>) {
    const other = createSimulator({ porta: 0, canais: [file, file], ...good, ...options })
    others.push(other)
    const { porta: at } = await other.start()
    const ask = async (credentials: typeof good, canal = 1) => {
      const client = await connectClient(at, credentials)
      const uri = `rtsp://127.0.0.1:${at}/cam/realmonitor?channel=${canal}&subtype=0`
      const response = await client.request('DESCRIBE', uri).catch((error: Error) => error)
      return { client, response, status: response instanceof Error ? response.message : response.status }
    }
    return { porta: at, ask, counts: () => other.contagem }
  }

  it('lock an address out after too many failed logins, but never after requests without a password', async () => {
    const { ask, counts } = await another({ bloqueioApos: 3 })
    const tried: unknown[] = []
    for (const credentials of [wrong, wrong, good, wrong, wrong, good, wrong, wrong, wrong, good])
      tried.push((await ask(credentials)).status)
    expect(tried).toEqual([401, 401, 200, 401, 401, 200, 401, 401, 401, 401])
    expect(counts()).toMatchObject({ logins_recusados: 7, describes: 2 })
  })

  it('answer 401 to connections above their limit, and count the largest number of parallel connections', async () => {
    const { ask, counts } = await another({ conexoes401: 2 })
    const [first, , third] = [await ask(good), await ask(good), await ask(good)]
    expect([first.status, third.status]).toEqual([200, 401])
    first.client.close()
    await waitFor('a free place', () => counts()?.conexoes === 2)
    third.client.close()
    await waitFor('a free place', () => counts()?.conexoes === 1)
    expect((await ask(good)).status).toBe(200)
    expect(counts()).toMatchObject({ conexoes_max: 3, logins_recusados: 0 })
  })

  it.each([
    ['ocupado_401', 401],
    ['ocupado_403', 403],
    ['ocupado_453', 453],
    ['ocupado_503', 503],
    ['corta', 'connection closed on DESCRIBE'],
  ] as const)('answer the first two clients with %s, and serve the next clients', async (defeito, status) => {
    const { ask, counts } = await another({ defeitos: { 1: { defeito, vezes: 2 } } })
    const answers = [await ask(good), await ask(good, 2), await ask(good), await ask(good)]
    expect(answers.map((one) => one.status)).toEqual([status, 200, status, 200])
    expect(counts()).toMatchObject({ recusas: status === 401 || status === 403 ? 2 : 0, logins_recusados: 0 })
  })

  it('report an expired nonce once per connection, redirect clients, or send endless headers', async () => {
    const para = 'rtsp://127.0.0.9/x'
    const { ask } = await another({
      defeitos: { 1: 'nonce_vencido', 2: { defeito: 'redireciona', para } },
    })
    const stale = await ask(good)
    expect(stale.response).toMatchObject({ status: 401 })
    expect(stale.response instanceof Error || stale.response.headers.get('www-authenticate')).toContain('stale=true')
    expect((await stale.client.request('DESCRIBE', 'rtsp://h/stream1')).status).toBe(200)
    const { response, status } = await ask(good, 2)
    expect([status, response instanceof Error || response.headers.get('location')]).toEqual([302, para])
    const client = await connectClient((await another({ defeitos: { 1: 'cabecalho_sem_fim' } })).porta, good)
    let bytes = 0
    client.socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    client.request('DESCRIBE', 'rtsp://h/stream1').catch(() => undefined)
    await waitFor('a megabyte of headers', () => bytes > 1e6)
    client.close()
  })
})

const stepTo = (packets: readonly RtpPacket[], index: number, timestamp: number) =>
  (timestamp - (packets[index - 1]?.timestamp ?? 0)) >>> 0

describe('clients that misbehave', () => {
  it('drops pictures for a TCP client that does not read, and resumes at a keyframe', async () => {
    // About 5 MB a second soon exceed the buffers of the kernel.
    const video = await shortClip('campus-b-principal.mp4', 2, 50)
    const now = () => performance.now()
    const live = { pausePoint: createPausePoint(now), keyframes: createKeyframes(), audio: null }
    const channel = { principal: video, sub: null, quirk: null, ...live }
    const server = createRtspServer({
      host: '127.0.0.1',
      port: 0,
      channels: [channel],
      gatekeeper: createGatekeeper({ credentials: null, scheme: 'md5', nonceLifeMs: 60_000, now }),
      emptyAnswer: 'vazio_404',
      maxConnections: 4,
      sessionTimeoutMs: 60_000,
      now,
    })
    const { port } = await server.start()
    const slow = await connectClient(port)
    await play(slow, 'rtsp://127.0.0.1/stream1')
    await receive(slow, 100)
    slow.socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 4000))
    slow.socket.resume()
    const packets = await waitFor('the pictures behind the gap', () => {
      const received = rtpPackets(slow)
      const gap = received.findIndex(({ timestamp }, i) => i > 0 && stepTo(received, i, timestamp) > 90_000 / 500)
      return gap > 0 && received.length > gap + 5 && { received, gap }
    })
    await server.stop()
    slow.close()
    const { received, gap } = packets
    const sps = video.parameterSets[0] ?? Buffer.alloc(0)
    expect(received[gap]?.payload.includes(sps)).toBe(true)
    expect(stepTo(received, gap, received[gap]?.timestamp ?? 0)).toBeGreaterThan(90_000 / 10)
    expect(received[gap - 1]?.marker).toBe(true)
    for (const [i, { sequence }] of received.slice(1).entries())
      expect(sequence).toBe(((received[i]?.sequence ?? 0) + 1) % 65_536)
  })

  it('disconnects a client that sends requests and never reads', async () => {
    const socket = connect(porta, '127.0.0.1')
    let closed = false
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      closed = true
    })
    socket.pause()
    const request = Buffer.from(`OPTIONS ${url(1)} RTSP/1.0\r\nCSeq: 1\r\n\r\n`.repeat(2000))
    const before = process.memoryUsage().rss
    await waitFor('the connection to be cut', () => {
      for (let i = 0; i < 5 && socket.writableLength < 8e6; i++) socket.write(request)
      return closed
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
    socket.destroy()
  })

  it('survives noise, partial requests and bad packets, and serves the next client', async () => {
    let seed = 42
    const next = (limit: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % limit
    }
    const valid =
      `DESCRIBE ${url(1)} RTSP/1.0\r\nCSeq: 1\r\nAuthorization: Digest username="admin", ` +
      `realm="Vigia Simulador", nonce="x-y", uri="${url(1)}", response="0"\r\n\r\n`
    const pieces = [
      () => Buffer.from(Array.from({ length: next(300) }, () => next(256))),
      () => Buffer.from(valid.slice(0, next(valid.length))),
      () => Buffer.from(valid),
      () =>
        Buffer.from(
          `SETUP ${url(next(9))}/trackID=${next(3)} RTSP/1.0\r\nCSeq: ${next(99)}\r\n` +
            `Transport: ${'RTP/AVP;'.repeat(next(40))}client_port=${next(99_999)}\r\n\r\n`,
        ),
      () => Buffer.from([0x24, next(256), next(256), next(256), 1, 2, 3]),
      () => {
        const damaged = Buffer.from(valid)
        for (let i = 0; i < 5; i++) damaged[next(damaged.length)] = next(256)
        return damaged
      },
      () =>
        Buffer.from(
          `${['PLAY', 'PAUSE', 'TEARDOWN', 'OPTIONS', 'FOO'][next(5)]} * RTSP/1.0\r\n` +
            `CSeq: ${next(9)}\r\nSession: ${next(9)}\r\n\r\n`,
        ),
    ]
    const rounds = Array.from({ length: 150 }, async () => {
      const socket = connect(porta, '127.0.0.1')
      const done = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.on('error', () => socket.destroy())
      socket.resume()
      for (let i = 0; i < 6; i++) socket.write(pieces[next(pieces.length)]?.() ?? '')
      socket.end()
      const timer = setTimeout(() => socket.destroy(), 1000)
      await done
      clearTimeout(timer)
    })
    await Promise.all(rounds)
    const client = await waitFor('a free place', async () => {
      const connected = await connectClient(porta, good)
      const response = await connected.request('DESCRIBE', url(1)).catch(() => null)
      return response?.status === 200 && connected
    })
    await play(client, url(1))
    await receive(client, 5)
    client.close()
  })

  it('sends UDP packets only to the address of the client', async () => {
    const client = await connectClient(porta, good)
    const [rtp, rtcp] = [createSocket('udp4'), createSocket('udp4')]
    let packets = 0
    let reports = 0
    rtp.on('message', () => packets++)
    rtcp.on('message', () => reports++)
    for (const socket of [rtp, rtcp]) await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const ports = `client_port=${rtp.address().port}-${rtcp.address().port}`
    await client.request('DESCRIBE', url(1))
    const Transport = `RTP/AVP;unicast;destination=127.0.0.99;${ports}`
    const setup = await client.request('SETUP', `${url(1)}/trackID=0`, { Transport })
    const transport = setup.headers.get('transport') ?? ''
    expect(transport).toContain(ports)
    expect(transport).not.toContain('127.0.0.99')
    const [, even = '', odd = ''] = /server_port=(\d+)-(\d+)/.exec(transport) ?? []
    expect([Number(even) % 2, Number(odd)]).toEqual([0, Number(even) + 1])
    const session = setup.headers.get('session')?.split(';')[0] ?? ''
    expect((await client.request('PLAY', url(1), { Session: session })).status).toBe(200)
    await waitFor('packets and a report', () => packets > 5 && reports > 0)
    // The stream ends with the RTSP connection.
    client.close()
    await waitFor('silence', async () => {
      const before = packets
      await new Promise((resolve) => setTimeout(resolve, 400))
      return packets === before
    })
    rtp.close()
    rtcp.close()
  })
})
