import { edgeName, identityOf } from './identity.ts'

const ROOT = 'vigia/v1/edges'

/** Where the cloud tells the embedded broker which certificates are in force; of no edge's branch, and heard by nobody else. */
export const CERTIFICATES_TOPIC = 'vigia/v1/broker/certificados'

export const topicNames = [
  'candidatos',
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
export type EdgeTopics = { readonly [name in TopicName]: string }

const branch = (segment: string): EdgeTopics => ({
  candidatos: `${ROOT}/${segment}/candidatos`,
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
 * The branch of one edge. Its segment is the certificate name (`edge-7`), not the bare number: the access rules of
 * mosquitto and EMQX substitute the user name as it is and can cut nothing off it.
 */
export const topics = (edgeId: number): EdgeTopics => branch(edgeName(edgeId))

/** The filters under which the cloud hears every edge. */
export const everyEdge: EdgeTopics = branch('+')

/** Reads a topic back; null when it is not one of ours. */
export function parseTopic(topic: string): { readonly edgeId: number; readonly name: TopicName } | null {
  const match = /^vigia\/v1\/edges\/([^/]+)\/([^/]+)$/.exec(topic)
  const identity = identityOf(match?.[1] ?? '')
  const name = topicNames.find((candidate) => candidate === match?.[2])
  return identity?.kind === 'edge' && name !== undefined ? { edgeId: identity.edgeId, name } : null
}

/** The edge to whose branch a topic belongs; null when it is not one of ours. */
export const edgeIdOf = (topic: string): number | null => parseTopic(topic)?.edgeId ?? null
