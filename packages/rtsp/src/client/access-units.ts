import { type Codec, hasRecoveryPoint, isKeyType, type NalKind, nalHeaderBytes, nalKind, nalType } from './nal-types.ts'

/** A complete access unit without its presentation time. */
export interface AssembledUnit {
  /** All NAL units behind start codes of four bytes, in a separate copy. */
  readonly annexB: Buffer
  /** Views into `annexB`. */
  readonly nals: readonly Buffer[]
  readonly parameterSets: readonly Buffer[]
  readonly keyframe: boolean
  readonly timestamp: number
  readonly receivedAtMs: number
  readonly utcMs: number | null
}

export interface AccessUnitAssembler {
  /** Starts a packet; finishes the unit of an earlier timestamp. */
  packet(timestamp: number, receivedAtMs: number, utcMs: number | null): void
  /** Adds a whole NAL unit of this packet. */
  nal(bytes: Buffer, start: number, end: number): void
  /** Adds the first fragment of a NAL unit with the given header; `next` continues a unit of that type. */
  begin(header: readonly [number, number], bytes: Buffer, start: number, end: number): void
  next(type: number, bytes: Buffer, start: number, end: number): void
  /** The fragmented unit is complete. */
  finish(): void
  /** The packet ends. */
  endPacket(marker: boolean): void
  /** Reports missing packets before the next one, which has this timestamp. */
  lost(nextTimestamp: number): void
  /** Called at the end of the stream: passes on the last unit if its marker has arrived. */
  flush(): void
}

/** Largest NAL unit and access unit; pictures of 4096 x 4096 stay far below. */
const MAX_NAL_BYTES = 4 * 1024 * 1024
const MAX_UNIT_BYTES = 8 * 1024 * 1024
const MAX_NALS = 1024
const START_CODE = Buffer.from([0, 0, 0, 1])
/** Never occurs inside a NAL unit (H.264 7.4.1, H.265 7.4.2). */
const SHORT_START_CODE = START_CODE.subarray(1)
/** Number of consecutive units with one marker, on their last packet, after which the marker is trusted. */
const TRUSTED_AFTER = 3

export interface AssemblerHandlers {
  onUnit(unit: AssembledUnit): void
  /** A unit could not be completed: the following units refer to a missing picture. */
  onDamage(): void
  /** The damaged unit was a keyframe. */
  onDamagedKeyframe(): void
}

/**
 * Collects NAL units into access units (RFC 6184 5.1, RFC 7798 4.1). A unit ends where the timestamp changes or a new
 * picture begins. This rule delays each unit by one frame. After three units with exactly one marker, on their last
 * packet, a unit already ends at its marker. A slice of the same picture behind a marker ends that trust. Some encoders
 * send several NAL units with start codes as one: these are separated.
 */
export function createAssembler(codec: Codec, handlers: AssemblerHandlers): AccessUnitAssembler {
  const { onUnit, onDamage, onDamagedKeyframe } = handlers
  const headerBytes = nalHeaderBytes(codec)
  /** Reused for all units; grows to the largest unit. */
  let scratch = Buffer.allocUnsafe(64 * 1024)
  let used = 0
  /** Start of each unit in `scratch`, behind its start code. */
  const starts: number[] = []
  let setCount = 0
  let hasPicture = false
  let keyframe = false
  /** Some packet of the unit belongs to a keyframe. */
  let isOfKeyframe = false
  let damaged = false
  let fragmentOpen = false
  let timestamp = -1
  let packetAtMs = 0
  let packetUtcMs: number | null = null
  /** Timestamp and arrival of the unit's first packet. */
  let receivedAtMs = 0
  let utcMs: number | null = null
  let markers = 0
  let lastHadMarker = false
  let trusted = 0
  /** Timestamp of the last unit ended by a marker; -1: none. */
  let endedAt = -1

  function clear(): void {
    used = 0
    starts.length = 0
    setCount = 0
    hasPicture = false
    keyframe = false
    isOfKeyframe = false
    damaged = false
    fragmentOpen = false
    markers = 0
    lastHadMarker = false
  }

  function spoil(): void {
    fragmentOpen = false
    if (damaged) return
    damaged = true
    onDamage()
  }

  function close(): void {
    if (fragmentOpen) spoil()
    if (hasPicture && !damaged) {
      trusted = markers === 1 && lastHadMarker ? trusted + 1 : 0
      onUnit(build())
    } else if (damaged && isOfKeyframe) onDamagedKeyframe()
    clear()
  }

  function build(): AssembledUnit {
    const annexB = Buffer.allocUnsafeSlow(used)
    scratch.copy(annexB, 0, 0, used)
    const nals: Buffer[] = []
    const parameterSets: Buffer[] = []
    for (let i = 0; i < starts.length; i++) {
      const next = starts[i + 1]
      const nal = annexB.subarray(starts[i] ?? 0, next === undefined ? used : next - START_CODE.length)
      nals.push(nal)
      if (setCount > 0 && nalKind(codec, nalType(codec, nal, 0), 0) === 'parameter-set') parameterSets.push(nal)
    }
    return { annexB, nals, parameterSets, keyframe, timestamp, receivedAtMs, utcMs }
  }

  function append(bytes: Buffer, start: number, end: number): void {
    const length = used + end - start
    if (length > MAX_UNIT_BYTES || length - (starts.at(-1) ?? 0) > MAX_NAL_BYTES) {
      spoil()
      return
    }
    if (length > scratch.length) {
      const larger = Buffer.allocUnsafe(Math.min(MAX_UNIT_BYTES, Math.max(length, scratch.length * 2)))
      scratch.copy(larger, 0, 0, used)
      scratch = larger
    }
    bytes.copy(scratch, used, start, end)
    used = length
  }

  /** Starts a NAL unit in `scratch`; returns false when the unit is skipped. */
  function open(type: number, kind: NalKind): boolean {
    if (fragmentOpen) spoil()
    if (kind === 'slice' && !hasPicture && endedAt === timestamp && used === 0) {
      // The marker arrived inside a picture.
      trusted = 0
      endedAt = -1
      spoil()
    }
    if ((hasPicture || damaged) && kind !== 'slice' && kind !== 'other') close()
    // After a picture was passed on, NAL units that do not begin a new picture are dropped.
    if (kind === 'other' && endedAt === timestamp && used === 0) return false
    if (kind === 'slice' && !hasPicture) spoil()
    isOfKeyframe ||= isKeyType(codec, type)
    if (damaged) return false
    if (starts.length === MAX_NALS) {
      spoil()
      return false
    }
    if (starts.length === 0) {
      receivedAtMs = packetAtMs
      utcMs = packetUtcMs
    }
    append(START_CODE, 0, START_CODE.length)
    if (damaged) return false
    starts.push(used)
    if (kind === 'first-slice' || kind === 'slice') {
      hasPicture = true
      keyframe ||= isKeyType(codec, type)
    } else if (kind === 'parameter-set') setCount++
    return true
  }

  /** Adds one NAL unit without start codes. */
  function addWhole(bytes: Buffer, start: number, end: number): void {
    if (end - start <= headerBytes) return
    const type = nalType(codec, bytes, start)
    if (codec === 'h264' && type === 0) return
    if (!open(type, nalKind(codec, type, bytes[start + headerBytes] ?? 0))) return
    append(bytes, start, end)
    if (codec === 'h264' && type === 6 && hasRecoveryPoint(bytes, start, end)) keyframe = true
  }

  function addAll(bytes: Buffer, start: number, end: number): void {
    let from = start
    while (from < end) {
      const code = startCodeIn(bytes, from, end)
      addWhole(bytes, from, code < 0 ? end : withoutZeros(bytes, from, code))
      from = code < 0 ? end : code + SHORT_START_CODE.length
    }
  }

  /** Separates the NAL units behind the first one in the last entry of `scratch`. */
  function separate(): void {
    const start = starts.at(-1)
    const code = damaged || start === undefined ? -1 : startCodeIn(scratch, start, used)
    if (start === undefined || code < 0) return
    const others = Buffer.from(scratch.subarray(code, used))
    used = withoutZeros(scratch, start, code)
    if (used === start) {
      // The fragments begin with a start code.
      starts.pop()
      used -= START_CODE.length
    }
    addAll(others, 0, others.length)
  }

  return {
    packet(nextTimestamp, atMs, utc) {
      packetAtMs = atMs
      packetUtcMs = utc
      if (nextTimestamp === timestamp) return
      // Recorders also send parameter sets with the timestamp of another picture: these join the next picture.
      if (hasPicture || damaged || fragmentOpen) close()
      if (endedAt !== nextTimestamp) endedAt = -1
      timestamp = nextTimestamp
    },
    nal: addAll,
    begin(header, bytes, start, end) {
      const type = codec === 'h264' ? header[0] & 0x1f : (header[0] >> 1) & 0x3f
      if (!open(type, nalKind(codec, type, bytes[start] ?? 0))) return
      fragmentOpen = true
      append(Buffer.from(header), 0, headerBytes)
      append(bytes, start, end)
    },
    next(type, bytes, start, end) {
      isOfKeyframe ||= isKeyType(codec, type)
      if (fragmentOpen) append(bytes, start, end)
      else spoil()
    },
    finish() {
      const isWhole = fragmentOpen
      fragmentOpen = false
      if (isWhole) separate()
    },
    endPacket(marker) {
      lastHadMarker = marker
      if (!marker || !hasPicture) return
      markers++
      if (fragmentOpen || trusted < TRUSTED_AFTER) return
      endedAt = timestamp
      close()
    },
    lost(nextTimestamp) {
      const complete = lastHadMarker && hasPicture && !fragmentOpen && nextTimestamp !== timestamp
      if (complete) close()
      if (used > 0) spoil()
      else if (!damaged) onDamage()
    },
    flush() {
      if (lastHadMarker) close()
      clear()
    },
  }
}

/** Index of the next start code of three bytes in `bytes[start, end)`, or -1. */
function startCodeIn(bytes: Buffer, start: number, end: number): number {
  const at = bytes.subarray(start, end).indexOf(SHORT_START_CODE)
  return at < 0 ? -1 : start + at
}

/** End of a NAL unit that stands before the start code at `code`: zeros belong to the start code. */
function withoutZeros(bytes: Buffer, start: number, code: number): number {
  let end = code
  while (end > start && bytes[end - 1] === 0) end--
  return end
}
