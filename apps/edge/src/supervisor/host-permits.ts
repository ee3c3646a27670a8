import { canonicalHost } from '@vigia/rtsp/address-policy'
import { type ConnectionPermits, createConnectionPermits } from '../capture/connection-permits.ts'

/** Counts the connection attempts to each recorder over all processes. `owner`: the requesting process. */
export interface HostPermits {
  /** `grant` is called at most once, at once or later, when the permit is free. */
  request(owner: object, ticket: number, host: string, grant: () => void): void
  /** Also withdraws a request that still waits. */
  release(owner: object, ticket: number): void
  /** Releases all permits of an ended process. */
  releaseAll(owner: object): void
}

interface Request {
  readonly owner: object
  readonly ticket: number
  readonly grant: () => void
}

export function createHostPermits(perHost: number): HostPermits {
  /** In order of the requests: the first `perHost` hold a permit, the others wait. */
  const queues = new Map<string, Request[]>()

  const drop = (matches: (request: Request) => boolean) => {
    for (const [host, queue] of queues) {
      const waitedBefore = queue.slice(perHost)
      const kept = queue.filter((request) => !matches(request))
      if (kept.length === queue.length) continue
      if (kept.length === 0) queues.delete(host)
      else queues.set(host, kept)
      for (const request of kept.slice(0, perHost)) if (waitedBefore.includes(request)) request.grant()
    }
  }

  return {
    request(owner, ticket, typedHost, grant) {
      const host = canonicalHost(typedHost)
      const queue = queues.get(host) ?? []
      queue.push({ owner, ticket, grant })
      queues.set(host, queue)
      if (queue.length <= perHost) grant()
    },
    release: (owner, ticket) => drop((request) => request.owner === owner && request.ticket === ticket),
    releaseAll: (owner) => drop((request) => request.owner === owner),
  }
}

/** Permits for the main process itself, counted together with the streams of the capture processes. */
export function createOwnPermits(hosts: HostPermits): ConnectionPermits {
  const owner = {}
  const permits = createConnectionPermits({
    request: (ticket, host) => hosts.request(owner, ticket, host, () => permits.granted(ticket)),
    release: (ticket) => hosts.release(owner, ticket),
  })
  return permits
}
