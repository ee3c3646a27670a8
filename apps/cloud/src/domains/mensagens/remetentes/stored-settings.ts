import { type TipoRemetente, valoresRemetente } from '@vigia/contracts/remetentes'
import type { z } from 'zod'
import { Secret } from '../../../adapters/secret.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { SenderSettings } from '../../../adapters/senders/sender-settings.ts'
import type { EmailSettings, SenderValues } from '../../../adapters/senders/settings.ts'
import type { Database } from '../../../db/open.ts'
import { findRemetente } from './store.ts'

export interface SettingsDeps {
  readonly db: Database
  readonly box: SecretBox
  /** Settings of the environment. */
  readonly env: SenderValues
}

/** Whether the environment sets anything of a sender. Then it sets all of it, so that two sources never mix. */
export const isFromEnv = ({ email, twilio, telegram }: SenderValues, tipo: TipoRemetente): boolean => {
  if (tipo === 'email') return email.smtpUrl !== null || email.remetente !== null
  if (tipo === 'telegram') return telegram.token !== null
  const { url: _, ...values } = twilio
  return Object.values(values).some((value) => value !== null)
}

/** Stored values and secret; null: none. */
export async function readRemetente<Tipo extends TipoRemetente>(
  { db, box }: Pick<SettingsDeps, 'db' | 'box'>,
  tipo: Tipo,
): Promise<{ valores: z.infer<(typeof valoresRemetente)[Tipo]>; segredo: Secret | null } | null> {
  const row = await findRemetente(db, tipo)
  if (row.valores_json === null) return null
  const valores = valoresRemetente[tipo].parse(JSON.parse(row.valores_json)) as z.infer<(typeof valoresRemetente)[Tipo]>
  const segredo =
    row.segredo_cifrado === null
      ? null
      : new Secret(box.open(row.segredo_cifrado, secretPurposes.remetenteSegredo(row.id)))
  return { valores, segredo }
}

/** Settings of the environment, else those entered on screen, read at each send. */
export function createStoredSettings({ db, box, env }: SettingsDeps): SenderSettings {
  return {
    async email() {
      const stored = isFromEnv(env, 'email') ? null : await readRemetente({ db, box }, 'email')
      return stored === null ? env.email : smtpSettings(stored)
    },
    async twilio() {
      const stored = isFromEnv(env, 'whatsapp') ? null : await readRemetente({ db, box }, 'whatsapp')
      if (stored === null) return env.twilio
      const { account_sid, numero, content_sid, content_sid_imagem } = stored.valores
      return {
        accountSid: account_sid,
        authToken: stored.segredo,
        remetente: numero,
        url: env.twilio.url,
        contentSid: content_sid,
        contentSidImagem: content_sid_imagem,
      }
    },
    async telegram() {
      const stored = isFromEnv(env, 'telegram') ? null : await readRemetente({ db, box }, 'telegram')
      return { url: env.telegram.url, token: stored?.segredo ?? env.telegram.token }
    },
  }
}

function smtpSettings({
  valores: { servidor, porta, seguranca, usuario, endereco, nome },
  segredo,
}: {
  readonly valores: z.infer<typeof valoresRemetente.email>
  readonly segredo: Secret | null
}): EmailSettings {
  const host = servidor.includes(':') ? `[${servidor}]` : servidor
  const login = usuario === null ? '' : `${encodeURIComponent(usuario)}:${encodeURIComponent(segredo?.reveal() ?? '')}@`
  return {
    smtpUrl: new Secret(`${seguranca === 'tls' ? 'smtps' : 'smtp'}://${login}${host}:${porta}`),
    semTls: seguranca === 'nenhuma',
    remetente: { nome, endereco },
  }
}
