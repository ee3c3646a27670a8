import type { Channel } from './channels.ts'

/** What all connections of a server have in common, and what is counted for those who test clients. */
export interface Ledger {
  /** Connections now, and the most at once; those that were turned away at the door count, too. */
  readonly open: number
  readonly most: number
  /** DESCRIBE requests that were let in. */
  describes: number
  /** A connection has come; returns what is to be called when it has gone. */
  enter(): () => void
  /** Whether this client is among the first `times` of the channel. */
  turnAway(channel: Channel, times: number): boolean
}

export function createLedger(): Ledger {
  const turnedAway = new Map<Channel, number>()
  let open = 0
  let most = 0
  return {
    describes: 0,
    get open() {
      return open
    },
    get most() {
      return most
    },
    enter() {
      most = Math.max(most, ++open)
      return () => {
        open--
      }
    },
    turnAway(channel, times) {
      const count = turnedAway.get(channel) ?? 0
      if (count >= times) return false
      turnedAway.set(channel, count + 1)
      return true
    },
  }
}
