import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createStreamReader, type StreamReaderOptions } from './stream-reader.ts'
import { playFootage } from './test-peer/footage.ts'
import type { RtpWriter } from './test-peer/rtp-writer.ts'
import { type Peer, type PeerOptions, type Reaction, sdpOf, startRtspPeer } from './test-peer/rtsp-peer.ts'

const peers: Peer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

const read = (options: StreamReaderOptions): Promise<unknown> =>
  createStreamReader({ openTimeoutMs: 600, stallTimeoutMs: 400, ...options }).run(
    { onInfo: () => {}, onFrame: () => {} },
    AbortSignal.timeout(15_000),
  )

const clients = ['ffmpeg', 'own'] as const

/** The ends of both clients. */
async function against(options: PeerOptions): Promise<unknown[]> {
  const ends: unknown[] = []
  for (const client of clients) {
    const peer = await startRtspPeer(options)
    peers.push(peer)
    ends.push(await read({ url: peer.url('stream'), client }))
  }
  return ends
}

const at = (method: string, reaction: Reaction): PeerOptions => ({
  react: (request) => (request.method === method ? reaction : 'regular'),
})
const says = (answer: (connection: Socket) => void): PeerOptions => ({
  connected: (connection) => {
    answer(connection)
    return true
  },
})
/** Calls `send` every few milliseconds until the connection closes. */
const repeat = (connection: Socket, send: () => void) => {
  const timer = setInterval(() => (connection.destroyed ? clearInterval(timer) : send()), 10)
}
/**
 * The data of 10 ms at 2 Mbit/s. The demuxer joins many of them into one packet; single ones might exceed the stall
 * timeout.
 */
const garbage = (rtp: RtpWriter) => {
  for (let i = 0; i < 8; i++) rtp.payload(randomBytes(300), Date.now())
}
const failure = (code: string, detail: string | null = null) => ({ failure: code, detail })
const audioSdp = 'v=0\r\ns=x\r\nt=0 0\r\nm=audio 0 RTP/AVP 0\r\na=control:track1\r\n'
const codecSdp = (name: string) => sdpOf('h264').replace('H264', name)
const http = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'

describe('an open fails because of', () => {
  it('a wrong password, tried once only', async () => {
    for (const client of clients) {
      const peer = await startRtspPeer({ credentials: { user: 'admin', password: 'right' } })
      peers.push(peer)
      expect(await read({ url: peer.url('stream', 'admin:wrong'), client })).toEqual(failure('senha_recusada'))
      expect(peer.requests.filter((request) => request.headers.authorization)).toHaveLength(1)
    }
  })

  it.each<[string, PeerOptions, ReturnType<typeof failure>, ReturnType<typeof failure>?]>([
    [
      'forbidden',
      at('DESCRIBE', { status: '403 Forbidden' }),
      failure('senha_recusada'),
      failure('senha_recusada', 'respondeu 403 a DESCRIBE'),
    ],
    ['no such stream', at('DESCRIBE', { status: '404 Not Found' }), failure('nao_encontrado')],
    [
      'too many clients',
      at('SETUP', { status: '503 Service Unavailable' }),
      failure('equipamento_ocupado', 'respondeu com um erro de 500 a 599'),
      failure('equipamento_ocupado', 'respondeu 503 a SETUP'),
    ],
    [
      'another error',
      at('SETUP', { status: '453 Not Enough Bandwidth' }),
      failure('sem_video', 'respondeu com um erro de 402 a 499'),
      failure('equipamento_ocupado', 'respondeu 453 a SETUP'),
    ],
    [
      'transport refused',
      at('SETUP', { status: '461 Unsupported Transport' }),
      failure('transporte_recusado'),
      failure('transporte_recusado', 'respondeu 461 a SETUP'),
    ],
    ['accepts and never answers', says(() => {}), failure('sem_resposta')],
    ['mute at DESCRIBE', at('DESCRIBE', 'mute'), failure('sem_resposta')],
    ['mute at PLAY', at('PLAY', 'mute'), failure('sem_resposta')],
    ['closes at DESCRIBE', at('DESCRIBE', 'hang-up'), failure('fluxo_encerrado')],
    ['closes at PLAY', at('PLAY', 'hang-up'), failure('fluxo_encerrado')],
    ['closes at once', says((connection) => connection.end()), failure('conexao_recusada')],
    ['resets at once', says((connection) => connection.resetAndDestroy()), failure('conexao_recusada')],
    ['answers HTTP', says((connection) => connection.on('data', () => connection.end(http))), failure('nao_e_rtsp')],
    [
      'answers HTTP and stays',
      says((connection) => connection.on('data', () => connection.write(http))),
      failure('nao_e_rtsp'),
    ],
    ['speaks SSH', says((connection) => connection.write('SSH-2.0-OpenSSH_9.2\r\n')), failure('nao_e_rtsp')],
    ['answers garbage', says((connection) => connection.write(randomBytes(2000))), failure('nao_e_rtsp')],
    ['audio only', { sdp: audioSdp }, failure('sem_video')],
    ['an SDP with nothing in it', { sdp: 'v=0\r\ns=x\r\nt=0 0\r\n' }, failure('sem_video')],
    ['an unknown codec', { sdp: codecSdp('X-PRIVATE') }, failure('codec_nao_suportado', 'X-PRIVATE')],
    ['a codec that cameras do not send', { sdp: codecSdp('VP9') }, failure('codec_nao_suportado', 'VP9')],
    ['a codec named to mislead', { sdp: codecSdp('<b>a b</b>') }, failure('codec_nao_suportado', 'bab')],
  ])('%s', async (_name, options, ffmpeg, own = ffmpeg) => {
    expect(await against(options)).toEqual([ffmpeg, own])
  })

  it('no listener', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    const port = typeof address === 'object' ? address?.port : 0
    for (const client of clients)
      expect(await read({ url: `rtsp://127.0.0.1:${port}/x`, client })).toEqual(failure('conexao_recusada'))
  })

  it('an unresolved name', async () => {
    for (const client of clients)
      expect(await read({ url: 'rtsp://camera.invalid/x', client })).toEqual(failure('nome_nao_resolvido'))
  })

  it.each(['http://127.0.0.1/x', 'concat:a|b', 'rtsp://', ''])('an unusable address: %j', async (url) => {
    expect(await read({ url })).toEqual(failure('url_ilegivel'))
  })
})

describe('a playing stream fails because of', () => {
  it.each<[string, PeerOptions, string]>([
    ['nothing after PLAY', {}, 'sem_quadros'],
    ['reports but no pictures', { play: (rtp, c) => repeat(c, () => rtp.senderReport(1.7e9, 1)) }, 'sem_quadros'],
    ['garbage past all framing', { play: (rtp, c) => repeat(c, () => rtp.raw(randomBytes(2000))) }, 'sem_quadros'],
    ['garbage in RTP', { play: (rtp, c) => repeat(c, () => garbage(rtp)) }, 'dados_invalidos'],
    [
      'garbage marked as a keyframe',
      {
        play: (rtp, c) =>
          repeat(c, () => rtp.payload(Buffer.concat([Buffer.from([0x65]), randomBytes(300)]), Date.now())),
      },
      'dados_invalidos',
    ],
    ['closes', { play: (rtp, c) => void playFootage(rtp, c, { count: 15 }).then(() => c.end()) }, 'fluxo_encerrado'],
    [
      'resets',
      { play: (rtp, c) => void playFootage(rtp, c, { count: 15 }).then(() => c.resetAndDestroy()) },
      'fluxo_encerrado',
    ],
    ['stops sending', { play: (rtp, c) => void playFootage(rtp, c, { count: 15 }) }, 'video_parado'],
    [
      'turns to garbage',
      {
        play: (rtp, c) => void playFootage(rtp, c, { count: 15 }).then(() => repeat(c, () => garbage(rtp))),
      },
      'dados_invalidos',
    ],
  ])('%s', async (_name, options, code) => {
    expect(await against(options)).toEqual([failure(code), failure(code)])
  })
})

describe('files without video', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigia-video-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('missing, empty, garbage, or a playlist with other files', async () => {
    const file = async (name: string, content: string | Buffer): Promise<string> => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    }
    expect(await read({ url: join(folder, 'none.mp4') })).toEqual(failure('nao_encontrado'))
    expect(await read({ url: await file('empty.mp4', '') })).toEqual(failure('dados_invalidos'))
    expect(await read({ url: await file('garbage.mp4', randomBytes(5000)) })).toEqual(failure('dados_invalidos'))
    const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:1/a.ts\n#EXT-X-ENDLIST\n'
    expect(await read({ url: await file('list.m3u8', playlist) })).toEqual(failure('dados_invalidos'))
    const script = `ffconcat version 1.0\nfile '/etc/hostname'\n`
    expect(await read({ url: await file('list.ffconcat', script) })).toEqual(failure('dados_invalidos'))
  })
})
