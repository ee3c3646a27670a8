import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { failed, type RtspEnd, unreachableEnd } from './client/outcome.ts'
import { openSocket } from './line.ts'
import type { RtspUrl } from './rtsp-url.ts'

/** Largest number of addresses tried per name. */
const MAX_ADDRESSES = 4

export const isSocket = (found: Socket | RtspEnd): found is Socket => typeof found === 'object' && 'destroy' in found

/** Connects to the first address of the host that accepts, before the time `endsAtMs` (monotonic). */
export async function connectTo(
  target: Pick<RtspUrl, 'host' | 'porta' | 'tls'>,
  endsAtMs: number,
  signal: AbortSignal,
): Promise<Socket | RtspEnd> {
  const addresses = await resolveHost(target.host, endsAtMs, signal)
  if (signal.aborted) return 'aborted'
  let end = failed('nome_nao_resolvido')
  for (const [index, address] of addresses.entries()) {
    const remainingMs = Math.max(1, endsAtMs - performance.now())
    const timeoutMs = remainingMs / (addresses.length - index)
    const opened = await openSocket({ address, porta: target.porta, tls: target.tls }, { timeoutMs, signal })
    if (opened.ok) return opened.socket
    if (opened.why === 'aborted') return 'aborted'
    end = unreachableEnd(opened.why)
  }
  return end
}

/** Addresses in the resolver's order; empty when the name has none before the time limit. */
async function resolveHost(host: string, endsAtMs: number, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  // The resolver cannot be interrupted; its late result is ignored.
  const stop = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.round(endsAtMs - performance.now())))])
  const stopped = new Promise<[]>((resolve) => stop.addEventListener('abort', () => resolve([]), { once: true }))
  const found = lookup(host, { all: true }).then(
    (answers) => answers.map(({ address }) => address).slice(0, MAX_ADDRESSES),
    (error: NodeJS.ErrnoException) => {
      if (typeof error.code === 'string') return []
      throw error
    },
  )
  return await (stop.aborted ? [] : Promise.race([found, stopped]))
}
