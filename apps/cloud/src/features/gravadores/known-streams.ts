import { canonicalHost } from '@vigia/rtsp/address-policy'
import { maskPassword } from '@vigia/rtsp/mask'
import type { Database } from '../../db/open.ts'
import { listStreams } from './store.ts'

type Stream = Awaited<ReturnType<typeof listStreams>>[number]

/** Ports of RTSP and of RTSP over TLS where a URL names none (RFC 7826, section 4.2). */
const defaultPorts: Readonly<Record<string, string>> = { 'rtsp:': '554', 'rtsps:': '322' }

/**
 * What two URLs of one stream have in common: everything but the credentials, the host in one spelling, the port written
 * out. Where the maker's form carries the user name in the path, it counts.
 */
export function streamKey(url: string): string {
  const masked = maskPassword(url)
  const parsed = URL.parse(masked)
  if (parsed === null) return masked
  const port = parsed.port === '' ? defaultPorts[parsed.protocol] : parsed.port
  return `${parsed.protocol}//${canonicalHost(parsed.hostname)}:${port}${parsed.pathname}${parsed.search}`
}

/** Answers which camera of the Empresa shows a channel already. */
export interface KnownStreams {
  /** @param url of the channel's main stream; null: it has none of its own */
  find(canal: number, url: string | null): Pick<Stream, 'id' | 'nome' | 'rtsp_url'> | undefined
  add(stream: Stream): void
}

/** @param recorderId the recorder whose channels are asked for; null: it is not stored yet */
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

/** `knownStreams` of all cameras of the Empresa. */
export const readKnownStreams = async (
  db: Database,
  empresaId: number,
  gravadorId: number | null,
): Promise<KnownStreams> => knownStreams(await listStreams(db, empresaId), gravadorId)
