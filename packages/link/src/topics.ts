import { edgeName, identityOf } from './identity.ts'

const ROOT = 'vigia/v1/edges'

/** The cloud publishes the list of certificates in force here. Only the embedded broker reads this topic. */
export const CERTIFICATES_TOPIC = 'vigia/v1/broker/certificados'

export const topicNames = [
  'candidatos',
  'extras',
  'confirmacoes',
  'desejado',
  'relato',
  'presenca',
  'pedidos',
  'respostas',
  'aovivo',
  'renovacao',
  'certificado',
] as const
export type TopicName = (typeof topicNames)[number]
/** Topics that edges write. */
export const edgeTopicNames = [
  'candidatos',
  'extras',
  'relato',
  'presenca',
  'respostas',
  'aovivo',
  'renovacao',
] as const satisfies readonly TopicName[]
export type EdgeTopicName = (typeof edgeTopicNames)[number]
/** Whether an edge writes the topic. */
export const isEdgeTopic = (name: TopicName): name is EdgeTopicName => edgeTopicNames.some((one) => one === name)

export type EdgeTopics = { readonly [name in TopicName]: string }

const branch = (segment: string): EdgeTopics => ({
  candidatos: `${ROOT}/${segment}/candidatos`,
  extras: `${ROOT}/${segment}/extras`,
  confirmacoes: `${ROOT}/${segment}/confirmacoes`,
  desejado: `${ROOT}/${segment}/desejado`,
  relato: `${ROOT}/${segment}/relato`,
  presenca: `${ROOT}/${segment}/presenca`,
  pedidos: `${ROOT}/${segment}/pedidos`,
  respostas: `${ROOT}/${segment}/respostas`,
  aovivo: `${ROOT}/${segment}/aovivo`,
  renovacao: `${ROOT}/${segment}/renovacao`,
  certificado: `${ROOT}/${segment}/certificado`,
})

/**
 * The topics of one edge. Their segment is the certificate name (`edge-7`), not the bare number. The access rules of
 * mosquitto and EMQX can only substitute the whole user name.
 */
export const topics = (edgeId: number): EdgeTopics => branch(edgeName(edgeId))

/** Subscription filters of the cloud, which match every edge. */
export const everyEdge: EdgeTopics = branch('+')

/** Parses a topic of an edge; null for any other topic. */
export function parseTopic(topic: string): { readonly edgeId: number; readonly name: TopicName } | null {
  const match = /^vigia\/v1\/edges\/([^/]+)\/([^/]+)$/.exec(topic)
  const identity = identityOf(match?.[1] ?? '')
  const name = topicNames.find((candidate) => candidate === match?.[2])
  return identity?.kind === 'edge' && name !== undefined ? { edgeId: identity.edgeId, name } : null
}

/** Returns the edge of a topic; null for a topic of no edge. */
export const edgeIdOf = (topic: string): number | null => parseTopic(topic)?.edgeId ?? null
