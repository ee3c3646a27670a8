import type { Span } from '../playback-urls.ts'
import type { DeviceAnswer } from './device-http.ts'

/** Files of a recorder in true time. They may overlap, and are in no order. */
export interface ListedFiles {
  readonly files: readonly Span[]
  /** False: the recorder holds more than the limits of this client allow to list. */
  readonly isComplete: boolean
}

/**
 * `forbidden`: the login may not play recordings. `absent`: this port has no such call. Otherwise as in DeviceAnswer.
 */
export interface ListFailure {
  readonly failure: 'forbidden' | 'absent' | Exclude<DeviceAnswer['kind'], 'answer'>
}
