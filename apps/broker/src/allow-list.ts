import { certificadosSchema } from '@vigia/contracts/edge-state'
import type { Identity } from '@vigia/link/identity'
import { decodeMessage } from '@vigia/link/messages'

/** Which certificates are in force, as the cloud last said. A signature of the CA alone outlives the edge it was given to. */
export interface AllowList {
  /** Puts a new list in force. false: unreadable, and the one before stays. */
  replace(payload: Buffer): boolean
  /** Why the holder of a certificate may not be here; null when there is nothing against it. */
  objection(holder: Holder): string | null
}

export interface Holder {
  /** CN of the certificate. */
  readonly name: string
  readonly identity: Identity
  /** SHA-256 of the certificate, hex. */
  readonly sha256: string
}

/** Starts closed: before there is a list nobody knows who was removed, and nothing could be stored anyway. */
export function createAllowList(): AllowList {
  let inForce: ReadonlyMap<string, readonly string[]> | null = null
  return {
    replace: (payload) => {
      const list = decodeMessage(certificadosSchema, payload)
      if (list === null) return false
      inForce = new Map(Object.entries(list.certificados))
      return true
    },
    objection: ({ name, identity, sha256 }) => {
      if (identity.kind === 'cloud') return null
      if (inForce === null) return 'no list of certificates yet'
      return inForce.get(name)?.includes(sha256) === true ? null : 'certificate not in force'
    },
  }
}
