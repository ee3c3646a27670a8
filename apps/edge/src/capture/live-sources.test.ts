import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { type ClientChoice, createClientChoice, type RtspClient } from '@vigia/video/client-choice'
import { createConnection } from '@vigia/video/connection'
import { createMask } from '@vigia/video/mask'
import { createRing } from '@vigia/video/readers/ring'
import { playFootage } from '@vigia/video/test-peer/footage'
import { sdpOf, startRtspPeer } from '@vigia/video/test-peer/rtsp-peer'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { flatHalvesOfFile } from '../testing/flat-halves.ts'
import { createFurtherStreams } from './further-streams.ts'
import { createLiveSources, type LiveSources } from './live-sources.ts'
import type { LiveCamera } from './stream-order.ts'

const dir = temporaryFolder('vigia-live-')
let recorder: RecorderProcess
let live: LiveSources | null = null
beforeAll(async () => {
  recorder = await startRecorder({ argumentos: ['--max-conexoes', '1'] })
})
afterEach(() => live?.endAll())
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await recorder.close()
})

function open(client: RtspClient | ClientChoice = 'own') {
  const records: RegistroTransmissao[] = []
  const ended: string[] = []
  live = createLiveSources({
    streams: createFurtherStreams(createOwnSlots(createHostSlots(2))),
    rtspClient: () => client,
    log: pino({ level: 'silent' }),
    onRecord: (_id, registro) => records.push(registro),
    onEnded: (id, falha, causa) =>
      ended.push([id, falha, ...(causa ? [causa.motivo, causa.complemento] : [])].join(' ')),
  })
  const camera: LiveCamera = {
    fontes: { rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') },
    mask: null,
    audio: false,
    session: {
      choice: 'sub',
      attach: () => () => {},
      status: () => ({ online: true, failure: null, fps: null, keyframeIntervalMs: null }) as never,
    },
    newestGroup: () => null,
  }
  const order = (id: string) => ({ id, cameraId: 1, fluxo: 'principal', partMs: 250 }) as const
  return { live, records, ended, camera, order }
}

it('opens the other stream only while it is ordered, and reports a recorder without a free connection', async () => {
  const { live, records, ended, camera, order } = open()
  live.start(order('a'), camera)
  await waitFor('three parts', () => records.filter(({ tipo }) => tipo === 'parte').length >= 3)
  expect(records[0]?.tipo).toBe('inicio')
  const instants = records.flatMap((one) => (one.tipo === 'parte' ? [one.instante] : []))
  expect(Math.abs((instants.at(-1) ?? 0) - Date.now())).toBeLessThan(3000)
  // Another reader of the stream shares its connection.
  live.start(order('shared'), camera)
  await waitFor('the header', () => records.filter(({ tipo }) => tipo === 'inicio').length === 2)
  live.end('shared')
  live.start(order('b'), { ...camera, fontes: { ...camera.fontes, rtsp_url: `${recorder.url(1)}&` } })
  await waitFor('the refusal', () => ended.length > 0)
  expect(ended).toEqual(['b sem_conexao_livre'])
  live.end('a')
  await waitFor('the recorder to be free', async () => (await recorder.counts()).conexoes === 0)
  const { length } = records
  live.start(order('c'), camera)
  await waitFor('the stream', () => records.length > length + 3)
})

it("opens the other stream with FFmpeg's client at once when the own client cannot read it", async () => {
  const peer = await startRtspPeer({
    react: ({ method, headers }) =>
      method === 'DESCRIBE' && headers['user-agent'] === 'Vigia'
        ? { bytes: `RTSP/1.0 200 OK\r\nCSeq: ${headers.cseq}\r\nContent-Length: 4\r\n\r\nv=0\n` }
        : 'regular',
    play: (rtp, connection) => void playFootage(rtp, connection, { intervalMs: 20 }),
  })
  onTestFinished(() => peer.close())
  const kept: string[] = []
  const choice = createClientChoice({ first: 'own', kept: [], onKept: ({ url }) => void kept.push(url) })
  const { live, records, ended, camera, order } = open(choice)
  live.start(order('a'), { ...camera, fontes: { ...camera.fontes, rtsp_url: peer.url() } })
  await waitFor('two parts', () => records.filter(({ tipo }) => tipo === 'parte').length >= 2)
  expect(ended).toEqual([])
  expect(kept).toEqual([peer.url()])
})

it.each([
  ['302 Found\r\nLocation: rtsp://127.0.0.2:9/', 'redirecionado respondeu 302 a DESCRIBE: rtsp://127.0.0.2:9'],
  ['404 Not Found', 'nao_encontrado '],
])('says what the device answered to the other stream: %s', async (head, answered) => {
  const peer = await startRtspPeer({
    react: ({ method, headers }) =>
      method === 'DESCRIBE' ? { bytes: `RTSP/1.0 ${head}\r\nCSeq: ${headers.cseq}\r\n\r\n` } : 'regular',
  })
  onTestFinished(() => peer.close())
  const { live, ended, camera, order } = open()
  live.start(order('a'), { ...camera, fontes: { ...camera.fontes, rtsp_url: peer.url() } })
  await waitFor('the refusal', () => ended.length > 0)
  expect(ended).toEqual([`a fluxo_inexistente ${answered}`])
})

it.each([null, 'recusa_audio'])(
  'sends the video with its audio, or without if the recorder refuses it (%s)',
  async (fault) => {
    const heard = await startRecorder({ argumentos: ['--audio', 'pcma'], ...(fault && { defeitos: { 1: fault } }) })
    const { live, records, camera, order } = open('ffmpeg')
    live.start(order('a'), { ...camera, audio: true, fontes: { rtsp_url: heard.url(1), sub_rtsp_url: null } })
    const [first] = await waitFor('the header', () => records.length > 0 && records)
    const codecs = first?.tipo === 'inicio' ? first.descricao.codecs : ''
    expect(codecs.endsWith(',mp4a.40.2')).toBe(fault === null)
    await live.endAll()
    await heard.close()
  },
)

/** The records are a video whose right half is covered. */
async function expectCovered(records: readonly RegistroTransmissao[]) {
  const path = join(dir, 'live.mp4')
  writeFileSync(path, Buffer.concat(records.flatMap((one) => ('dados' in one ? [one.dados] : []))))
  expect(new Set((await flatHalvesOfFile(path)).map(String))).toEqual(new Set(['false,true']))
}
const partsOf = (records: readonly RegistroTransmissao[]) =>
  records.flatMap((one) => (one.tipo === 'parte' ? [one] : []))
const rightHalf = createMask([[0.5, 0, 1, 0, 1, 1, 0.5, 1]])

it.each(['principal', 'secundario'] as const)('sends only a covered copy of a masked camera (%s)', async (fluxo) => {
  const { live, records, camera, order } = open()
  const stop = new AbortController()
  const connection = createConnection({ url: recorder.url(1, 'sub'), client: 'own' })
  const attach: LiveCamera['session']['attach'] = (_choice, reader) => connection.attach(reader)
  live.start({ ...order('a'), fluxo }, { ...camera, mask: rightHalf, session: { ...camera.session, attach } })
  const running = connection.run(stop.signal)
  await waitFor('six parts', () => partsOf(records).length >= 6)
  live.end('a')
  stop.abort()
  await running
  await expectCovered(records)
})

/** A recorder whose clients join a group of two minutes in the middle. */
async function startSmart(): Promise<RecorderProcess> {
  const canais = [fileURLToPath(new URL('../../../dvr-simulator/footage/campus-b-sub.mp4', import.meta.url))]
  const smart = await startRecorder({ canais, defeitos: { 1: { defeito: 'grupo_longo', quadros: 1_200 } } })
  onTestFinished(() => smart.close())
  return smart
}

it('reports a masked camera without a keyframe, and then begins its copy in the middle of a long group', async () => {
  const smart = await startSmart()
  const { live, records, camera, order } = open()
  const stop = new AbortController()
  const connection = createConnection({ url: smart.url(1, 'sub'), client: 'own' })
  const ring = createRing({ spanMs: 60_000, maxBytes: 2 ** 24 })
  connection.attach(ring)
  const attach: LiveCamera['session']['attach'] = (_choice, reader, options) => connection.attach(reader, options)
  const session = { ...camera.session, attach }
  const masked = { ...camera, mask: rightHalf, session, newestGroup: ring.newest }
  live.start(order('a'), masked)
  const running = connection.run(stop.signal)
  await waitFor('the report', () => records.length > 0)
  expect(records).toEqual([{ tipo: 'lacuna' }])
  smart.sendKeyframe(1, 'sub')
  await waitFor('the first copy', () => partsOf(records).length >= 2)
  live.end('a')
  const next = open()
  next.live.start(order('b'), masked)
  await waitFor('six parts', () => partsOf(next.records).length >= 6)
  next.live.end('b')
  stop.abort()
  await running
  expect((await smart.counts()).quadros_chave[0]?.sub).toBe(0)
  expect(Math.abs((partsOf(next.records).at(-1)?.instante ?? 0) - Date.now())).toBeLessThan(3000)
  await expectCovered(next.records)
})

it('reports a stream whose group is larger than the ring, and begins at its next keyframe', async () => {
  const smart = await startSmart()
  const { live, records, camera, order } = open()
  const stop = new AbortController()
  const connection = createConnection({ url: smart.url(1, 'sub'), client: 'own' })
  const ring = createRing({ spanMs: 60_000, maxBytes: 2 ** 10 })
  connection.attach(ring)
  let pictures = 0
  connection.attach({ packet: () => void pictures++ })
  const attach: LiveCamera['session']['attach'] = (_choice, reader, options) => connection.attach(reader, options)
  const running = connection.run(stop.signal)
  await waitFor('the stream', () => connection.seen !== null)
  smart.sendKeyframe(1, 'sub')
  await waitFor('pictures', () => pictures > 5)
  expect(ring.newest()).toBeNull()
  const session = { ...camera.session, attach }
  live.start({ ...order('a'), fluxo: 'secundario' }, { ...camera, session, newestGroup: ring.newest })
  await waitFor('the report', () => records.length > 0)
  expect(records).toEqual([{ tipo: 'lacuna' }])
  smart.sendKeyframe(1, 'sub')
  await waitFor('two parts', () => partsOf(records).length >= 2)
  live.end('a')
  stop.abort()
  await running
})

it('refuses a camera without that stream, and an unknown camera', () => {
  const { live, ended, camera, order } = open()
  const single = { ...camera, fontes: { ...camera.fontes, sub_rtsp_url: null } }
  live.start({ ...order('a'), fluxo: 'secundario' }, single)
  live.start(order('b'), undefined)
  expect(ended).toEqual(['a fluxo_inexistente', 'b camera_desconhecida'])
})

it.each([null, rightHalf])('refuses the analysed stream of a codec that is not packaged (mask: %o)', (mask) => {
  const { live, ended, camera, order } = open()
  const { session } = camera
  const status = () => ({ ...session.status(), codec: 'mjpeg' })
  live.start({ ...order('a'), fluxo: 'secundario' }, { ...camera, mask, session: { ...session, status } })
  expect(ended).toEqual(['a fluxo_inexistente'])
})

it('ends the other stream if only frames of it can be shown, and reads it no further', async () => {
  /** RFC 2435 3.1: type 1, Q 80, 64 x 64 pixels; then the scan. */
  const scan = Buffer.concat([Buffer.from([0, 0, 0, 0, 1, 80, 8, 8]), Buffer.alloc(200, 0x55)])
  const peer = await startRtspPeer({
    sdp: sdpOf('h264').replace('H264', 'JPEG'),
    play(rtp, connection) {
      let pictures = 0
      const timer = setInterval(() => rtp.payload(scan, 9_000 * pictures++), 20)
      connection.on('close', () => clearInterval(timer))
    },
  })
  onTestFinished(() => peer.close())
  const choice = createClientChoice({ first: 'own', kept: [], onKept: () => {} })
  const { live, records, ended, camera, order } = open(choice)
  live.start(order('a'), { ...camera, fontes: { ...camera.fontes, rtsp_url: peer.url() } })
  await waitFor('the end', () => ended.length > 0)
  expect([ended, records]).toEqual([['a fluxo_inexistente'], []])
  await waitFor('the connection to close', () => peer.connections.size === 0)
})

it('opens no connection for an order of the shared stream only', async () => {
  const { live, camera, order } = open()
  const attached: string[] = []
  const attach = (choice: string) => {
    attached.push(choice)
    return () => attached.pop()
  }
  const session = { ...camera.session, choice: 'principal', attach } as LiveCamera['session']
  live.start({ ...order('a'), fluxo: 'secundario', onlyShared: true }, { ...camera, session })
  expect(attached).toEqual(['sub'])
  live.end('a')
  expect(attached).toEqual([])
})
