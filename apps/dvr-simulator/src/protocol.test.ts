import { fabricantes, nomesFabricantes } from '@vigia/contracts/fabricantes'
import { streamUrl } from '@vigia/rtsp/maker-urls'
import { parseSdp } from '@vigia/rtsp/sdp'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
import { footageFile } from './test/clips.ts'
import { connectClient, play, type RtspClient, receive, TCP } from './test/rtsp-client.ts'

const good = { usuario: 'admin', senha: 'p@ss:/#%& =ç' }
const small = { principal: footageFile('campus-b-sub.mp4') }
const canais = [small, null, { principal: footageFile('campus-c-h265.mp4'), sub: footageFile('campus-a-sub.mp4') }]
const running: Simulator[] = []
const clients: RtspClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const simulator of running.splice(0)) await simulator.stop()
})

async function start(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({ porta: 0, canais, ...good, ...options })
  running.push(simulator)
  const { porta } = await simulator.start()
  const client = async (credentials?: typeof good) => {
    const connected = await connectClient(porta, credentials)
    clients.push(connected)
    return connected
  }
  const url = (canal: number, stream: 'principal' | 'sub' = 'principal') =>
    `rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=${stream === 'sub' ? 1 : 0}`
  return { porta, client, url }
}

describe('authentication', () => {
  it.each(['md5', 'sha256', 'basic'] as const)('%s: accepts only the right password', async (autenticacao) => {
    const { client, url } = await start({ autenticacao })
    expect((await (await client(good)).request('DESCRIBE', url(1))).status).toBe(200)
    for (const wrong of [
      { ...good, senha: 'outra' },
      { ...good, usuario: 'root' },
    ]) {
      const refused = await (await client(wrong)).request('DESCRIBE', url(1))
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toMatch(autenticacao === 'basic' ? /^Basic / : /^Digest /)
    }
  })

  it('requires a login before it reports whether an address exists', async () => {
    const { client, url } = await start()
    const stranger = await client()
    for (const uri of [url(1), url(2), url(77), `${url(1)}x`, 'rtsp://h/nada', '*'])
      for (const method of ['DESCRIBE', 'SETUP', 'PLAY', 'TEARDOWN', 'GET_PARAMETER'])
        expect((await stranger.request(method, uri)).status).toBe(401)
    expect((await stranger.request('OPTIONS', url(1))).headers.get('public')).toContain('GET_PARAMETER')
  })

  it('accepts every client when no user is configured', async () => {
    const simulator = createSimulator({ porta: 0, canais })
    running.push(simulator)
    const { porta } = await simulator.start()
    const guest = await connectClient(porta)
    clients.push(guest)
    await play(guest, `rtsp://127.0.0.1:${porta}/Streaming/Channels/101`)
    await receive(guest, 3)
  })

  it('reports an expired nonce as stale, and accepts the new one during a session', async () => {
    const { client, url } = await start({ nonceExpiraS: 0.2 })
    const viewer = await client(good)
    const session = await play(viewer, url(1))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await viewer.request('GET_PARAMETER', url(1), { Session: session })).status).toBe(200)
  })
})

describe('addresses', () => {
  it.each(nomesFabricantes)('%s', async (fabricante) => {
    const { client, porta } = await start()
    const single = fabricante === 'tplink' || fabricante === 'positivo'
    for (const stream of ['principal', 'sub'] as const) {
      const address = { host: '127.0.0.1', porta, ...good, canal: single ? 1 : 3 }
      // Clients do not send the userinfo.
      const uri = streamUrl(fabricantes[fabricante][stream], address).replace(/\/\/[^/@]*@/, '//')
      const inPath = fabricante === 'xm' || fabricante === 'giga'
      const viewer = await client(inPath ? undefined : good)
      const described = await viewer.request('DESCRIBE', uri)
      expect(described.status).toBe(200)
      const expected = single || stream === 'sub' ? 'h264' : 'h265'
      expect(parseSdp(described.body).video).toMatchObject({ codec: expected, resolucao: '384x288' })
      await play(viewer, uri)
      await receive(viewer, 2)
    }
  })

  it.each(['xm', 'giga'] as const)('%s checks the password in the path', async (fabricante) => {
    const { client, porta } = await start()
    const address = { host: '127.0.0.1', porta, ...good, canal: 1 }
    for (const wrong of [{ senha: 'outra' }, { usuario: 'root' }, { senha: '' }]) {
      const uri = streamUrl(fabricantes[fabricante].sub, { ...address, ...wrong })
      expect((await (await client(good)).request('DESCRIBE', uri)).status).toBe(401)
    }
  })
})

describe('empty channels', () => {
  it.each([
    ['vazio_404', 404],
    ['vazio_454', 454],
    ['vazio_503', 503],
  ] as const)('%s', async (canalVazio, status) => {
    const { client, url } = await start({ canalVazio })
    for (const canal of [2, 9]) expect((await (await client(good)).request('DESCRIBE', url(canal))).status).toBe(status)
    expect((await (await client(good)).request('SETUP', `${url(2)}/trackID=0`, TCP)).status).toBe(status)
  })

  it('supports sem_video as the answer of all channels or as the fault of one channel', async () => {
    const { client, url } = await start({ canalVazio: 'sem_video', defeitos: { 1: 'vazio_503', 12: 'vazio_454' } })
    const described = await (await client(good)).request('DESCRIBE', url(2))
    expect(described.status).toBe(200)
    expect(parseSdp(described.body).video).toBeNull()
    expect((await (await client(good)).request('SETUP', `${url(2)}/trackID=0`, TCP)).status).toBe(404)
    expect((await (await client(good)).request('DESCRIBE', url(1))).status).toBe(503)
    expect((await (await client(good)).request('DESCRIBE', url(12))).status).toBe(454)
  })
})

describe('sessions', () => {
  it('refuses requests that the state of the session does not allow', async () => {
    const { client, url } = await start()
    const viewer = await client(good)
    const setup = (headers: Record<string, string>) => viewer.request('SETUP', `${url(1)}/trackID=0`, headers)
    expect((await viewer.request('PLAY', url(1), { Session: 'x' })).status).toBe(454)
    expect((await viewer.request('RECORD', url(1))).status).toBe(501)
    expect((await viewer.request('DESCRIBE', url(1), { Require: 'onvif-replay' })).status).toBe(551)
    expect((await viewer.request('DESCRIBE', url(1), { Accept: 'text/html' })).status).toBe(406)
    expect((await setup({})).status).toBe(461)
    expect((await setup({ ...TCP, Session: 'x' })).status).toBe(454)
    const session = await play(viewer, url(1))
    expect((await setup({ ...TCP, Session: session })).status).toBe(455)
    expect(await viewer.request('DESCRIBE', url(1), { CSeq: 'x' }).catch(() => null)).toBeNull()
  })

  it('ends a session with TEARDOWN and allows a new one on the same connection', async () => {
    const { client, url } = await start()
    const viewer = await client(good)
    const session = await play(viewer, url(1))
    await receive(viewer, 3)
    expect((await viewer.request('TEARDOWN', url(1), { Session: session })).status).toBe(200)
    expect((await viewer.request('PLAY', url(1), { Session: session })).status).toBe(454)
    const count = viewer.packets.length
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(viewer.packets.length).toBe(count)
    expect(await play(viewer, url(3))).not.toBe(session)
    await waitFor('packets again', () => viewer.packets.length > count)
  })

  it('gives every client its own session', async () => {
    const { client, url } = await start()
    const viewers = await Promise.all(Array.from({ length: 8 }, () => client(good)))
    const sessions = await Promise.all(viewers.map((viewer, i) => play(viewer, url(i % 2 === 0 ? 1 : 3))))
    expect(new Set(sessions).size).toBe(8)
    for (const viewer of viewers) await receive(viewer, 3)
    const foreign = await viewers[0]?.request('TEARDOWN', url(1), { Session: sessions[1] ?? '' })
    expect(foreign?.status).toBe(454)
  })

  it('ends the session of a silent client, and keeps the session of an active one', async () => {
    const { client, url } = await start({ sessaoExpiraS: 1 })
    const [silent, asking, reporting] = [await client(good), await client(good), await client(good)]
    const session = await play(asking, url(1))
    await play(silent, url(1))
    await play(reporting, url(1))
    const alive = setInterval(() => {
      void asking.request('GET_PARAMETER', url(1), { Session: session })
      // An empty receiver report on the RTCP channel.
      reporting.socket.write(Buffer.from([0x24, 1, 0, 8, 0x80, 201, 0, 1, 0, 0, 0, 1]))
    }, 200)
    await waitFor('the silent client to be disconnected', () => silent.closed)
    await new Promise((resolve) => setTimeout(resolve, 700))
    clearInterval(alive)
    expect([asking.closed, reporting.closed]).toEqual([false, false])
  })

  it('limits the number of parallel clients', async () => {
    const { client, url } = await start({ maxConexoes: 2 })
    const first = await client(good)
    const second = await client(good)
    expect((await second.request('OPTIONS', url(1))).status).toBe(200)
    const third = await client(good)
    await waitFor('the third to be disconnected', () => third.closed)
    first.close()
    await waitFor('a free place', async () => {
      const next = await client(good)
      return (await next.request('OPTIONS', url(1)).catch(() => null))?.status === 200
    })
  })
})
