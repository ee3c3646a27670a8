import type { EdgeLineage } from '@vigia/link/edge-lineage'
import { createFairTurns } from '@vigia/link/fair-turns'
import { createRates } from '@vigia/link/rates'
import { createShares } from '@vigia/link/shares'
import type { ConnectionBounds } from './guarded-connection.ts'
import type { BrokerLimits } from './limits.ts'
import { LARGE_BYTES } from './packet-gate.ts'

/** Use of rates and memory by one connection of an edge, within the bounds of its Empresa and its root. */
export interface EdgeAccount extends Omit<ConnectionBounds, 'maxPublishBytes'> {
  readonly lineage: EdgeLineage
  /** Counts the connection as admitted. false: its Empresa or its root has too many. */
  admit(): boolean
  /** A publication of this announced length is no longer in memory. */
  passedOn(bytes: number): void
  /** The list of certificates says that the edge belongs to others. */
  regroup(lineage: EdgeLineage): void
  /** The connection has ended: all that it holds is free. */
  close(): void
}

/** Seconds of the average rates that may be read at once. */
const BURST_MS = 2_000

interface Waiting {
  readonly bytes: number
  take(): boolean
  granted(): void
}

/** Bounds what edges send and hold, per edge, per Empresa, per root Empresa and together. */
export interface EdgeAccounts {
  open(lineage: EdgeLineage): EdgeAccount
}

export function createEdgeAccounts(
  limits: Pick<BrokerLimits, 'rates' | 'connections' | 'receivedBytes' | 'queuedBytes'>,
  monotonic: () => number,
): EdgeAccounts {
  const rates = createRates(limits.rates, BURST_MS, monotonic)
  const received = createShares(limits.receivedBytes)
  const queued = createShares(limits.queuedBytes)
  // The listener bounds the sum.
  const connections = createShares({ ...limits.connections, installation: Number.POSITIVE_INFINITY })
  const waiting = createFairTurns<Waiting>()

  function grantNext(): void {
    for (;;) {
      const next = waiting.take({ item: (each) => each.take() })
      if (next === undefined) return
      next.granted()
    }
  }

  function open(first: EdgeLineage): EdgeAccount {
    let lineage = first
    let receivedBytes = 0
    let queuedBytes = 0
    let isAdmitted = false
    /** With the lineage under which each waits. */
    const own = new Map<Waiting, EdgeLineage>()

    function takeReceived(bytes: number): boolean {
      const hasSpace = received.take(lineage, bytes)
      if (hasSpace) receivedBytes += bytes
      return hasSpace
    }

    return {
      get lineage() {
        return lineage
      },
      rateWaitMs(read) {
        rates.charge(lineage, read)
        return rates.waitMs(lineage)
      },
      reserve(bytes, granted) {
        if (takeReceived(bytes)) return true
        const item: Waiting = {
          bytes,
          take: () => takeReceived(bytes),
          granted: () => {
            own.delete(item)
            granted()
          },
        }
        own.set(item, lineage)
        waiting.push(lineage, item)
        return false
      },
      passedOn(bytes) {
        if (bytes <= LARGE_BYTES || bytes > receivedBytes) return
        receivedBytes -= bytes
        received.give(lineage, bytes)
        grantNext()
      },
      mayQueue(bytes) {
        // Little is always allowed: acknowledgements and pings.
        const counted = bytes > LARGE_BYTES ? bytes : 0
        if (counted <= queuedBytes) queued.give(lineage, queuedBytes - counted)
        else if (!queued.take(lineage, counted - queuedBytes)) return false
        queuedBytes = counted
        return true
      },
      admit() {
        isAdmitted ||= connections.take(lineage, 1)
        return isAdmitted
      },
      regroup(next) {
        received.move(lineage, next, receivedBytes)
        queued.move(lineage, next, queuedBytes)
        if (isAdmitted) connections.move(lineage, next, 1)
        lineage = next
      },
      close() {
        for (const [item, under] of own) waiting.remove(under, (each) => each === item)
        own.clear()
        received.give(lineage, receivedBytes)
        queued.give(lineage, queuedBytes)
        if (isAdmitted) connections.give(lineage, 1)
        receivedBytes = 0
        queuedBytes = 0
        isAdmitted = false
        grantNext()
      },
    }
  }

  return { open }
}
