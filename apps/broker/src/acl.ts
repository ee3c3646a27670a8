import type { Identity } from '@vigia/link/identity'
import { CERTIFICATES_TOPIC, everyEdge, parseTopic, type TopicName, topics } from '@vigia/link/topics'

/** Who may write what, and what of it the broker may keep (retained). Everything that is not here is refused. */
const writes: { readonly [kind in Identity['kind']]: readonly TopicName[] } = {
  edge: ['candidatos', 'relato', 'presenca', 'respostas'],
  cloud: ['confirmacoes', 'desejado', 'pedidos'],
}
const retainable: readonly TopicName[] = ['presenca', 'desejado']
/** `presenca` stays in memory for as long as the broker runs; it is one small JSON object. */
const MAX_PRESENCE_BYTES = 256

export interface Publication {
  readonly topic: string
  readonly qos: number
  readonly retain: boolean
  readonly bytes: number
}

/** QoS 2 is nobody's: its half-open exchanges are kept in memory, and the link does not use it. */
export function mayPublish(identity: Identity, { topic, qos, retain, bytes }: Publication): boolean {
  if (qos > 1) return false
  // The list that decides on who gets in: the cloud's alone, and nobody hears it.
  if (topic === CERTIFICATES_TOPIC) return identity.kind === 'cloud'
  const target = parseTopic(topic)
  if (target === null) return false
  if (!writes[identity.kind].includes(target.name)) return false
  if (identity.kind === 'edge' && identity.edgeId !== target.edgeId) return false
  if (retain && !retainable.includes(target.name)) return false
  return target.name !== 'presenca' || bytes <= MAX_PRESENCE_BYTES
}

/** An edge hears what the cloud writes to it, by name; the cloud hears what edges write. No other filter is granted. */
export function maySubscribe(identity: Identity, filter: string, qos: number): boolean {
  if (qos > 1) return false
  const allowed =
    identity.kind === 'cloud'
      ? writes.edge.map((name) => everyEdge[name])
      : writes.cloud.map((name) => topics(identity.edgeId)[name])
  return allowed.includes(filter)
}
