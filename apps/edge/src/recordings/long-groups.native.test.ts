import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ParteTransmissao } from '@vigia/contracts/transmissao'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pictures, playFootage } from '@vigia/video/test-peer/footage'
import { inspectMp4 } from '@vigia/video/test-peer/inspect-mp4'
import { startRtspPeer } from '@vigia/video/test-peer/rtsp-peer'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import { withLongGroups } from '@vigia/video/testing/long-groups'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createCameraWriter } from '../continuous/camera-writer.ts'
import { createMinuteFiles } from '../continuous/minute-files.ts'
import { packagedVideo } from '../testing/packaged-footage.ts'
import { fetchHeld } from './fetch-held.ts'
import { fetchRecording } from './fetch-recording.ts'

/** 10 pictures a second. */
const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))
const GROUP_MS = 120_000
const START = Date.UTC(2026, 0, 1, 12)
const dir = temporaryFolder('vigia-long-')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function openWriter(folder: string) {
  const files = createMinuteFiles(join(dir, folder))
  const failures: string[] = []
  const writer = createCameraWriter({
    cameraId: 1,
    files,
    freeSpace: async () => true,
    onWritten() {},
    onFailure: (motivo) => failures.push(motivo),
  })
  return { files, writer, failures }
}

it('records groups of 120 s, and plays a part from the middle of one', async () => {
  const { files, writer, failures } = openWriter('continua')
  const video = await withLongGroups(await readAccessUnits(footage), GROUP_MS / 100)
  for (const registro of packagedVideo(video, START, 2_000)) if (registro.tipo !== 'lacuna') writer.add(registro)
  for (const registro of packagedVideo(video, START + GROUP_MS, 2_000))
    if (registro.tipo === 'parte') writer.add(registro)
  await writer.end()
  expect(failures).toEqual([])
  expect(files.list(1).map(({ startMs, durationMs }) => [startMs, durationMs])).toEqual([
    [START, GROUP_MS],
    [START + GROUP_MS, GROUP_MS],
  ])
  const path = join(dir, 'trecho.mp4')
  const span = { fromMs: START + 87_000, toMs: START + 130_000 }
  const signal = new AbortController().signal
  const fetched = await fetchHeld({ cameraId: 1, files, span, path, signal, onProgress: () => true })
  expect(fetched).toMatchObject({ ok: true, file: { startedAt: START, durationMs: 130_000, complete: true } })
  expect(await inspectMp4(await readFile(path))).toMatchObject({ decoded: 1_300, messages: [] })
})

it('begins a recording with the 12 MiB of a long group at once', async () => {
  const { files, writer, failures } = openWriter('grande')
  const parte = (indice: number): ParteTransmissao => ({
    ...({ tipo: 'parte', chave: indice === 0, indice, segmento: 0, duracao: 900_000 } as const),
    instante: START + indice * 10_000,
    dados: new Uint8Array(2 ** 20),
  })
  const descricao = { codecs: 'avc1', largura: 640, altura: 360, fps: null, gop_ms: null }
  writer.add({ tipo: 'inicio', descricao, dados: new Uint8Array(100) })
  for (let indice = 0; indice < 12; indice++) writer.add(parte(indice))
  await writer.end()
  expect(failures).toEqual([])
  expect(files.list(1)).toMatchObject([{ durationMs: GROUP_MS }])
})

it('asks a recorder that begins in the middle of a group for an earlier part', async () => {
  const middle = pictures.h264.slice(1, 10)
  let playbacks = 0
  const peer = await startRtspPeer({
    play(rtp, connection) {
      const played = playbacks++ === 0 ? { pictures: middle, count: 60 } : { count: 40 }
      void playFootage(rtp, connection, { intervalMs: 1, ...played }).then(() => connection.end())
    },
  })
  onTestFinished(() => peer.close())
  const span = { fromMs: START, toMs: START + 30_000 }
  const fetched = await fetchRecording({
    liveUrl: peer.url('cam/realmonitor?channel=1&subtype=0'),
    clock: { offsetMs: 0, zoneMin: 0, zIsLocal: false },
    span,
    path: join(dir, 'gravador.mp4'),
    signal: new AbortController().signal,
    onProgress: () => true,
  })
  expect(fetched).toMatchObject({ ok: true, file: { startedAt: START - 300_000, durationMs: 4_000 } })
  const asked = peer.requests.filter(({ method }) => method === 'DESCRIBE').map(({ url }) => url)
  expect(asked).toEqual([
    expect.stringContaining('starttime=2026_01_01_12_00_00'),
    expect.stringContaining('starttime=2026_01_01_11_55_00'),
  ])
  await waitFor('the connections to close', () => peer.connections.size === 0)
})
