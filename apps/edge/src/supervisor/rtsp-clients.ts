import { createHash } from 'node:crypto'
import type { CameraTask } from '@vigia/analysis/model'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Fontes } from '@vigia/contracts/edge-state'
import { ffmpegOf, type KeptClient, type RtspClient, rtspClients } from '@vigia/video/client-choice'
import type { Logger } from 'pino'
import type { EdgeDb } from '../db/edge-db.ts'

/** Cameras whose streams only FFmpeg's client reads. */
export type FfmpegCameras = 'todas' | ReadonlySet<number>

/** The first RTSP client of each camera, and the addresses that another one reads because the first could not. */
export interface RtspClients {
  first(camera: Pick<CameraTask, 'id' | 'transporte'>): RtspClient
  /** The addresses of a camera that another client reads. */
  kept(camera: Pick<CameraTask, 'id' | 'fontes' | 'transporte'>): KeptClient[]
  /** `failure`: end of the first client. */
  keep(cameraId: number, kept: KeptClient, failure: CameraFailure): void
  /** Forgets the addresses that no camera has. */
  retain(all: readonly Fontes[]): void
}

/** Addresses contain passwords, so the disk has only their hashes. */
const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex')
const urlsOf = ({ rtsp_url, sub_rtsp_url }: Fontes): string[] =>
  sub_rtsp_url === null ? [rtsp_url] : [rtsp_url, sub_rtsp_url]

/** Stands in the remote diagnosis, which shows messages without their fields. */
function notice(cameraId: number, client: RtspClient): string {
  const { isOwn, keepAlive } = rtspClients[client]
  if (!isOwn)
    return (
      `Câmera ${cameraId}: o cliente RTSP próprio não leu o vídeo, e o cliente do FFmpeg lê. ` +
      'Atualize o firmware da câmera se houver versão nova, e informe o modelo dela ao suporte.'
    )
  return keepAlive === 'both'
    ? `Câmera ${cameraId}: o equipamento encerrava a sessão no prazo. A caixa a mantém com GET_PARAMETER e OPTIONS.`
    : `Câmera ${cameraId}: o vídeo não chega por TCP, e chega por UDP.`
}

/** A chosen transport is tried again. */
const suits = (client: RtspClient, transporte: CameraTask['transporte']): boolean =>
  transporte === undefined || (rtspClients[client].isOwn && rtspClients[client].transport === transporte)

const isClient = (text: string): text is RtspClient => Object.hasOwn(rtspClients, text)

/** Remembers the addresses on the disk. */
export function createRtspClients(db: EdgeDb, ffmpeg: FfmpegCameras, log: Logger): RtspClients {
  const stored = db.prepare<[], { hash: string; client: string }>(
    'SELECT address_sha256 AS hash, client FROM rtsp_clients',
  )
  const known = new Map(stored.all().flatMap(({ hash, client }) => (isClient(client) ? [[hash, client]] : [])))
  const insert = db.prepare('INSERT OR REPLACE INTO rtsp_clients (address_sha256, client) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM rtsp_clients WHERE address_sha256 = ?')

  /** Until the next restart the memory is right. */
  function write(run: () => void): void {
    try {
      run()
    } catch (err) {
      log.error({ err }, 'RTSP client of a camera not written to the disk')
    }
  }

  function first({ id, transporte }: Pick<CameraTask, 'id' | 'transporte'>): RtspClient {
    const own = transporte === undefined ? 'own' : transporte === 'udp' ? 'own_udp' : 'own_tcp'
    return ffmpeg === 'todas' || ffmpeg.has(id) ? ffmpegOf(own) : own
  }

  return {
    first,
    kept({ id, fontes, transporte }) {
      const kept = urlsOf(fontes).flatMap((url) => {
        const client = known.get(hashOf(url))
        return client !== undefined && suits(client, transporte) ? [{ url, client }] : []
      })
      if (kept[0]) log.warn(notice(id, kept[0].client))
      return kept
    },
    keep(cameraId, { url, client }, failure) {
      const hash = hashOf(url)
      if (known.get(hash) === client) return
      log.warn({ motivo: failure }, notice(cameraId, client))
      known.set(hash, client)
      write(() => insert.run(hash, client))
    },
    retain(all) {
      const used = new Set(all.flatMap(urlsOf).map(hashOf))
      for (const hash of [...known.keys()].filter((one) => !used.has(one))) {
        known.delete(hash)
        write(() => remove.run(hash))
      }
    },
  }
}
