import { type Identity, isClientIdOf } from '@vigia/link/identity'
import { mayPublish } from './acl.ts'

/** The fields of an MQTT CONNECT that admission depends on. */
export interface ConnectRequest {
  readonly clientId: string
  readonly protocolVersion?: number | undefined
  readonly clean?: boolean | undefined
  readonly keepalive?: number | undefined
  readonly username?: string | undefined
  readonly will?: WillRequest | undefined
}

interface WillRequest {
  readonly topic: string
  readonly payload: Buffer | string
  readonly qos?: number | undefined
  readonly retain?: boolean | undefined
}

/** `returnCode`: MQTT 3.1.1 section 3.2.2.3. */
export type Admission =
  | { readonly ok: true; readonly keepaliveS: number }
  | { readonly ok: false; readonly returnCode: 2 | 3 | 4 | 5; readonly motivo: string }

const MAX_KEEPALIVE_S = 120

/**
 * Admits or refuses the CONNECT of a certificate holder. `name` is the CN, `identity` its parsed form, and `objection`
 * the reason to refuse this certificate (allow-list.ts).
 */
export function admit(
  request: ConnectRequest,
  { name, identity, objection }: { name: string; identity: Identity; objection: string | null },
): Admission {
  const refuse = (returnCode: 2 | 4 | 5, motivo: string): Admission => ({ ok: false, returnCode, motivo })
  const keepaliveS = request.keepalive ?? 0
  if (objection !== null) return refuse(5, objection)
  if (!isClientIdOf(name, request.clientId)) return refuse(2, 'client id is not the certificate name')
  if (request.username !== undefined && request.username !== name) return refuse(4, 'user is not the certificate name')
  if (request.protocolVersion !== 4) return refuse(5, 'not MQTT 3.1.1')
  // A persistent session would collect messages in memory for a client that may never return.
  if (request.clean !== true) return refuse(5, 'clean session required')
  if (keepaliveS < 1 || keepaliveS > MAX_KEEPALIVE_S) return refuse(5, 'keep alive out of range')
  if (request.will !== undefined && !mayLeave(request.will, identity)) return refuse(5, 'last will not allowed')
  return { ok: true, keepaliveS }
}

const mayLeave = ({ topic, payload, qos = 0, retain = false }: WillRequest, identity: Identity): boolean =>
  mayPublish(identity, { topic, qos, retain, bytes: Buffer.byteLength(payload) })
