import { createHash } from 'node:crypto'
import type { RecordedAnswer } from '@vigia/testing/release-folder'
import { type StillCloud, startStillCloud } from '../clouds/still-cloud.ts'

/** The cloud on data of a release, with its clock stopped at `now` (epoch ms). */
export const startReleaseApp = (dataDir: string, now: number): Promise<StillCloud> =>
  startStillCloud({ VIGIA_DATA_DIR: dataDir, VIGIA_EDGE_LOCAL: '1' }, now)

/** One GET with a session token. */
export async function askAs(url: string, caller: string, token: string, path: string): Promise<RecordedAnswer> {
  const response = await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const body = type?.startsWith('application/json')
    ? JSON.parse(bytes.toString())
    : { sha256: createHash('sha256').update(bytes).digest('hex'), type }
  return { caller, path, status: response.status, total: response.headers.get('x-total-count'), body }
}
