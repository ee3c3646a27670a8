import { readTracks } from '@vigia/video/test-peer/read-tracks'
import { expect, it } from 'vitest'
import { type AudioKind, audioKinds } from './rtp/audio.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import { footageFile } from './test/clips.ts'
import { connectClient } from './test/rtsp-client.ts'

const formats = {
  pcma: { codec: 'pcm_alaw', sampleRate: 8000, bytes: 160 },
  pcmu: { codec: 'pcm_mulaw', sampleRate: 8000, bytes: 160 },
  aac: { codec: 'aac', sampleRate: 16_000, bytes: null },
  latm: { codec: 'aac', sampleRate: 16_000, bytes: null },
} as const

async function withSimulator(audio: AudioKind | null, work: (url: string, simulator: Simulator) => Promise<void>) {
  const canais = [{ principal: footageFile('campus-b-sub.mp4') }]
  const simulator = createSimulator({ porta: 0, canais, ...(audio && { audio }) })
  const { porta } = await simulator.start()
  await work(`rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=1&subtype=0`, simulator)
  await simulator.stop()
}

it.each(audioKinds)('sends a tone as %s beside the video, over TCP and UDP', async (kind) => {
  await withSimulator(kind, async (url, simulator) => {
    for (const transport of ['tcp', 'udp'] as const) {
      const { codec, sampleRate, bytes } = formats[kind]
      const found = await readTracks(url, transport, 10)
      expect(found).toMatchObject({ codec, sampleRate })
      if (bytes !== null) expect(new Set(found.sizes)).toEqual(new Set([bytes]))
    }
    expect(simulator.contagem?.audios).toBe(2)
  })
})

it('has no audio track by default', async () => {
  await withSimulator(null, async (url) => {
    const client = await connectClient(Number(new URL(url).port))
    expect((await client.request('DESCRIBE', url)).body).not.toContain('m=audio')
    const Transport = 'RTP/AVP/TCP;unicast;interleaved=2-3'
    expect((await client.request('SETUP', `${url}/trackID=1`, { Transport })).status).toBe(404)
    client.close()
  })
})
