import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { type OwnerReading, readOwner, socketAddress } from './read-owner.ts'
import { sealReplicaToken } from './replica-token.ts'
import { findOwner, type StreamOwner } from './store.ts'
import {
  AGAIN,
  addRecord,
  enter,
  keyOf,
  OWNER_MS,
  pause,
  priorityOf,
  REPLICA_PATH,
  type Stream,
  type TurnEnd,
} from './stream-state.ts'

export interface FollowDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  readonly replica: Pick<Replica, 'name' | 'others'>
}

interface FollowTimes {
  /** A lower priority of the viewers reaches the owner after this time. */
  readonly repeatMs: number
  /** An owner without a record for this time is lost. */
  readonly silentMs: number
}

/** Pause before the owner of a stream is looked up again. */
const RETRY_MS = 500
const CHECK_MS = 1_000
/** A stream is read from its owner for this time after the last viewer of this process. The owner waits too. */
const READER_LINGER_MS = 5_000

/** Returns a function that serves the viewers of a stream from its owner, until the stream must be claimed. */
export function createFollower(deps: FollowDeps, { repeatMs, silentMs }: FollowTimes, stopping: AbortSignal) {
  const { db, clock, box, replica } = deps

  /** One connection to the owner, which counts there as one viewer with the highest priority of those here. */
  async function read(
    stream: Stream,
    { replica: para, epoca }: StreamOwner,
    url: string,
  ): Promise<TurnEnd | 'perdida'> {
    const { cameraId: camera, fluxo } = stream
    const begun = performance.now()
    const prioridade = priorityOf(stream)
    const isRaised = () => prioridade === 'mosaico' && priorityOf(stream) === 'aberta'
    const reading: OwnerReading = readOwner({
      address: socketAddress(url, `${REPLICA_PATH}/${keyOf(stream)}?epoca=${epoca}&prioridade=${prioridade}`),
      token: sealReplicaToken(box, { uso: 'ler', camera, fluxo, epoca, para }, clock.now()),
      onPartMs(partMs) {
        stream.partMs = partMs
        enter(stream, epoca)
      },
      onRecord: (registro, bytes) => addRecord(stream, registro, bytes),
      onEnd: () => stream.wake(),
    })
    const isOver = () => reading.end !== null || stream.seats.size === 0 || isRaised()
    try {
      while (reading.end === null && !stopping.aborted) {
        await pause(stream, CHECK_MS, stopping, isOver)
        if (stream.seats.size === 0)
          await pause(stream, READER_LINGER_MS, stopping, () => reading.end !== null || stream.seats.size > 0)
        if (stream.evicted) return 'sem_memoria'
        if (stream.seats.size === 0) return null
        const isLowered = priorityOf(stream) !== prioridade && performance.now() - begun > repeatMs
        if (isRaised() || isLowered) return AGAIN
        if (performance.now() - Math.max(begun, stream.recordAt) > silentMs) return 'perdida'
      }
      stream.causa = reading.causa
      return reading.end ?? AGAIN
    } finally {
      reading.close()
    }
  }

  /** Reads the stream from its owner, or waits until the lease of an owner that does not run has ended. */
  return async (stream: Stream): Promise<TurnEnd> => {
    if (replica.name === undefined) return 'outra_replica'
    if (stream.seats.size === 0) return null
    const owner = await findOwner(db, stream)
    const running = replica.others().find(({ id }) => id === owner?.replica)
    if (running?.url === null) return 'outra_replica'
    if (owner && running?.url) {
      const end = await read(stream, owner, running.url)
      if (end !== 'perdida') return end
    }
    if (performance.now() - stream.recordAt > silentMs + OWNER_MS) return 'sem_dados'
    await pause(stream, RETRY_MS, stopping, () => false)
    return AGAIN
  }
}
