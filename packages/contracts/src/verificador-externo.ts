import { z } from 'zod'
import { idSchema, instanteSchema } from './values.ts'

/** Reasons of a call without a usable answer. */
export const errosVerificadorExterno = [
  'tempo',
  'conexao',
  'redirecionou',
  'chave',
  'endereco',
  'pedido',
  'limite',
  'servico',
  'resposta',
  'recusa',
] as const
export type ErroVerificadorExterno = (typeof errosVerificadorExterno)[number]

export const verificadorExternoPatchSchema = z
  .strictObject({
    ativo: z
      .boolean()
      .optional()
      .describe('`true` só de um administrador da própria Empresa; `false` de quem a administra.'),
    chamadas_mes: z
      .int()
      .min(0)
      .max(10_000_000)
      .nullable()
      .optional()
      .describe('Limite de chamadas por mês; só o operador muda; null: o padrão da instalação.'),
  })
  .meta({ id: 'VerificadorExternoPatch', examples: [{ ativo: false }] })
export type VerificadorExternoPatch = z.infer<typeof verificadorExternoPatchSchema>

export const usoVerificadorExternoSchema = z
  .object({
    empresa_id: idSchema,
    nome: z.string(),
    ativo: z.boolean().describe('O administrador da Empresa ligou este servidor.'),
    servidor_aceito: z.string().nullable().describe('O servidor que ele ligou; se for outro, ligue de novo.'),
    mes: z.string().describe('`2026-11`, no fuso da Empresa.'),
    chamadas: z.int(),
    chamadas_mes: z.int().describe('Limite de chamadas deste mês.'),
    esgotado: z.boolean().describe('O limite acabou: vale só o verificador da própria instalação.'),
    sem_resposta: z.int().describe('Chamadas sem resposta que se possa usar.'),
    tokens_entrada: z.int(),
    tokens_saida: z.int(),
    preco: z.number().nullable().describe('Na moeda do serviço; null: o operador não informou preços.'),
    ultimo_erro: z
      .object({ codigo: z.enum(errosVerificadorExterno), em: instanteSchema, frase: z.string() })
      .nullable()
      .describe('O último deste mês.'),
  })
  .meta({ id: 'UsoVerificadorExterno' })
export type UsoVerificadorExterno = z.infer<typeof usoVerificadorExternoSchema>

export const verificadorExternoSchema = z
  .object({
    servico: z
      .object({
        servidor: z.string().describe('Para onde as imagens vão.'),
        modelo: z.string(),
        moeda: z.string(),
      })
      .nullable()
      .describe('null: o operador não configurou nenhum.'),
    empresas: z.array(usoVerificadorExternoSchema),
  })
  .meta({ id: 'VerificadorExterno', description: 'Modelo de visão e linguagem que confere alertas duvidosos.' })
export type VerificadorExterno = z.infer<typeof verificadorExternoSchema>
