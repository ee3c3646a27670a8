import { certificadosSchema } from '@vigia/contracts/edge-state'
import { type EdgeLineage, ownLineage, readGroups } from '@vigia/link/edge-lineage'
import { edgeName, type Identity } from '@vigia/link/identity'
import { decodeMessage } from '@vigia/link/messages'

/**
 * The certificates in force, from the cloud's last list. The CA's signature is not enough, because it stays valid after
 * an edge was removed.
 */
export interface AllowList {
  /** Replaces the list. false: the new list is unreadable and the previous one stays. */
  replace(payload: Buffer): boolean
  /** Reason to refuse the certificate; null: it is in force. */
  objection(holder: Holder): string | null
  /** The Empresa and the root of an edge, by the edge that stands first in each. */
  lineageOf(edgeId: number): EdgeLineage
}

export interface Holder {
  /** CN of the certificate. */
  readonly name: string
  readonly identity: Identity
  /** SHA-256 of the certificate, hex. */
  readonly sha256: string
}

/** Without a list every edge is refused, because removed edges are unknown. */
export function createAllowList(): AllowList {
  let inForce: ReadonlyMap<string, readonly string[]> | null = null
  let lineages: ReadonlyMap<string, EdgeLineage> = new Map()
  let newest = 0
  return {
    replace: (payload) => {
      const list = decodeMessage(certificadosSchema, payload)
      if (list === null) return false
      // A replica that was frozen sends its older list late.
      if (list.versao !== undefined && list.versao < newest) return true
      newest = list.versao ?? newest
      inForce = new Map(Object.entries(list.certificados))
      lineages = readGroups([...inForce.keys()], list.grupos ?? [])
      return true
    },
    objection: ({ name, identity, sha256 }) => {
      if (identity.kind === 'cloud') return null
      if (inForce === null) return 'no list of certificates yet'
      return inForce.get(name)?.includes(sha256) === true ? null : 'certificate not in force'
    },
    lineageOf: (edgeId) => lineages.get(edgeName(edgeId)) ?? ownLineage(edgeId),
  }
}
