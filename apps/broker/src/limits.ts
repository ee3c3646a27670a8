import type { PerLevel } from '@vigia/link/edge-lineage'
import { MAX_PACKET_BYTES, RATES } from '@vigia/link/limits'
import type { ShareLimits } from '@vigia/link/shares'
import { DEFAULT_HANDSHAKES, type HandshakeLimits } from './handshake-gate.ts'

const MIB = 1024 * 1024

export interface BrokerLimits {
  readonly maxConnections: number
  /** Largest number of admitted connections of one edge, of the edges of an Empresa and of a root Empresa. */
  readonly connections: PerLevel
  readonly handshakes: HandshakeLimits
  /** Time limit of each of the TCP, TLS and MQTT handshakes. */
  readonly handshakeMs: number
  readonly maxPublishBytes: number
  /** Unsent bytes to the cloud, above which the broker ends the connection. */
  readonly maxQueuedBytesOfCloud: number
  /** Unsent bytes to edges that do not read. */
  readonly queuedBytes: ShareLimits
  /** Average packets and bytes a second that the broker reads from edges. A faster one is read more slowly. */
  readonly rates: { readonly packets: PerLevel; readonly bytes: PerLevel }
  /** Bytes of publications above 64 KiB that are being received, or wait for their turn. */
  readonly receivedBytes: ShareLimits
  /** Unsent bytes to the cloud above which publications of edges wait for their turn. */
  readonly forwardAboveBytes: number
  /** Time without a byte to the cloud after which what edges repeat is dropped instead of waiting. */
  readonly stalledMs: number
  /** Largest number of open sockets of one certificate, including sockets about to be replaced. */
  readonly maxSocketsPerCertificate: number
  /**
   * Largest number of refused subscriptions; then the connection ends. Granted subscriptions are bounded by the topic
   * list.
   */
  readonly maxRefusedSubscriptions: number
  /** Retained messages and their bytes. They stay in memory as long as the broker runs. */
  readonly retained: { readonly messages: ShareLimits; readonly bytes: ShareLimits }
}

export const DEFAULT_LIMITS: BrokerLimits = {
  maxConnections: 4096,
  connections: { edge: 8, empresa: 3072, root: 3072 },
  handshakes: DEFAULT_HANDSHAKES,
  handshakeMs: 10_000,
  maxPublishBytes: MAX_PACKET_BYTES,
  maxQueuedBytesOfCloud: 128 * MIB,
  queuedBytes: { edge: 8 * MIB, empresa: 32 * MIB, root: 64 * MIB, installation: 256 * MIB },
  // The cloud's own limit for one edge (VIGIA_KB_SEGUNDO_EDGE). Without it the cloud spends its time on reading bytes
  // that it drops.
  rates: RATES,
  // Two of the largest packets of one edge.
  receivedBytes: { edge: 12 * MIB, empresa: 32 * MIB, root: 64 * MIB, installation: 256 * MIB },
  forwardAboveBytes: MIB,
  stalledMs: 5_000,
  maxSocketsPerCertificate: 8,
  maxRefusedSubscriptions: 16,
  // For one root presence and desired state of two thousand edges, 60 kB each.
  retained: {
    messages: { edge: 4, empresa: 4096, root: 4096, installation: 8192 },
    bytes: { edge: 8 * MIB, empresa: 128 * MIB, root: 128 * MIB, installation: 256 * MIB },
  },
}
