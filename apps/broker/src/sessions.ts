import { setTimeout as delay } from 'node:timers/promises'
import type { Aedes, Client } from 'aedes'

interface Holder {
  readonly client: Client
  readonly released: PromiseWithResolvers<void>
}

/** One live session per name. */
export interface Sessions {
  /**
   * Gives `name` to `client`. An older holder is closed first, so that its last will precedes the new session's
   * messages. The library aedes also replaces the holder, but its closing holder then unregisters the new client.
   * Resolves with false when the client left or the holder did not close.
   */
  take(name: string, client: Client): Promise<boolean>
}

const RELEASE_MS = 2_000
/** Simultaneous new clients replace each other in turn; this bounds the number of turns. */
const MAX_TURNS = 8

export function createSessions(broker: Aedes): Sessions {
  const holders = new Map<string, Holder>()
  /** Clients for which aedes will emit a disconnect event. */
  const registered = new Set<Client>()

  function release(client: Client): void {
    registered.delete(client)
    for (const [name, holder] of holders) {
      if (holder.client === client) {
        holders.delete(name)
        holder.released.resolve()
      }
    }
  }

  broker.on('client', (client) => {
    if (!client.closed) registered.add(client)
  })
  broker.on('clientDisconnect', release)

  return {
    take: async (name, client) => {
      for (let turn = 0; turn < MAX_TURNS; turn += 1) {
        const holder = holders.get(name)
        if (client.closed || client.conn.destroyed) return false
        if (holder === undefined) {
          holders.set(name, { client, released: Promise.withResolvers() })
          client.conn.once('close', () => {
            // A client that left before its registration in aedes ends without an event. In-memory persistence excludes
            // this case; with another persistence the name would stay taken.
            if (!registered.has(client)) release(client)
          })
          return true
        }
        holder.client.close()
        await Promise.race([holder.released.promise, delay(RELEASE_MS, undefined, { ref: false })])
        if (holders.get(name) === holder) return false
      }
      return false
    },
  }
}
