import type { Channel } from './channels.ts'

/** Shared state of all connections of a server, and counters for the tests of clients. */
export interface Ledger {
  /** Current and maximum number of connections, including refused ones. */
  readonly open: number
  readonly most: number
  /** Number of authorized DESCRIBE requests. */
  describes: number
  /** Number of audio tracks that clients have set up. */
  audios: number
  /** Number of refused logins, also of right passwords. */
  refusals: number
  /** Counts a new connection; returns the function to call at its end. */
  enter(): () => void
  /** Whether this client is among the first `times` of the channel. */
  turnAway(channel: Channel, times: number): boolean
  /** Makes `cut` end the only session of the channel; calls that of the earlier one. */
  takeOver(channel: Channel, cut: () => void): void
  /** Adds a session to the channel. */
  join(channel: Channel): ChannelSession
}

export interface ChannelSession {
  /** A later session of the channel is open. */
  isFollowed(): boolean
  leave(): void
}

export function createLedger(): Ledger {
  const turnedAway = new Map<Channel, number>()
  const only = new Map<Channel, () => void>()
  const sessions = new Map<Channel, readonly object[]>()
  let open = 0
  let most = 0
  return {
    describes: 0,
    audios: 0,
    refusals: 0,
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
    takeOver(channel, cut) {
      const before = only.get(channel)
      only.set(channel, cut)
      if (before !== cut) before?.()
    },
    join(channel) {
      const session = {}
      const all = () => sessions.get(channel) ?? []
      sessions.set(channel, [...all(), session])
      return {
        isFollowed: () => all().includes(session) && all().at(-1) !== session,
        leave: () =>
          void sessions.set(
            channel,
            all().filter((one) => one !== session),
          ),
      }
    },
  }
}
