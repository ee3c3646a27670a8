import { randomBytes } from 'node:crypto'
import type { CredenciaisCanal } from '@vigia/contracts/notificacoes'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { CanalRow } from '../../../db/rows.ts'

/** Standard Webhooks 1.0: `whsec_` and base64 of 24 to 64 random bytes. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Creates a signing secret of a canal, in plain text for one display and sealed for storage. */
export function makeSecret(box: SecretBox, canalId: number): { segredo: string; segredo_cifrado: string } {
  const segredo = newSecret()
  return { segredo, segredo_cifrado: box.seal(segredo, secretPurposes.canalSegredo(canalId)) }
}

/** null: the canal has none. @throws Error if it was sealed with another key. */
export function openSecret(
  box: SecretBox,
  { id, segredo_cifrado }: Pick<CanalRow, 'id' | 'segredo_cifrado'>,
): string | null {
  return segredo_cifrado === null ? null : box.open(segredo_cifrado, secretPurposes.canalSegredo(id))
}

/** Seals the login of a broker. */
export const sealCredenciais = (box: SecretBox, canalId: number, credenciais: CredenciaisCanal) => ({
  segredo_cifrado: box.seal(JSON.stringify(credenciais), secretPurposes.canalSegredo(canalId)),
})
