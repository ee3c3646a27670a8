import type { AudioPacket } from './audio/audio-config.ts'
import type { StreamEnd } from './failure.ts'
import type { VideoPacket } from './packet.ts'
import type { PacketReader, ReaderSession } from './packet-reader.ts'

export interface AttachOptions {
  /** The connection waits for this reader, and an error in it ends the connection. */
  readonly awaited?: boolean
  /** Called when a reader without `awaited` fails and is detached. */
  onFault?(error: unknown): void
  /**
   * The reader has the packets of the current group of pictures already: it continues with the next packet, without a
   * call of `opened`.
   */
  readonly underWay?: boolean
}

export interface FanOutSession extends Omit<ReaderSession, 'fail'> {
  abort(): void
}

export interface FanOut {
  /** Returns a function that detaches the reader. */
  attach(reader: PacketReader, options?: AttachOptions): () => void
  open(session: FanOutSession): Promise<void>
  /** Settles when all awaited readers are done with the packet; undefined when they already are. */
  packet(packet: VideoPacket): Promise<unknown> | undefined
  /** A picture that no reader can begin with. */
  skipped(): void
  audio(packet: AudioPacket): void
  judge(now: number): StreamEnd | null
  end(): Promise<void>
  /** Settles when the awaited readers are closed; rejects with their first error. */
  close(): Promise<void>
}

interface Entry {
  readonly reader: PacketReader
  readonly awaited: boolean
  readonly onFault: (error: unknown) => void
  isOpen: boolean
  /** The pending call. */
  pending: Promise<void> | null
  /** False while the reader waits for the next keyframe. */
  following: boolean
}

/** `underWay`: it has the packets of the current group already. */
const entryOf = (
  reader: PacketReader,
  { awaited = false, onFault = () => {} }: AttachOptions,
  underWay: boolean,
): Entry => ({ reader, awaited, onFault, isOpen: underWay, pending: null, following: underWay })

const readerSession = (opened: FanOutSession, fail: ReaderSession['fail']): ReaderSession => ({
  live: opened.live,
  stallTimeoutMs: opened.stallTimeoutMs,
  parameters: opened.parameters,
  get closing() {
    return opened.closing
  },
  end: opened.end,
  fail,
})

/** Delivers packets to readers by the rules in `PacketReader`. */
export function createFanOut(): FanOut {
  const entries = new Set<Entry>()
  const awaitedFaults: unknown[] = []
  let session: FanOutSession | null = null

  const fault = (entry: Entry, error: unknown) => {
    if (entry.awaited) {
      awaitedFaults.push(error)
      session?.abort()
    } else {
      detach(entry)
      entry.onFault(error)
    }
  }

  /** Calls a reader. Returns a promise, which never rejects, only for an awaited reader. */
  const call = (entry: Entry, work: () => Promise<void> | void): Promise<void> | undefined => {
    try {
      const result = work()
      if (!(result instanceof Promise)) return undefined
      const settle = () => {
        if (entry.pending === pending) entry.pending = null
      }
      const pending = result.then(settle, (error: unknown) => {
        settle()
        fault(entry, error)
      })
      entry.pending = pending
      return entry.awaited ? pending : undefined
    } catch (error) {
      fault(entry, error)
      return undefined
    }
  }

  /** Calls a reader after its pending call has settled. */
  const callNext = (entry: Entry, work: () => Promise<void> | void): Promise<void> | undefined => {
    if (entry.pending === null) return call(entry, work)
    const next = entry.pending.then(() => call(entry, work))
    return entry.awaited ? next : undefined
  }

  const callAll = async (work: (entry: Entry) => Promise<void> | undefined) => {
    await Promise.all([...entries].map(work))
  }

  const openEntry = (entry: Entry, opened: FanOutSession): Promise<void> | undefined => {
    entry.isOpen = true
    entry.following = false
    return call(entry, () => entry.reader.opened?.(readerSession(opened, (error) => fault(entry, error))))
  }

  const closeEntry = (entry: Entry): Promise<void> | undefined => {
    if (!entry.isOpen) return undefined
    entry.isOpen = false
    return callNext(entry, () => entry.reader.closed?.())
  }

  const detach = (entry: Entry) => {
    if (entries.delete(entry)) void closeEntry(entry)
  }

  const deliver = (entry: Entry, packet: VideoPacket): Promise<void> | undefined => {
    entry.following = entry.pending === null && (entry.following || packet.keyframe)
    if (!entry.following) skip(entry)
    return entry.following ? call(entry, () => entry.reader.packet(packet)) : undefined
  }

  const skip = (entry: Entry) => {
    if (entry.pending === null) void call(entry, () => entry.reader.skipped?.())
  }

  return {
    attach(reader, options = {}) {
      const entry = entryOf(reader, options, session !== null && options.underWay === true)
      entries.add(entry)
      if (session && !entry.isOpen) void openEntry(entry, session)
      return () => detach(entry)
    },
    async open(opened) {
      session = opened
      await callAll((entry) => openEntry(entry, opened))
    },
    packet(packet) {
      let wait: Promise<unknown> | undefined
      for (const entry of entries) {
        const settled = deliver(entry, packet)
        if (settled !== undefined) wait = wait === undefined ? settled : Promise.all([wait, settled])
      }
      return wait
    },
    skipped: () => entries.forEach(skip),
    audio(packet) {
      for (const entry of entries) if (entry.following) void call(entry, () => entry.reader.audio?.(packet))
    },
    judge(now) {
      for (const { reader } of entries) {
        const end = reader.judge?.(now)
        if (end) return end
      }
      return null
    },
    end: () => callAll((entry) => callNext(entry, () => entry.reader.ended?.())),
    async close() {
      session = null
      await callAll(closeEntry)
      const [first] = awaitedFaults.splice(0)
      if (first !== undefined) throw first
    },
  }
}
