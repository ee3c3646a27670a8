import { z } from 'zod'
import { semControle } from './values.ts'

/** Services that the installation sends messages with. */
export const tiposRemetente = ['email', 'whatsapp', 'telegram'] as const
export type TipoRemetente = (typeof tiposRemetente)[number]

const text = (max: number) =>
  z.string().trim().min(1).max(max).regex(semControle, { error: 'Não use caracteres de controle' })
const secret = (max: number) =>
  text(max).describe('Guardado cifrado; nenhuma resposta o traz. Se faltar, fica o de antes.')

export const accountSidTexto = z
  .string()
  .regex(/^AC[0-9a-f]{32}$/i, { error: 'use o Account SID da Twilio (AC e 32 dígitos)' })
export const contentSidTexto = z
  .string()
  .regex(/^HX[0-9a-f]{32}$/i, { error: 'use o Content SID do modelo aprovado (HX e 32 dígitos)' })
export const remetenteWhatsappTexto = z
  .string()
  .regex(/^whatsapp:\+[1-9]\d{7,14}$/, { error: 'use whatsapp:+5511987654321' })
export const tokenTelegramTexto = z
  .string()
  .regex(/^\d{1,20}:[\w-]{20,100}$/, { error: 'use o token que o @BotFather deu: 123456:ABC…' })

const emailFields = {
  servidor: text(253)
    .refine((host) => URL.canParse(`smtp://${host.includes(':') ? `[${host}]` : host}`) && !/[@/?#[\]]/.test(host), {
      error: 'Use só o nome ou o endereço do servidor, sem porta',
    })
    .describe('Nome ou endereço do servidor de e-mail.'),
  porta: z.int().min(1).max(65_535),
  seguranca: z
    .enum(['starttls', 'tls', 'nenhuma'])
    .describe(
      '`starttls`: em geral porta 587. `tls`: porta 465. `nenhuma`: só para um servidor desta máquina ou rede.',
    ),
  usuario: text(320).nullable().describe('null: o servidor não pede entrada.'),
  endereco: z.email().describe('Endereço de quem envia.'),
  nome: z
    .string()
    .trim()
    .max(80)
    .regex(/^[^<>"\r\n]*$/, { error: 'Não use < > nem aspas' }),
}
const whatsappFields = {
  account_sid: accountSidTexto,
  numero: remetenteWhatsappTexto.describe('O número que envia, como `whatsapp:+551133334444`.'),
  content_sid: contentSidTexto.describe('Modelo aprovado, só com texto.'),
  content_sid_imagem: contentSidTexto.nullable().describe('Modelo aprovado com imagem; null: sem imagem.'),
}

/** Values of a sender that are no secret, as stored. */
export const valoresRemetente = {
  email: z.object(emailFields),
  whatsapp: z.object(whatsappFields),
  telegram: z.object({}),
} as const

/** A secret is left out to keep the stored one; a new server or account needs it again. */
export const remetentesPatchSchema = z
  .strictObject({
    email: z.strictObject({ ...emailFields, senha: secret(1024).optional() }).nullish(),
    whatsapp: z.strictObject({ ...whatsappFields, token: secret(256).optional() }).nullish(),
    telegram: z.strictObject({ token: tokenTelegramTexto.optional() }).nullish(),
  })
  .meta({
    id: 'RemetentesPatch',
    description: 'Só os serviços enviados mudam, cada um inteiro; null apaga.',
    examples: [
      {
        email: {
          servidor: 'smtp.exemplo.com.br',
          porta: 587,
          seguranca: 'starttls',
          usuario: 'alertas',
          senha: 'uma senha',
          endereco: 'alertas@exemplo.com.br',
          nome: 'Vigia',
        },
      },
    ],
  })
export type RemetentesPatch = z.infer<typeof remetentesPatchSchema>

const origem = z
  .enum(['ambiente', 'painel', 'nenhuma'])
  .describe('`ambiente`: as variáveis do servidor valem, e aqui nada muda. `painel`: o que foi guardado aqui.')
const shown = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ origem, com_segredo: z.boolean(), valores: z.object(fields).nullable() })

export const remetentesSchema = z
  .object({
    url_publica: z.string().nullable().describe('VIGIA_URL_PUBLICA; sem ela as mensagens não têm link.'),
    email: shown(emailFields),
    whatsapp: shown(whatsappFields),
    telegram: shown({}),
  })
  .meta({ id: 'Remetentes', description: 'Com que contas a instalação envia. Senhas e tokens não aparecem.' })
export type Remetentes = z.infer<typeof remetentesSchema>

export const remetenteTesteSchema = z
  .strictObject({ destino: text(320).describe('E-mail, telefone ou conversa que recebe o teste.') })
  .meta({ id: 'RemetenteTeste', examples: [{ destino: '+5511987654321' }] })
