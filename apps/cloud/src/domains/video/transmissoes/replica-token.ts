import { isDeepStrictEqual } from 'node:util'
import { fluxoSchema } from '@vigia/contracts/transmissao'
import { z } from 'zod'
import type { SecretBox } from '../../../adapters/secret-box.ts'

const PURPOSE = 'transmissoes/replica'
/** Age of a token at most, also against a clock that is behind by this time. */
const TOKEN_MS = 60_000

const grantSchema = z.object({
  /** `ler`: read the stream. `repassar`: pass on an upload of its edge. */
  uso: z.enum(['ler', 'repassar']),
  camera: z.int(),
  fluxo: fluxoSchema,
  epoca: z.int(),
  /** Name of the replica that owns the stream. */
  para: z.string(),
})
export type ReplicaGrant = z.infer<typeof grantSchema>
const tokenSchema = z.object({ grant: grantSchema, em: z.int() })

/** Token between replicas. Only processes with the key of the installation (VIGIA_CHAVE) can make and open it. */
export const sealReplicaToken = (box: SecretBox, grant: ReplicaGrant, now: number): string =>
  box.seal(JSON.stringify({ grant, em: now } satisfies z.infer<typeof tokenSchema>), PURPOSE)

/** Whether `token` gives exactly this right, and was made in the last TOKEN_MS. */
export function isReplicaToken(box: SecretBox, token: string, grant: ReplicaGrant, now: number): boolean {
  try {
    const opened = tokenSchema.parse(JSON.parse(box.open(token, PURPOSE)))
    return isDeepStrictEqual(opened.grant, grant) && Math.abs(now - opened.em) <= TOKEN_MS
  } catch {
    return false
  }
}
