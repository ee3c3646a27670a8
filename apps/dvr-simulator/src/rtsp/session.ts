import { randomBytes } from 'node:crypto'
import type { QuirkName } from '../quirks.ts'
import type { AudioPlayback } from '../rtp/audio.ts'
import type { Playback } from '../rtp/playback.ts'
import type { MediaTransport } from '../rtp/transport.ts'

export interface SessionAudio {
  readonly transport: MediaTransport
  readonly playback: AudioPlayback
}

/** The stream of one client after SETUP (RFC 2326 appendix A: Ready, Playing). */
export interface Session {
  readonly id: string
  readonly base: string
  readonly transport: MediaTransport
  readonly playback: Playback
  readonly quirk: QuirkName | null
  playing: boolean
  audio: SessionAudio | null
  /** Frees its place in the archive. */
  leave(): void
}

export const createSession = (
  session: Pick<Session, 'base' | 'transport' | 'playback' | 'quirk' | 'leave'>,
  id: string | null,
): Session => ({ ...session, id: id ?? randomBytes(8).toString('hex'), playing: false, audio: null })

export function endSession(session: Session): void {
  session.playback.pause()
  session.transport.close()
  session.audio?.playback.pause()
  session.audio?.transport.close()
  session.leave()
}
