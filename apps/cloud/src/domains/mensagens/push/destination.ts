import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { DestinoPush } from '../../../adapters/senders/push-sender.ts'
import type { InscricaoRow } from '../../../db/rows.ts'

const destinoSchema = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() })

export const endpointHash = (endpoint: string): string => createHash('sha256').update(endpoint).digest('hex')

export const sealDestination = (box: SecretBox, id: number, destino: DestinoPush): string =>
  box.seal(JSON.stringify(destino), secretPurposes.inscricaoPush(id))

/** @throws Error if it cannot be decrypted */
export const openDestination = (
  box: SecretBox,
  { id, destino_cifrado }: Pick<InscricaoRow, 'id' | 'destino_cifrado'>,
): DestinoPush => destinoSchema.parse(JSON.parse(box.open(destino_cifrado, secretPurposes.inscricaoPush(id))))
