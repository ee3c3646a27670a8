import { createHash, X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Relato } from '@vigia/contracts/edge-state'
import { ativadoSchema, ativarSchema } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import { ensurePrivateDir, readIfExists, replaceFile } from '@vigia/link/pki/files'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import { z } from 'zod'

/** The identity of this edge: the result of the activation and its two private keys. */
const identitySchema = ativadoSchema.extend({
  /** Private key of the client certificate, PEM. */
  chave_tls: z.string().min(1),
  /** Private JWK to which the cloud encrypts recorder passwords. */
  chave_cifra: ativarSchema.shape.chave_cifra.extend({ d: z.string().min(1).max(100) }),
  /** SHA-256 (hex) of the code that was exchanged for it, so that a remaining copy of the code is not tried again. */
  codigo_sha256: z.string().nullable().default(null),
})
export type EdgeIdentity = z.infer<typeof identitySchema>

export interface IdentityStore {
  /** null: never activated. Throws if the file exists and is unreadable, because only a manual repair helps. */
  load(): Promise<EdgeIdentity | null>
  /** Atomic, mode 0600. */
  save(identity: EdgeIdentity): Promise<void>
}

/** The identity in use, which a renewal or a new activation replaces while the program runs. */
export interface HeldIdentity {
  current(): EdgeIdentity
  /** Writes the identity to the disk, then uses it. Rejects without a change if the write fails. */
  replace(next: EdgeIdentity): Promise<void>
}

/** Certificates and key of the connection to the broker. */
export const tlsOf = ({ ca, certificado, chave_tls }: EdgeIdentity) => ({ ca, cert: certificado, key: chave_tls })

export function holdIdentity(store: Pick<IdentityStore, 'save'>, identity: EdgeIdentity): HeldIdentity {
  let held = identity
  return {
    current: () => held,
    async replace(next) {
      await store.save(next)
      held = next
    },
  }
}

/** The cloud's count of each camera at the activation: the outbox continues from there and never goes below it. */
export const sequencesOf = ({ sequencias }: EdgeIdentity): ReadonlyMap<number, number> =>
  new Map(Object.entries(sequencias).map(([camera, seq]) => [Number(camera), seq]))

/** Names this edge of this installation, over renewals and new activations. */
export const nameOfEdge = ({ edge_id, ca }: Pick<EdgeIdentity, 'edge_id' | 'ca'>): string =>
  createHash('sha256')
    .update(new X509Certificate(ca).publicKey.export({ type: 'spki', format: 'der' }))
    .update(String(edge_id))
    .digest('hex')

/** The certificate in the format of reports. */
export function certificateOf({ certificado }: EdgeIdentity): Relato['certificado'] {
  const { fingerprint256, validToDate } = new X509Certificate(certificado)
  return { sha256: plainFingerprint(fingerprint256), vence_em: validToDate.getTime() }
}

/** No record of this edge is older, in epoch ms. */
export const beganAt = ({ certificado }: EdgeIdentity): number =>
  new X509Certificate(certificado).validFromDate.getTime()

export function createIdentityStore(dataDir: string): IdentityStore {
  const dir = join(dataDir, 'identidade')
  const file = join(dir, 'identidade.json')
  return {
    async load() {
      const text = await readIfExists(file)
      return text === null ? null : parseIdentity(text, file)
    },
    async save(identity) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await ensurePrivateDir(dir)
      await replaceFile(file, `${JSON.stringify(identity, null, 2)}\n`)
    },
  }
}

function parseIdentity(text: string, file: string): EdgeIdentity {
  try {
    return identitySchema.parse(JSON.parse(text))
  } catch {
    // Without the cause: the message of a JSON error quotes the text, which contains the private keys.
    throw new VigiaError('interno', {
      detalhe:
        `A identidade desta caixa está danificada. Restaure ${file} de uma cópia, ` +
        'ou apague-o e ative a caixa com um código novo.',
    })
  }
}
