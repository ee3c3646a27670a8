import { setTimeout as delay } from 'node:timers/promises'
import type { Aedes, Client } from 'aedes'

interface Holder {
  readonly client: Client
  readonly released: PromiseWithResolvers<void>
}

/** One live session per name. */
export interface Sessions {
  /**
   * Gives `name` to `client`: an older holder is closed, and waited for, so that its last will is published before the new
   * session speaks. aedes does this as well, but a newcomer that meets a holder in the midst of closing gets unregistered by it.
   * false: the client left meanwhile, or the holder did not go.
   */
  take(name: string, client: Client): Promise<boolean>
}

const RELEASE_MS = 2_000
/** Newcomers that wait at the same moment take turns in throwing each other out; this many turns are enough. */
const MAX_TURNS = 8

export function createSessions(broker: Aedes): Sessions {
  const holders = new Map<string, Holder>()
  /** The clients of which aedes will say that they are gone. */
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
            // One that left before aedes registered it ends without an event. In-memory persistence leaves no time for that;
            // with any other, a name would stay taken for ever.
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
