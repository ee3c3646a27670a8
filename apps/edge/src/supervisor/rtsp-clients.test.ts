import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterAll, expect, it } from 'vitest'
import { openEdgeDb } from '../db/edge-db.ts'
import { createRtspClients, type FfmpegCameras } from './rtsp-clients.ts'

const dir = temporaryFolder('vigia-rtsp-clients-')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })

function open(ffmpeg: FfmpegCameras = new Set()) {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  const { db } = opened
  return { db, clients: createRtspClients(db, ffmpeg, log) }
}

const fontes = { rtsp_url: 'rtsp://admin:segredo@10.0.0.9/main', sub_rtsp_url: 'rtsp://admin:segredo@10.0.0.9/sub' }
const camera = { id: 7, fontes }
const main = { url: fontes.rtsp_url, client: 'own_udp' } as const
const sub = { url: fontes.sub_rtsp_url, client: 'ffmpeg' } as const

it('remembers the addresses of another client over a restart, until no camera has them', () => {
  const first = open()
  expect(first.clients.kept(camera)).toEqual([])
  first.clients.keep(7, sub, 'sem_resposta')
  first.clients.keep(7, main, 'sem_quadros')
  expect(JSON.stringify(first.db.prepare('SELECT * FROM rtsp_clients').all())).not.toContain('segredo')
  first.db.close()
  const second = open()
  expect(second.clients.kept(camera)).toEqual([main, sub])
  expect(second.clients.kept({ ...camera, transporte: 'tcp' })).toEqual([])
  expect(second.clients.kept({ ...camera, transporte: 'udp' })).toEqual([main])
  second.clients.retain([{ ...fontes, rtsp_url: 'rtsp://10.0.0.9/other' }])
  expect(second.clients.kept(camera)).toEqual([sub])
  second.clients.retain([])
  expect(second.clients.kept(camera)).toEqual([])
  second.db.close()
  const third = open()
  expect(third.clients.kept(camera)).toEqual([])
  third.db.close()
  // Each when it is found, and the first one each time after the restart.
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/^Câmera 7: .*FFmpeg lê\. Atualize o firmware/),
    ...Array.from({ length: 3 }, () => 'Câmera 7: o vídeo não chega por TCP, e chega por UDP.'),
    expect.stringMatching(/FFmpeg lê/),
  ])
  expect(lines.join()).not.toContain('segredo')
})

it("reads the named cameras with FFmpeg's client first", () => {
  const named = open(new Set([2]))
  expect([1, 2].map((id) => named.clients.first({ id }))).toEqual(['own', 'ffmpeg'])
  expect(named.clients.first({ id: 1, transporte: 'tcp' })).toBe('own_tcp')
  expect([1, 2].map((id) => named.clients.first({ id, transporte: 'udp' }))).toEqual(['own_udp', 'ffmpeg_udp'])
  named.db.close()
  const all = open('todas')
  expect(all.clients.first({ id: 1 })).toBe('ffmpeg')
  all.db.close()
})
