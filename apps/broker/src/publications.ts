import { everyEdge, parseTopic } from '@vigia/link/topics'
import type { Client, PublishPacket } from 'aedes'
import type { EdgeAccount } from './edge-accounts.ts'
import { createForwardTurns, type Destination, type Publication } from './forward-turns.ts'
import type { BrokerLimits } from './limits.ts'
import type { Peer } from './peers.ts'

/** The publications of edges that wait for their turn or are being passed on to the clouds. */
export interface Publications {
  /** From now on publications of edges wait while this client does not read fast enough. */
  readAs(peer: Peer, client: Client): void
  /** Returns the function that passes the packet on when its edge has its turn. */
  waitForTurn(peer: Peer, account: EdgeAccount, packet: PublishPacket, done: (error: null) => void): () => void
  /** The packet has been passed on. */
  passedOn(packet: object): void
  /** Whether the client takes nothing now. */
  isStalled(destination: Destination): boolean
  /** The queue of the client got shorter. */
  progressed(destination: Destination): void
  left(peer: Peer): void
}

export function createPublications(limit: Pick<BrokerLimits, 'forwardAboveBytes' | 'stalledMs'>): Publications {
  const clouds = new Set<Destination>()
  const forwarding = createForwardTurns({
    destinations: () => clouds,
    aboveBytes: limit.forwardAboveBytes,
    stalledMs: limit.stalledMs,
  })
  /** By the packet of aedes. */
  const forwarded = new WeakMap<object, { readonly peer: Peer; readonly publication: Publication }>()

  return {
    isStalled: forwarding.isStalled,
    progressed: forwarding.progressed,
    readAs(peer, client) {
      peer.destination ??= {
        get queuedBytes() {
          return peer.guarded.queuedBytes
        },
        reads: (topic) => {
          const { name } = parseTopic(topic) ?? {}
          const { subscriptions } = client as Client & { readonly subscriptions: Readonly<Record<string, unknown>> }
          return topic in subscriptions || (name !== undefined && everyEdge[name] in subscriptions)
        },
      }
      clouds.add(peer.destination)
    },
    waitForTurn(peer, { lineage }, packet, done) {
      return () => {
        const { topic, payload } = packet
        const publication = { lineage, topic, bytes: payload.length, begin: () => done(null) }
        forwarded.set(packet, { peer, publication })
        peer.underWay.add(publication)
        forwarding.push(publication)
      }
    },
    passedOn(packet) {
      const passed = forwarded.get(packet)
      if (passed === undefined) return
      const { peer, publication } = passed
      peer.underWay.delete(publication)
      peer.account?.passedOn((packet as { readonly length?: number }).length ?? 0)
      forwarding.done(publication)
    },
    left(peer) {
      const { account, destination, underWay } = peer
      for (const publication of underWay) forwarding.done(publication)
      underWay.clear()
      account?.close()
      if (!destination) return
      clouds.delete(destination)
      forwarding.progressed(destination)
    },
  }
}
