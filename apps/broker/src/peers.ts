import type { TLSSocket } from 'node:tls'
import { type Identity, identityOf } from '@vigia/link/identity'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import type { Client, Connection } from 'aedes'
import type { Admission } from './admission.ts'
import type { AllowList, Holder } from './allow-list.ts'
import type { EdgeAccount, EdgeAccounts } from './edge-accounts.ts'
import type { Destination, Publication } from './forward-turns.ts'
import { type ConnectionBounds, type GuardedConnection, guardConnection } from './guarded-connection.ts'
import type { BrokerLimits } from './limits.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { StoredMessage } from './state-folder.ts'

/** The certificate holder of one socket. */
export interface Peer extends Holder {
  readonly address: string
  readonly guarded: GuardedConnection
  /** Marks the connection as admitted in the listener. */
  readonly admitted: () => void
  admission: Admission | null
  /** Last will of the client, retained. */
  will: StoredMessage | null
  refusedSubscriptions: number
  /** null: the cloud. */
  readonly account: EdgeAccount | null
  /** Publications that wait for their turn, or are being passed on. */
  readonly underWay: Set<Publication>
  /** Set at the admission of a cloud, which then reads the topics of edges. */
  destination: Destination | null
}

/** The peers whose sockets are open. */
export interface Peers {
  of(client: Client | null): Peer | undefined
  /** Takes a socket after its TLS handshake. null: the socket was refused and closed. `admitted`: as Peer. */
  accept(socket: TLSSocket, admitted: (name: string) => void): Peer | null
  /** Applies another list of certificates in force, also to connections during admission. */
  recheck(): void
  /** Number of admitted clients. */
  count(): Record<Identity['kind'], number>
}

interface PeersOptions {
  readonly limit: Pick<BrokerLimits, 'maxSocketsPerCertificate' | 'maxPublishBytes' | 'maxQueuedBytesOfCloud'>
  readonly allowList: Pick<AllowList, 'objection' | 'lineageOf'>
  readonly accounts: EdgeAccounts
  readonly refusals: RefusalLog
  /** The cloud reads again: its queue is shorter. */
  onProgress(destination: Destination): void
  onLeft(peer: Peer): void
}

export function createPeers(options: PeersOptions): Peers {
  const { limit, allowList, accounts, refusals } = options
  const peers = new WeakMap<Connection, Peer>()
  const present = new Set<Peer>()
  /**
   * Counted by certificate and not by name, because a replaced edge must not exhaust the connections of its successor.
   */
  const socketsOf = new Map<string, Set<TLSSocket>>()

  /** The cloud is read without a rate. A queue that gets shorter lets waiting publications pass. */
  function ofCloud(destination: () => Destination | null): Omit<ConnectionBounds, 'maxPublishBytes'> {
    let before = 0
    return {
      rateWaitMs: () => 0,
      reserve: () => true,
      mayQueue(bytes) {
        const reader = destination()
        if (bytes < before && reader) options.onProgress(reader)
        before = bytes
        return bytes <= limit.maxQueuedBytesOfCloud
      },
    }
  }

  return {
    of: (client) => (client === null ? undefined : peers.get(client.conn)),
    accept(socket, admitted) {
      const address = `${socket.remoteAddress}:${socket.remotePort}`
      const { subject, fingerprint256 } = socket.getPeerCertificate()
      const { CN: name } = subject
      // The value is an array for a certificate with two names, and undefined for one without a name.
      const identity = typeof name === 'string' ? identityOf(name) : null
      if (typeof name !== 'string' || identity === null) {
        refusals.log({ endereco: address }, 'certificate name refused')
        socket.destroy()
        return null
      }
      const sha256 = plainFingerprint(fingerprint256)
      const open = socketsOf.get(sha256) ?? new Set()
      if (open.size >= limit.maxSocketsPerCertificate) {
        refusals.log({ endereco: address, cliente: name }, 'too many connections with one certificate')
        socket.destroy()
        return null
      }
      socketsOf.set(sha256, open.add(socket))
      socket.setNoDelay(true)
      const account = identity.kind === 'edge' ? accounts.open(allowList.lineageOf(identity.edgeId)) : null
      const bounds = account ?? ofCloud(() => peer.destination)
      const guarded = guardConnection(socket, { maxPublishBytes: limit.maxPublishBytes, ...bounds })
      const peer: Peer = {
        name,
        identity,
        sha256,
        address,
        guarded,
        admitted: () => admitted(name),
        admission: null,
        will: null,
        refusedSubscriptions: 0,
        account,
        underWay: new Set(),
        destination: null,
      }
      peers.set(guarded.stream, peer)
      present.add(peer)
      socket.once('close', () => {
        present.delete(peer)
        options.onLeft(peer)
        open.delete(socket)
        if (open.size === 0) socketsOf.delete(sha256)
      })
      return peer
    },
    recheck() {
      for (const { account, identity } of present)
        if (identity.kind === 'edge') account?.regroup(allowList.lineageOf(identity.edgeId))
      for (const { admission, guarded, ...holder } of present) {
        const objection = admission?.ok === true ? allowList.objection(holder) : null
        if (objection !== null) guarded.stream.destroy(new Error(objection))
      }
    },
    count() {
      const counts = { edge: 0, cloud: 0 }
      for (const { admission, identity } of present) if (admission?.ok === true) counts[identity.kind] += 1
      return counts
    },
  }
}
