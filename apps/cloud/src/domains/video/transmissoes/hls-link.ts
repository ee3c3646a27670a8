import { type Fluxo, fluxoSchema } from '@vigia/contracts/transmissao'
import { z } from 'zod'
import type { SecretBox } from '../../../adapters/secret-box.ts'

const PURPOSE = 'transmissoes/hls'
const linkSchema = z.object({ sessao: z.string(), camera: z.int(), fluxo: fluxoSchema })
/** Rights of the address of a stream. */
export type HlsLink = z.infer<typeof linkSchema>

const hlsPath = (cameraId: number, assinatura: string, file: string): string =>
  `/api/v1/cameras/${cameraId}/hls/${assinatura}/${file}`

/**
 * Address of the playlist of one stream. It holds the token of the session, encrypted with the key of this
 * installation: it opens this stream only, and ends with that session.
 */
export const signHls = (box: SecretBox, sessao: string, camera: number, fluxo: Fluxo): string =>
  hlsPath(camera, box.seal(JSON.stringify({ sessao, camera, fluxo } satisfies HlsLink), PURPOSE), `${fluxo}.m3u8`)

/** null: not an address of this installation. */
export function openHls(box: SecretBox, assinatura: string): HlsLink | null {
  try {
    return linkSchema.parse(JSON.parse(box.open(assinatura, PURPOSE)))
  } catch {
    return null
  }
}
