/** Identity of a client of the broker: its certificate's CN, which is also its MQTT client id and user name. */
export type Identity = { readonly kind: 'cloud' } | { readonly kind: 'edge'; readonly edgeId: number }

export const CLOUD_NAME = 'cloud'

/**
 * Returns the MQTT client id of a replica of the cloud. Replicas share the certificate name `cloud`, so that the access
 * rules of a broker know them all.
 */
export function replicaName(replica: string): string {
  const name = `${CLOUD_NAME}-${replica}`
  if (!isClientIdOf(CLOUD_NAME, name)) throw new RangeError(`invalid name of a replica: ${replica}`)
  return name
}

/** Whether the holder of a certificate may use this client id: its name, or for the cloud that of a replica. */
export const isClientIdOf = (commonName: string, clientId: string): boolean =>
  clientId === commonName || (commonName === CLOUD_NAME && /^cloud-[a-z0-9][a-z0-9-]{0,62}$/.test(clientId))

/** Returns the certificate CN of an edge, which is also its MQTT client id. */
export function edgeName(edgeId: number): string {
  if (!Number.isSafeInteger(edgeId) || edgeId < 1) throw new RangeError(`edge id out of range: ${edgeId}`)
  return `edge-${edgeId}`
}

/** Parses a certificate name; null for any other name. Each edge id has exactly one valid name. */
export function identityOf(commonName: string): Identity | null {
  if (commonName === CLOUD_NAME) return { kind: 'cloud' }
  const match = /^edge-([1-9]\d{0,9})$/.exec(commonName)
  return match?.[1] === undefined ? null : { kind: 'edge', edgeId: Number(match[1]) }
}
