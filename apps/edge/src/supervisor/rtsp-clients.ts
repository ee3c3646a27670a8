import { createHash } from 'node:crypto'
import type { Fontes } from '@vigia/contracts/edge-state'
import type { RtspClient } from '@vigia/video/client-choice'
import type { Logger } from 'pino'
import type { EdgeDb } from '../db/edge-db.ts'

/** Cameras whose streams only FFmpeg's client reads. */
export type FfmpegCameras = 'todas' | ReadonlySet<number>

/** The RTSP client of each camera, and the addresses that FFmpeg's client reads because the own client could not. */
export interface RtspClients {
  first(cameraId: number): RtspClient
  /** The addresses of a camera that FFmpeg's client reads. */
  kept(fontes: Fontes): string[]
  keep(url: string): void
  /** Forgets the addresses that no camera has. */
  retain(all: readonly Fontes[]): void
}

/** Addresses contain passwords, so the disk has only their hashes. */
const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex')
const urlsOf = ({ rtsp_url, sub_rtsp_url }: Fontes): string[] =>
  sub_rtsp_url === null ? [rtsp_url] : [rtsp_url, sub_rtsp_url]

/** Remembers the addresses on the disk. */
export function createRtspClients(db: EdgeDb, ffmpeg: FfmpegCameras, log: Logger): RtspClients {
  const known = new Set(db.prepare<[], string>('SELECT address_sha256 FROM ffmpeg_addresses').pluck().all())
  const insert = db.prepare('INSERT OR IGNORE INTO ffmpeg_addresses (address_sha256) VALUES (?)')
  const remove = db.prepare('DELETE FROM ffmpeg_addresses WHERE address_sha256 = ?')

  /** Until the next restart the memory is right. */
  function write(statement: typeof insert, hash: string): void {
    try {
      statement.run(hash)
    } catch (err) {
      log.error({ err }, 'RTSP client of a camera not written to the disk')
    }
  }

  return {
    first: (cameraId) => (ffmpeg === 'todas' || ffmpeg.has(cameraId) ? 'ffmpeg' : 'own'),
    kept: (fontes) => urlsOf(fontes).filter((url) => known.has(hashOf(url))),
    keep(url) {
      const hash = hashOf(url)
      if (known.has(hash)) return
      known.add(hash)
      write(insert, hash)
    },
    retain(all) {
      const used = new Set(all.flatMap(urlsOf).map(hashOf))
      for (const hash of [...known].filter((one) => !used.has(one))) {
        known.delete(hash)
        write(remove, hash)
      }
    },
  }
}
