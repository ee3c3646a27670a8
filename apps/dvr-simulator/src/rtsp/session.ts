import { randomBytes } from 'node:crypto'
import type { QuirkName } from '../quirks.ts'
import { createPlayback, type Playback, type PlaybackOptions } from '../rtp/playback.ts'
import type { MediaTransport } from '../rtp/transport.ts'

/** The stream of one client after SETUP (RFC 2326 appendix A: Ready, Playing). */
export interface Session {
  readonly id: string
  readonly base: string
  readonly transport: MediaTransport
  readonly playback: Playback
  readonly quirk: QuirkName | null
  playing: boolean
}

export const createSession = (
  id: string | null,
  base: string,
  options: PlaybackOptions,
  quirk: QuirkName | null,
): Session => ({
  id: id ?? randomBytes(8).toString('hex'),
  base,
  transport: options.transport,
  playback: createPlayback(options),
  quirk,
  playing: false,
})

export function endSession(session: Session): void {
  session.playback.pause()
  session.transport.close()
}
