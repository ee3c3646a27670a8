import { z } from 'zod'
import { gravidades } from './ias.ts'
import { idSchema, instanteSchema, textoCurto } from './values.ts'

/** Web Push (RFC 8030, 8291, 8292): messages to the browsers that a login subscribed. */

/** Subscriptions of one login. */
export const MAX_INSCRICOES = 20

/** The base point of P-256 (SEC 2, section 2.4.2): no browser has it as its key. */
const EXAMPLE_POINT = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'

/** Unpadded base64url of `bytes` bytes. */
const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`), { error: 'string_pattern_mismatch' })

export const inscricaoPushCreateSchema = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .describe('Endereço dado pelo navegador (`PushSubscription.endpoint`).'),
    chaves: z
      .strictObject({
        p256dh: base64url(65).describe('Chave pública P-256 do navegador.'),
        auth: base64url(16).describe('Segredo de autenticação do navegador.'),
      })
      .describe('`PushSubscription.toJSON().keys`.'),
    gravidade_min: z.enum(gravidades).default('alta').describe('Avisa deste nível para cima.'),
    nome: textoCurto(80).describe('Como o aparelho aparece na lista.'),
  })
  .meta({
    id: 'InscricaoPushCreate',
    examples: [
      {
        endpoint: 'https://exemplo.com.br/envio/abc123',
        chaves: { p256dh: EXAMPLE_POINT, auth: 'A'.repeat(22) },
        gravidade_min: 'alta',
        nome: 'Celular da guarita',
      },
    ],
  })
export type InscricaoPushCreate = z.infer<typeof inscricaoPushCreateSchema>

export const inscricaoPushSchema = z
  .object({
    id: idSchema,
    nome: z.string(),
    gravidade_min: z.enum(gravidades),
    servico: z.string().describe('O servidor que entrega, como o navegador o escolheu.'),
    criada_em: instanteSchema,
    entregue_em: instanteSchema.nullable().describe('O último aviso que o servidor aceitou.'),
    erro: z.string().nullable().describe('Por que o último aviso não foi entregue; null: foi.'),
  })
  .meta({ id: 'InscricaoPush' })
export type InscricaoPush = z.infer<typeof inscricaoPushSchema>

export const pushSchema = z
  .object({ chave_publica: z.string().describe('Chave VAPID (`applicationServerKey`), em base64url.') })
  .meta({ id: 'Push' })

/** Content of one message, decrypted by the service worker. Addresses are relative to the dashboard. */
export interface AvisoPush {
  readonly titulo: string
  readonly corpo: string
  readonly link: string
  /** Signed address of the picture; null: none. */
  readonly imagem: string | null
  /** A later message of the same tag replaces the earlier one on the screen. */
  readonly etiqueta: string
  readonly gravidade: (typeof gravidades)[number]
}
