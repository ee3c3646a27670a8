import { z } from 'zod'

const senha = z.string().min(1).max(1024).describe('A senha do login, outra vez.')
/** The code as typed: from an app, or a recovery code with or without its dashes. */
export const codigoSchema = z.string().max(64)

/** Actions of a login on its own second factor. */
export const segundoFatorPedidoSchema = z
  .discriminatedUnion('acao', [
    z.strictObject({ acao: z.literal('iniciar'), senha }),
    z.strictObject({ acao: z.literal('confirmar'), codigo: codigoSchema.min(1) }),
    z.strictObject({ acao: z.literal('novos_codigos'), senha }),
    z.strictObject({ acao: z.literal('remover'), senha }),
  ])
  .meta({
    id: 'SegundoFatorPedido',
    description:
      '`iniciar` dá o segredo para o aplicativo autenticador; `confirmar`, com um código dele em até 15 ' +
      'minutos, liga o segundo fator, dá os códigos de recuperação e encerra as outras sessões; `novos_codigos` ' +
      'troca os códigos; `remover` desliga.',
    examples: [{ acao: 'iniciar', senha: 'uma frase bem comprida' }],
  })
export type SegundoFatorPedido = z.infer<typeof segundoFatorPedidoSchema>

export const segundoFatorSchema = z
  .object({
    ligado: z.boolean(),
    segredo: z.string().nullable().describe('Base 32, só na resposta a `iniciar`.'),
    otpauth: z.string().nullable().describe('O mesmo como endereço `otpauth://`, para um código QR.'),
    codigos_recuperacao: z
      .array(z.string())
      .nullable()
      .describe('Dez, cada um serve uma vez. Só a resposta que os cria os mostra.'),
  })
  .meta({ id: 'SegundoFator' })
export type SegundoFator = z.infer<typeof segundoFatorSchema>
