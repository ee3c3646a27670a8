import { playbackUrl, type RecorderClock } from '@vigia/rtsp/playback-urls'
import { type PullOptions, pullRecording } from '@vigia/rtsp/pull-recording'
import { type EncodedVideo, readAccessUnits } from '@vigia/video/testing/access-units'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordedUnits } from './rtp/recorded-units.ts'
import type { ArchiveSettings } from './rtsp/archive.ts'
import { replayPath } from './rtsp/channels.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import { footageFile } from './test/clips.ts'

/** 20 pictures of 10 Hz in each group of pictures. */
const CLIP = footageFile('campus-b-sub.mp4')
const START = Date.UTC(2026, 0, 1, 3, 0, 0)
const atSecond = (second: number) => START + second * 1000
const held = [{ inicio: START, fim: atSecond(600) }]
const utc: RecorderClock = { offsetMs: 0, zoneMin: 0, zIsLocal: false }
const live = { dahua: '/cam/realmonitor?channel=1&subtype=0', hikvision: '/Streaming/Channels/101' } as const

let video: EncodedVideo
const started: Simulator[] = []
beforeAll(async () => {
  video = await readAccessUnits(CLIP)
})

afterAll(() => Promise.all(started.map((one) => one.stop())))

async function record(gravacao: Partial<ArchiveSettings>) {
  const credentials = { usuario: 'admin', senha: 'senha-1' }
  const simulator = createSimulator({
    porta: 0,
    canais: [{ principal: CLIP }],
    ...credentials,
    gravacao: { trechos: held, ...gravacao },
  })
  started.push(simulator)
  const { porta } = await simulator.start()
  return { simulator, base: `rtsp://admin:senha-1@127.0.0.1:${porta}` }
}

async function pull(url: string, from: number, to: number, options: Partial<PullOptions> = {}) {
  const pictures: string[] = []
  const pulled = await pullRecording({
    url,
    span: { fromMs: atSecond(from), toMs: atSecond(to) },
    silenceMs: 1000,
    signal: AbortSignal.timeout(20_000),
    onParameters() {},
    onAccessUnit: ({ nals }) => pictures.push(nals.at(-1)?.toString('base64') ?? ''),
    ...options,
  })
  return { ...pulled, pictures }
}

/** Pictures of the archive from second `from` up to second `to`. */
const recorded = (from: number, to: number, spans: ArchiveSettings['trechos'] = held): string[] => {
  const found: string[] = []
  for (const { unit, atMs } of recordedUnits(video, spans, atSecond(from))) {
    if (atMs >= atSecond(to)) break
    found.push(unit.nals.at(-1)?.toString('base64') ?? '')
  }
  return found
}

const urlOf = (base: string, maker: keyof typeof live, from: number, to: number, clock = utc) =>
  playbackUrl(`${base}${live[maker]}`, { fromMs: atSecond(from), toMs: atSecond(to) }, clock) ?? ''

describe.concurrent('the archive of a recorder', () => {
  it.each([
    ['Dahua, which names its wall clock', 'dahua', { fusoMin: -180 }, { zoneMin: -180 }],
    ['Hikvision with Z as UTC', 'hikvision', { fusoMin: -180, relogioS: 40 }, { zoneMin: -180, offsetMs: 40_000 }],
    ['Hikvision with Z as wall clock', 'hikvision', { fusoMin: 480, z: 'local' }, { zoneMin: 480, zIsLocal: true }],
  ] as const)('%s: gives the pictures of the wanted time', async (_name, maker, settings, clock) => {
    const { base } = await record(settings)
    const url = urlOf(base, maker, 300, 301, { ...utc, ...clock })
    const { end, pictures } = await pull(url, 300, 301)
    // Dahua ends at the requested time itself; Hikvision plays on, and the client stops.
    expect(end).toBe('complete')
    expect(pictures).toEqual(recorded(300, 301))
    expect(pictures).toHaveLength(10)
  })

  it('answers 453 to a second session, and 404 where nothing is recorded', async () => {
    const { base, simulator } = await record({})
    const url = urlOf(base, 'hikvision', 0, 2)
    const playing = Promise.withResolvers<void>()
    const first = pull(url, 0, 2, { onAccessUnit: () => playing.resolve() })
    await playing.promise
    expect((await pull(url, 0, 2)).end).toMatchObject({ status: 453 })
    await first
    expect((await pull(urlOf(base, 'dahua', 4000, 4001), 4000, 4001)).end).toMatchObject({ status: 404 })
    expect(simulator.contagem).toMatchObject({ reproducoes_max: 1, reproducoes_recusadas: 1, conexoes: 0 })
  })

  it('ends at a gap of unknown length', async () => {
    const trechos = [
      { inicio: START, fim: atSecond(1) },
      { inicio: atSecond(100), fim: atSecond(200) },
    ]
    const { base } = await record({ trechos })
    const { end, pictures } = await pull(urlOf(base, 'hikvision', 0, 150), 0, 150)
    expect(end).toBe('short')
    expect(pictures).toEqual(recorded(0, 1, trechos))
  })

  it('ONVIF replay: times in the packets lead over a gap, faster than time', async () => {
    // Played in real time, this is longer than `pull` waits.
    const trechos = [
      { inicio: START, fim: atSecond(30) },
      { inicio: atSecond(100), fim: atSecond(104) },
    ]
    const { base } = await record({ trechos, relogioS: -3600 })
    const { end, pictures } = await pull(`${base}${replayPath(1, 'principal')}`, 0, 102, {
      range: 'clock=20260101T030000Z-',
      require: 'onvif-replay',
      rateControl: false,
      offsetMs: -3_600_000,
    })
    expect(end).toBe('complete')
    expect(pictures).toEqual(recorded(0, 102, trechos))
  })

  it('is silent behind its last picture', async () => {
    const { base } = await record({ trechos: [{ inicio: START, fim: atSecond(1) }] })
    expect(await pull(urlOf(base, 'hikvision', 0, 60), 0, 60)).toMatchObject({ end: 'short', units: 10 })
  })
})
