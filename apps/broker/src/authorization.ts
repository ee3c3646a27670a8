import { CERTIFICATES_TOPIC, parseTopic } from '@vigia/link/topics'
import type { AedesOptions, AuthenticateError, Client } from 'aedes'
import { mayPublish, maySubscribe } from './acl.ts'
import { type Admission, admit } from './admission.ts'
import type { AllowList } from './allow-list.ts'
import type { BrokerMetrics } from './broker-metrics.ts'
import type { BrokerLimits } from './limits.ts'
import type { Peers } from './peers.ts'
import type { Publications } from './publications.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { RetainedStates } from './retained-states.ts'

/** For a client of an Empresa or a root with all its connections. */
const TOO_MANY: Admission = { ok: false, returnCode: 3, motivo: 'too many connections of this Empresa' }
/** Topics whose messages an edge repeats, or that are useless later: dropped while the cloud takes nothing. */
export const SHEDDABLE = ['candidatos', 'extras', 'aovivo'] as const
const isSheddable = (name: string | undefined): name is (typeof SHEDDABLE)[number] =>
  SHEDDABLE.some((each) => each === name)
/** Name of the list of certificates in the metrics. */
const OWN_TOPIC = 'certificados'

interface AuthorizationOptions {
  readonly limit: Pick<BrokerLimits, 'maxRefusedSubscriptions'>
  readonly allowList: AllowList
  readonly peers: Peers
  readonly publications: Publications
  readonly states: RetainedStates
  readonly refusals: RefusalLog
  readonly count: BrokerMetrics
  /** As `Sessions`: gives the name of the client to it. */
  takeSession(client: Client): Promise<boolean>
}

type Authorization = Required<
  Pick<AedesOptions, 'preConnect' | 'authenticate' | 'authorizePublish' | 'authorizeSubscribe' | 'authorizeForward'>
>

/** Decides which client enters, and which messages each client may send and receive. */
export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { limit, allowList, peers, publications, states, refusals, count } = options

  function enforce(list: Buffer): boolean {
    if (!allowList.replace(list)) return false
    states.regroup()
    peers.recheck()
    return true
  }

  return {
    preConnect: (client, packet, done) => {
      const peer = peers.of(client)
      if (peer === undefined) return done(new Error('unknown connection'), false)
      const admission = admit(packet, { ...peer, objection: allowList.objection(peer) })
      const hasSpace = !admission.ok || peer.account === null || peer.account.admit()
      peer.admission = hasSpace ? admission : TOO_MANY
      if (peer.admission.ok) peer.guarded.expectBytesEvery(peer.admission.keepaliveS * 1500)
      const { will } = packet
      if (will?.retain === true) peer.will = { topic: will.topic, payload: Buffer.from(will.payload) }
      // GuardedConnection measures the keep-alive, because aedes counts only whole packets.
      packet.keepalive = 0
      done(null, true)
    },
    authenticate: (client, _user, _password, done) => {
      const peer = peers.of(client)
      if (peer?.admission?.ok !== true) {
        const { returnCode = 5, motivo = 'unknown connection' } = peer?.admission ?? {}
        return done(refusal(motivo, returnCode), false)
      }
      peer.admitted()
      if (peer.identity.kind === 'cloud') publications.readAs(peer, client)
      // The client id is the name of the certificate, or that of one replica of the cloud.
      options.takeSession(client).then(
        (taken) => (taken ? done(null, true) : done(refusal('session not free', 3), false)),
        (error: Error) => done(refusal(error.message, 3), false),
      )
    },
    authorizePublish: (client, packet, done) => {
      const { topic, qos, retain } = packet
      const peer = peers.of(client)
      const payload = Buffer.from(packet.payload)
      if (peer === undefined || !mayPublish(peer.identity, { topic, qos, retain, bytes: payload.length })) {
        refusals.log({ cliente: peer?.name, topico: topic.slice(0, 100) }, 'publish refused')
        return done(new Error('publish not allowed'))
      }
      count.message(parseTopic(topic)?.name ?? OWN_TOPIC, payload.length)
      // A last will has no command and comes from a connection that has ended.
      const { account } = peer
      const inTurn =
        account !== null && packet.cmd === 'publish' ? publications.waitForTurn(peer, account, packet, done) : done
      if (topic === CERTIFICATES_TOPIC) {
        // No client subscribes to this topic; the state folder stores it.
        packet.retain = false
        // The list is stored before the PUBACK, which therefore proves that the list is in force, also after a restart.
        if (!enforce(payload)) return done(new Error('unreadable list'))
        return void states.keepList(payload).then(() => done(null))
      }
      if (retain && !states.retain(topic, payload)) {
        packet.retain = false
        refusals.log(
          { topico: topic, bytes: payload.length },
          'no room for another retained state: passed on, not kept',
        )
      }
      inTurn(null)
    },
    authorizeSubscribe: (client, subscription, done) => {
      const peer = peers.of(client)
      if (peer !== undefined && maySubscribe(peer.identity, subscription.topic, subscription.qos)) {
        return done(null, subscription)
      }
      refusals.log({ cliente: peer?.name, topico: subscription.topic.slice(0, 100) }, 'subscription refused')
      if (peer !== undefined) {
        peer.refusedSubscriptions += 1
        if (peer.refusedSubscriptions > limit.maxRefusedSubscriptions)
          return done(new Error('too many subscriptions refused'))
      }
      done(null, null)
    },
    authorizeForward: (client, packet) => {
      const name = parseTopic(packet.topic)?.name
      const peer = peers.of(client)
      if (!isSheddable(name) || !peer?.destination || !publications.isStalled(peer.destination)) return packet
      refusals.log(
        { cliente: peer.name, topico: packet.topic },
        'client does not read fast enough: message not passed on',
      )
      count.dropped(name)
      return null
    },
  }
}

const refusal = (motivo: string, returnCode: number): AuthenticateError =>
  Object.assign(new Error(motivo), { returnCode })
