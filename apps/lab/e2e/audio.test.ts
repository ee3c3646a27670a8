import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AudioCamera } from '@vigia/contracts/audio'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import type { Api } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { openLiveViewer } from '@vigia/testing/live-viewer'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { inspectMp4 } from '@vigia/video/test-peer/inspect-mp4'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Cameras that send audio, with the whole product. The order matters. */

const PATIENT = { timeoutMs: 120_000 }
let recorder: RecorderProcess
let vigia: Installation
let api: Api
let camera: Camera

beforeAll(async () => {
  const started = await Promise.all([startRecorder({ argumentos: ['--audio', 'pcma'] }), startInstallation()])
  recorder = started[0]
  vigia = started[1]
  api = await vigia.signIn()
  const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Som' })
  camera = await api.call<Camera>('POST', '/cameras', {
    nome: 'Pátio',
    empresa_id: empresa.id,
    rtsp_url: recorder.url(1),
    sub_rtsp_url: recorder.url(1, 'sub'),
  })
  await waitFor('the camera', async () => (await api.get<Camera>(`/cameras/${camera.id}`)).status === 'online', PATIENT)
})

afterAll(async () => {
  await vigia.close()
  await recorder.close()
})

/** How often the name of a box stands in a file. Coded video contains it by chance once in 4 GB. */
const count = (bytes: Buffer, name: string): number => bytes.toString('latin1').split(name).length - 1

interface Watched {
  readonly codecs: unknown
  readonly header: Buffer
  readonly parts: Buffer
}

const PARTS = 16

/** An init segment and the parts behind it, as a viewer gets them. A switch ends the streams under way. */
async function watch(fluxo: string): Promise<Watched> {
  for (;;) {
    const viewer = openLiveViewer(api.base, api.token, camera.id, `?fluxo=${fluxo}`)
    const ended = viewer.closed.then(() => false)
    const isComplete = await Promise.race([
      viewer.until(PARTS).then(
        () => true,
        () => false,
      ),
      ended,
    ])
    viewer.close()
    const codecs = viewer.texts.findLast(({ tipo }) => tipo === 'inicio')?.codecs
    const { header, parts } = viewer
    if (isComplete) return { codecs, header: header ?? Buffer.alloc(0), parts: Buffer.concat(parts) }
  }
}

const fetched = async (path: string): Promise<Buffer> => {
  const answer = await api.fetch(path.replace(/^\/api\/v1/, ''))
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** The newest init segment of an HLS playlist, and the parts behind it. */
async function playlist(): Promise<Buffer> {
  const { hls_url: url } = await api.get<{ hls_url: string }>(`/cameras/${camera.id}/hls_url`)
  const whole = (await fetched(url)).toString()
  const text = whole.slice(whole.lastIndexOf('#EXT-X-MAP'))
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  const names = [/#EXT-X-MAP:URI="([^"]+)"/g, /#EXT-X-PART:[^\n]*URI="([^"]+)"/g].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  )
  return Buffer.concat(await Promise.all(names.map((name) => fetched(folder + name))))
}

/** The clip of an event after `since`. */
async function clipOfEvent(since: number): Promise<Buffer> {
  const evento = await waitFor(
    'an event with its clip',
    async () => {
      const list = await api.get<Evento[]>(`/events?camera_id=${camera.id}`)
      return list.find(({ clip_url, ocorrido_em }) => clip_url !== null && Date.parse(ocorrido_em) > since)
    },
    PATIENT,
  )
  return await fetched(evento.clip_url ?? '')
}

const view = () => api.get<AudioCamera>(`/cameras/${camera.id}/audio`)

async function expectSilent(): Promise<void> {
  for (const fluxo of ['secundario', 'principal']) {
    const { codecs, header, parts } = await watch(fluxo)
    expect(codecs).toMatch(/^avc1\.\w+$/)
    expect([count(header, 'trak'), count(header, 'soun'), count(header, 'mp4a')]).toEqual([1, 0, 0])
    expect(count(parts, 'traf')).toBe(count(parts, 'moof'))
  }
}

async function expectHeard(file: Buffer): Promise<void> {
  const { audio, messages } = await inspectMp4(file)
  expect(messages).toEqual([])
  expect(audio).toMatchObject({ codec: 'aac', sampleRate: 8_000, gaps: 0 })
  // The tone of the simulator.
  expect(Math.max(...(audio?.samples.slice(4_000) ?? []))).toBeGreaterThan(0.2)
}

it('lets no audio leave the box unless an administrator switches it on', async () => {
  await expectSilent()
  const clip = await clipOfEvent(0)
  expect([count(clip, 'trak'), count(clip, 'soun'), count(clip, 'mp4a')]).toEqual([1, 0, 0])
  const folder = join(vigia.edgeDir, 'clipes')
  for (const name of await readdir(folder).catch(() => []))
    expect(count(await readFile(join(folder, name)), 'soun')).toBe(0)
  // The box does not even ask the camera for it.
  expect((await recorder.counts()).audios).toBe(0)
})

/** As `watch`, again while the box leaves out parts, as one without processor time does: then the audio has gaps. */
async function watchWhole(fluxo: string): Promise<{ readonly codecs: unknown; readonly file: Buffer }> {
  for (;;) {
    const { codecs, header, parts } = await watch(fluxo)
    const file = Buffer.concat([header, parts])
    if (((await inspectMp4(file)).audio?.gaps ?? 0) === 0) return { codecs, file }
  }
}

it('sends audio live and in clips after the switch, and not into the continuous recording', async () => {
  await api.call('PUT', `/cameras/${camera.id}/gravacao-continua`, { ligada: true })
  await api.call('PUT', `/cameras/${camera.id}/audio`, { ligado: true })
  await waitFor('the audio', async () => (await view()).situacao === 'enviando', PATIENT)
  const since = Date.now() + 6_000
  for (const fluxo of ['secundario', 'principal']) {
    const { codecs, file } = await watchWhole(fluxo)
    expect(codecs).toMatch(/^avc1\.\w+,mp4a\.40\.2$/)
    await expectHeard(file)
  }
  await expectHeard(await playlist())
  await expectHeard(await clipOfEvent(since))
  const recorded = await waitFor(
    'a recorded file',
    async () => {
      const names = await readdir(vigia.edgeDir, { recursive: true })
      const files = await Promise.all(
        names
          .filter((name) => /gravac|contin/.test(name))
          .map((name) => readFile(join(vigia.edgeDir, name)).catch(() => null)),
      )
      const held = files.filter((file) => file !== null && count(file, 'moof') > 5)
      return held.length > 0 && held
    },
    PATIENT,
  )
  for (const file of recorded)
    expect([count(file ?? Buffer.alloc(0), 'soun'), count(file ?? Buffer.alloc(0), 'mp4a')]).toEqual([0, 0])
})

it('sends no audio as soon as it is switched off', async () => {
  await api.call('PUT', `/cameras/${camera.id}/audio`, { ligado: false })
  await waitFor(
    'the camera without audio',
    async () => {
      const { codecs } = await watch('secundario')
      return typeof codecs === 'string' && !codecs.includes('mp4a')
    },
    PATIENT,
  )
  await expectSilent()
})
