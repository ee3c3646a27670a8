import { createSocket } from 'node:dgram'
import type { RtpLosses } from '@vigia/rtsp/client'
import { fixture } from '@vigia/testing/fixture'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import { describe, expect, it } from 'vitest'
import { faultServers, type Watched } from './test/own-client.ts'

const H264 = 'campus-b-sub.mp4'
const H265 = 'campus-c-h265.mp4'
const servers = fixture(faultServers)
const start: typeof servers.start = (options) => servers.start(options)

const coded = (video: EncodedVideo): Set<string> =>
  new Set(video.units.map(({ nals }) => Buffer.concat([...nals]).toString('latin1')))

/** Every unit has the bytes of a picture of the clip. */
function expectPictures({ units }: Watched, video: EncodedVideo) {
  const known = coded(video)
  for (const { nals } of units) {
    const slices = nals.filter((nal) => !video.parameterSets.some((set) => set.equals(nal)))
    expect(known.has(Buffer.concat(slices).toString('latin1'))).toBe(true)
  }
}

describe.concurrent.each([H264, H265])('the own client over UDP with %s', (principal) => {
  it('plays a camera that offers only UDP, without a setting', async () => {
    const { video, watch } = await start({ principal, defeito: 'udp_so' })
    const watched = await watch({ count: 45 })
    expect(watched).toMatchObject({ end: 'aborted', transport: 'udp' })
    expect(watched.units.some(({ discontinuity }) => discontinuity)).toBe(false)
    expectPictures(watched, video)
  })

  it('puts packets in order and drops copies', async () => {
    const { video, watch } = await start({ principal, defeito: 'fora_de_ordem' })
    const watched = await watch({ count: 45, transport: 'udp' })
    expect(watched).toMatchObject({ end: 'aborted', transport: 'udp' })
    expect(watched.units.some(({ discontinuity }) => discontinuity)).toBe(false)
    expectPictures(watched, video)
  })

  it('resumes at a keyframe after a lost packet', async () => {
    const { video, watch } = await start({ principal, defeito: { defeito: 'perde_pacotes', quadros: 27 } })
    const watched = await watch({ count: 60, transport: 'udp' })
    const marked = watched.units.filter(({ discontinuity }) => discontinuity)
    expect(marked.length).toBeGreaterThanOrEqual(1)
    expect(marked.every(({ keyframe }) => keyframe)).toBe(true)
    expectPictures(watched, video)
  })
})

describe.concurrent('the own client', () => {
  it.each([
    ['perde_pacotes', 'udp', true],
    ['udp_so', 'udp', false],
  ] as const)('counts the packets that are missing: %s', async (defeito, transport, isLossy) => {
    const quirk = defeito === 'perde_pacotes' ? ({ defeito, quadros: 27 } as const) : defeito
    const { watch } = await start({ principal: H264, defeito: quirk })
    const stop = new AbortController()
    const seen: RtpLosses[] = []
    // The first report has one packet. The second one follows after some seconds.
    const onLosses = (losses: RtpLosses) => {
      seen.push(losses)
      if (seen.length > 1) stop.abort()
    }
    await watch({ count: 1_000_000, transport, onLosses, signal: stop.signal })
    const [first, second] = seen
    expect(first).toEqual({ lost: 0, received: 1, jitterMs: 0 })
    expect(second?.received).toBeGreaterThan(100)
    expect((second?.lost ?? 0) > 0).toBe(isLossy)
    expect(second?.jitterMs).toBeGreaterThan(0)
  })

  it.each([
    ['udp', 'tcp_so', 'transporte_recusado'],
    ['tcp', 'udp_so', 'transporte_recusado'],
    ['auto', 'tcp_sem_pacotes', 'sem_quadros'],
  ] as const)('ends with a reason: %s at a camera with %s', async (transport, defeito, failure) => {
    const { watch } = await start({ principal: H264, defeito })
    const { end } = await watch({ count: 1, transport, stallTimeoutMs: 500 })
    expect(end).toMatchObject({ failure })
  })

  it('gets the packets of a server that sends over UDP only', async () => {
    const { watch } = await start({ principal: H264, defeito: 'tcp_sem_pacotes' })
    expect(await watch({ count: 5, transport: 'udp' })).toMatchObject({ end: 'aborted', transport: 'udp' })
  })

  it('ignores datagrams of other addresses', async () => {
    const { watch } = await start({ principal: H264, defeito: 'trava' })
    const stranger = createSocket('udp4')
    await new Promise<void>((resolve) => stranger.bind(0, '127.0.0.9', resolve))
    // The ports of the client are not known here: all ephemeral ports, in turns.
    const packet = Buffer.from('80e0000000000000deadbeef65', 'hex')
    let begin = 32_768
    const flood = setInterval(() => {
      for (let port = begin; port < begin + 1000; port += 1) stranger.send(packet, port, '127.0.0.1', () => {})
      begin = begin + 1000 > 60_000 ? 32_768 : begin + 1000
    }, 5)
    const watched = await watch({ count: 60, transport: 'udp', stallTimeoutMs: 1500 })
    clearInterval(flood)
    stranger.close()
    expect(watched.end).toMatchObject({ failure: 'video_parado' })
    expect(watched.units.some(({ discontinuity }) => discontinuity)).toBe(false)
  })
})
