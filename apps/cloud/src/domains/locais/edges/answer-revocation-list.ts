import { createHash } from 'node:crypto'
import { VigiaError } from '@vigia/contracts/errors'
import type { Database } from '../../../db/open.ts'
import { readRevocationList } from './revocation-store.ts'

/** Answers the revocation list in PEM, or 304 to the holder of the present one. */
export async function answerRevocationList(db: Database, ifNoneMatch: string | undefined): Promise<Response> {
  const { pem } = await readRevocationList(db)
  if (pem === null) throw new VigiaError('nao_encontrado', { detalhe: 'Ainda não há lista de revogação.' })
  const etag = `"${createHash('sha256').update(pem).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': 'no-cache' }
  if (ifNoneMatch?.split(/, */).includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(pem, { headers: { ...headers, 'content-type': 'application/x-pem-file' } })
}
