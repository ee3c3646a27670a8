import { VigiaError } from '@vigia/contracts/errors'
import type { Remetentes, TipoRemetente } from '@vigia/contracts/remetentes'
import type { EmailSettings, TwilioSettings } from '../../../adapters/senders/settings.ts'
import type { Caller } from '../../../http/caller.ts'
import type { RemetentesDeps } from './deps.ts'
import { isFromEnv, readRemetente } from './stored-settings.ts'

/** @throws VigiaError `proibido` */
export function requireOperator(caller: Caller): void {
  if (caller.escopo !== 'tudo' || caller.papel !== 'administrador')
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação vê e muda os remetentes.' })
}

/** The settings in force, without secrets. @throws VigiaError `proibido` */
export async function viewRemetentes(deps: RemetentesDeps, caller: Caller): Promise<Remetentes> {
  requireOperator(caller)
  const { env, urlPublica } = deps
  return {
    url_publica: urlPublica,
    email: isFromEnv(env, 'email') ? fromEnv(env.email.smtpUrl, emailValues(env.email)) : await stored(deps, 'email'),
    whatsapp: isFromEnv(env, 'whatsapp')
      ? fromEnv(env.twilio.authToken, twilioValues(env.twilio))
      : await stored(deps, 'whatsapp'),
    telegram: isFromEnv(env, 'telegram') ? fromEnv(env.telegram.token, {}) : await stored(deps, 'telegram'),
  }
}

const fromEnv = <Valores>(secret: unknown, valores: Valores | null) =>
  ({ origem: 'ambiente', com_segredo: secret !== null, valores }) as const

async function stored<Tipo extends TipoRemetente>(deps: RemetentesDeps, tipo: Tipo) {
  const row = await readRemetente(deps, tipo)
  if (row === null) return { origem: 'nenhuma', com_segredo: false, valores: null } as const
  return { origem: 'painel', com_segredo: row.segredo !== null, valores: row.valores } as const
}

/** null: the environment lacks a value. */
function emailValues({ smtpUrl, remetente, semTls }: EmailSettings): Remetentes['email']['valores'] {
  if (smtpUrl === null || remetente === null) return null
  const url = new URL(smtpUrl.reveal())
  const tls = url.protocol === 'smtps:'
  return {
    servidor: url.hostname.replace(/^\[|\]$/g, ''),
    porta: Number(url.port) || (tls ? 465 : 587),
    seguranca: tls ? 'tls' : semTls ? 'nenhuma' : 'starttls',
    usuario: url.username === '' ? null : decodeURIComponent(url.username),
    ...remetente,
  }
}

/** null: the environment lacks a value. */
function twilioValues(twilio: TwilioSettings): Remetentes['whatsapp']['valores'] {
  const { accountSid, remetente, contentSid, contentSidImagem } = twilio
  if (accountSid === null || remetente === null || contentSid === null) return null
  return {
    account_sid: accountSid,
    numero: remetente,
    content_sid: contentSid,
    content_sid_imagem: contentSidImagem,
  }
}
