import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterAll, expect, it } from 'vitest'
import { openEdgeDb } from '../db/edge-db.ts'
import { createRtspClients, type FfmpegCameras } from './rtsp-clients.ts'

const dir = temporaryFolder('vigia-rtsp-clients-')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function open(ffmpeg: FfmpegCameras = new Set()) {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  const { db } = opened
  return { db, clients: createRtspClients(db, ffmpeg, pino({ level: 'silent' })) }
}

const fontes = { rtsp_url: 'rtsp://admin:segredo@10.0.0.9/main', sub_rtsp_url: 'rtsp://admin:segredo@10.0.0.9/sub' }

it("remembers the addresses of FFmpeg's client over a restart, until no camera has them", () => {
  const first = open()
  expect(first.clients.kept(fontes)).toEqual([])
  first.clients.keep(fontes.sub_rtsp_url)
  expect(JSON.stringify(first.db.prepare('SELECT * FROM ffmpeg_addresses').all())).not.toContain('segredo')
  first.db.close()
  const second = open()
  expect(second.clients.kept(fontes)).toEqual([fontes.sub_rtsp_url])
  second.clients.retain([{ ...fontes, sub_rtsp_url: null }])
  expect(second.clients.kept(fontes)).toEqual([])
  second.db.close()
  const third = open()
  expect(third.clients.kept(fontes)).toEqual([])
  third.db.close()
})

it("reads the named cameras with FFmpeg's client first", () => {
  const named = open(new Set([2]))
  expect([1, 2].map(named.clients.first)).toEqual(['own', 'ffmpeg'])
  named.db.close()
  const all = open('todas')
  expect(all.clients.first(1)).toBe('ffmpeg')
  all.db.close()
})
