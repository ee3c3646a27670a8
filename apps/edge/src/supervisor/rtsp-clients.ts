import { createHash } from 'node:crypto'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
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
  kept(camera: { readonly id: number; readonly fontes: Fontes }): string[]
  /** `failure`: end of the own client. */
  keep(cameraId: number, url: string, failure: CameraFailure): void
  /** Forgets the addresses that no camera has. */
  retain(all: readonly Fontes[]): void
}

/** Addresses contain passwords, so the disk has only their hashes. */
const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex')
const urlsOf = ({ rtsp_url, sub_rtsp_url }: Fontes): string[] =>
  sub_rtsp_url === null ? [rtsp_url] : [rtsp_url, sub_rtsp_url]

/** Stands in the remote diagnosis, which shows messages without their fields. */
const notice = (cameraId: number): string =>
  `Câmera ${cameraId}: o cliente RTSP próprio não leu o vídeo, e o cliente do FFmpeg lê. ` +
  'Atualize o firmware da câmera se houver versão nova, e informe o modelo dela ao suporte.'

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
    kept({ id, fontes }) {
      const urls = urlsOf(fontes).filter((url) => known.has(hashOf(url)))
      if (urls.length > 0) log.warn(notice(id))
      return urls
    },
    keep(cameraId, url, failure) {
      const hash = hashOf(url)
      if (known.has(hash)) return
      log.warn({ motivo: failure }, notice(cameraId))
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
