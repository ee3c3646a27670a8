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

it("remembers the addresses of FFmpeg's client over a restart, until no camera has them", () => {
  const first = open()
  expect(first.clients.kept(camera)).toEqual([])
  first.clients.keep(7, fontes.sub_rtsp_url, 'sem_resposta')
  expect(JSON.stringify(first.db.prepare('SELECT * FROM ffmpeg_addresses').all())).not.toContain('segredo')
  first.db.close()
  const second = open()
  expect(second.clients.kept(camera)).toEqual([fontes.sub_rtsp_url])
  second.clients.retain([{ ...fontes, sub_rtsp_url: null }])
  expect(second.clients.kept(camera)).toEqual([])
  second.db.close()
  const third = open()
  expect(third.clients.kept(camera)).toEqual([])
  third.db.close()
  // Once when it is found, and once after the restart.
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(JSON.parse(line).msg).toMatch(/^Câmera 7: .*FFmpeg lê\. Atualize o firmware/)
  expect(lines.join()).not.toContain('segredo')
})

it("reads the named cameras with FFmpeg's client first", () => {
  const named = open(new Set([2]))
  expect([1, 2].map(named.clients.first)).toEqual(['own', 'ffmpeg'])
  named.db.close()
  const all = open('todas')
  expect(all.clients.first(1)).toBe('ffmpeg')
  all.db.close()
})
