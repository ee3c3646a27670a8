import { maskPassword } from '@vigia/rtsp/mask'
import { serverAddress } from '@vigia/rtsp/server-address'
import type { Database } from '../../../db/open.ts'
import { listStreams } from './store.ts'

type Stream = Awaited<ReturnType<typeof listStreams>>[number]

/**
 * Normalizes a stream URL: without credentials, with a canonical host and an explicit port. A user name in the path of
 * a maker's template stays.
 */
export function streamKey(url: string): string {
  const masked = maskPassword(url)
  const parsed = URL.parse(masked)
  if (parsed === null) return masked
  const { host, port } = serverAddress(parsed)
  return `${parsed.protocol}//${host}:${port}${parsed.pathname}${parsed.search}`
}

/** Whether two URLs name the same stream with the same login. A password in the path counts too. */
export const isSameStream = (a: string, b: string): boolean => withLogin(a) === withLogin(b)

function withLogin(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return url
  const { host, port } = serverAddress(parsed)
  const { protocol, username, password, pathname, search } = parsed
  return [protocol, username, password, host, port, pathname + search].join('\n')
}

/** Returns a lookup of the Empresa's camera that already shows a canal. */
export interface KnownStreams {
  /** @param url of the canal's main stream; null: it has none of its own */
  find(canal: number, url: string | null): Pick<Stream, 'id' | 'nome' | 'rtsp_url'> | undefined
  add(stream: Stream): void
}

/** @param recorderId the gravador of the canais; null: not stored yet */
export function knownStreams(streams: readonly Stream[], gravadorId: number | null): KnownStreams {
  const byCanal = new Map<number, Stream>()
  const byUrl = new Map<string, Stream>()
  const add = (stream: Stream) => {
    if (gravadorId !== null && stream.gravador_id === gravadorId && stream.canal !== null)
      byCanal.set(stream.canal, stream)
    byUrl.set(streamKey(stream.rtsp_url), stream)
  }
  for (const stream of streams) add(stream)
  return { find: (canal, url) => byCanal.get(canal) ?? (url === null ? undefined : byUrl.get(streamKey(url))), add }
}

/** Returns `knownStreams` of all cameras of the Empresa. */
export const readKnownStreams = async (
  db: Database,
  empresaId: number,
  gravadorId: number | null,
): Promise<KnownStreams> => knownStreams(await listStreams(db, empresaId), gravadorId)
