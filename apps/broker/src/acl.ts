import type { Identity } from '@vigia/link/identity'
import { MESSAGE_BYTES } from '@vigia/link/limits'
import { CERTIFICATES_TOPIC, everyEdge, isEdgeTopic, parseTopic, type TopicName, topics } from '@vigia/link/topics'

interface Rule {
  readonly writer: Identity['kind']
  /** Whether the message may be retained. */
  readonly retainable?: true
  readonly maxQos: 0 | 1
}

/**
 * Topics and their writers. All other topics are refused. QoS 2 is refused to all clients, because its incomplete
 * exchanges stay in memory.
 */
const rules: { readonly [name in TopicName]: Rule } = {
  candidatos: { writer: 'edge', maxQos: 1 },
  extras: { writer: 'edge', maxQos: 1 },
  relato: { writer: 'edge', maxQos: 1 },
  // Retained as long as the broker runs; one small JSON object.
  presenca: { writer: 'edge', retainable: true, maxQos: 1 },
  respostas: { writer: 'edge', maxQos: 1 },
  renovacao: { writer: 'edge', maxQos: 1 },
  // QoS 0: a late picture is useless and never repeated.
  aovivo: { writer: 'edge', maxQos: 0 },
  confirmacoes: { writer: 'cloud', maxQos: 1 },
  desejado: { writer: 'cloud', retainable: true, maxQos: 1 },
  pedidos: { writer: 'cloud', maxQos: 1 },
  certificado: { writer: 'cloud', maxQos: 1 },
}

const writtenBy = (kind: Identity['kind']): readonly TopicName[] =>
  (Object.keys(rules) as TopicName[]).filter((name) => rules[name].writer === kind)

export interface Publication {
  readonly topic: string
  readonly qos: number
  readonly retain: boolean
  readonly bytes: number
}

export function mayPublish(identity: Identity, { topic, qos, retain, bytes }: Publication): boolean {
  // Topic of the list of certificates in force. Only the cloud writes it, and no client reads it.
  if (topic === CERTIFICATES_TOPIC) return identity.kind === 'cloud' && qos <= 1
  const target = parseTopic(topic)
  if (target === null) return false
  const rule = rules[target.name]
  // The cloud clears the presence of a removed edge.
  if (identity.kind === 'cloud' && target.name === 'presenca') return retain && bytes === 0 && qos <= rule.maxQos
  if (rule.writer !== identity.kind) return false
  if (identity.kind === 'edge' && identity.edgeId !== target.edgeId) return false
  if (qos > rule.maxQos) return false
  if (retain && rule.retainable !== true) return false
  // Messages of the cloud have the limit of a packet only.
  return !isEdgeTopic(target.name) || bytes <= MESSAGE_BYTES[target.name]
}

/**
 * An edge may subscribe to the topics that the cloud writes for it, by exact name. The cloud may subscribe to the
 * topics that edges write, of every edge or, as one of several replicas, of single ones. No other filter is granted.
 */
export function maySubscribe(identity: Identity, filter: string, qos: number): boolean {
  if (qos > 1) return false
  if (identity.kind === 'edge') return writtenBy('cloud').some((name) => topics(identity.edgeId)[name] === filter)
  const target = parseTopic(filter)
  return writtenBy('edge').some((name) => everyEdge[name] === filter || target?.name === name)
}
