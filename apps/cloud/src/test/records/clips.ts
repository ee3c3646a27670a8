import { createHash, randomUUID } from 'node:crypto'
import type { Clipe } from '@vigia/contracts/extras'
import type { ExtraItem } from '@vigia/link/extras-batch'
import { blankJpeg } from '@vigia/testing/blank-jpeg'

/** A file in place of an MP4, with the extra that announces it. */
export function clipOf(cameraId: number, eventos: readonly string[], change: Partial<Clipe> = {}) {
  const file = Buffer.from(`${randomUUID()} `.repeat(20_000))
  const tira = blankJpeg(160, randomUUID())
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const extra: Clipe = {
    tipo: 'clipe',
    v: 1,
    id: randomUUID(),
    camera_id: cameraId,
    eventos: eventos.map((evento, i) => ({ evento, deslocamento_ms: 5_000 + i * 1_000 })),
    inicio: Date.UTC(2026, 10, 21, 12),
    duracao_ms: 12_000,
    codec: 'h264',
    codecs: 'avc1.4d401f',
    largura: 640,
    altura: 360,
    tamanho: file.length,
    sha256: sha256(file),
    imagem: { tipo: 'image/jpeg', tamanho: tira.length, sha256: sha256(tira) },
    ...change,
  }
  return { file, extra, item: { extra, imagem: tira } satisfies ExtraItem }
}

const TUS = { 'tus-resumable': '1.0.0' }

/** The requests of an upload, as an edge sends them. */
export function uploader(url: string, token: string) {
  const path = `${url}/api/v1/edges/envios`
  const authorization = `Bearer ${token}`
  return {
    begin: (clipe: string, length: number) =>
      fetch(path, {
        method: 'POST',
        headers: {
          ...TUS,
          authorization,
          'upload-length': String(length),
          'upload-metadata': `clipe ${Buffer.from(clipe).toString('base64')}`,
        },
      }),
    async offset(clipe: string): Promise<number | null> {
      const answer = await fetch(`${path}/${clipe}`, { method: 'HEAD', headers: { ...TUS, authorization } })
      return answer.status === 204 ? Number(answer.headers.get('upload-offset')) : null
    },
    send: (clipe: string, offset: number, body: Buffer) =>
      fetch(`${path}/${clipe}`, {
        method: 'PATCH',
        headers: {
          ...TUS,
          authorization,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(body),
      }),
  }
}
