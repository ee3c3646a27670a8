import { z } from 'zod'
import { atendimentoSchema, incidenteSchema } from './incidentes.ts'
import { idSchema, idTexto, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

/** Entries of one answer; a longer period says that it is not whole. */
export const MAX_LIVRO = 1_000
/** Longest period of one answer, days. */
export const MAX_DIAS_LIVRO = 31
/** Characters of a hand-over. */
export const MAX_PASSAGEM = 1_000

export const passagemDeTurnoSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    autor: z.string().describe('O login, ou o nome da tela ou da chave.'),
    texto: z.string(),
    em: instanteSchema,
  })
  .meta({ id: 'PassagemDeTurno', description: 'O que quem sai deixa escrito a quem entra.' })
export type PassagemDeTurno = z.infer<typeof passagemDeTurnoSchema>

export const passagemDeTurnoCreateSchema = z
  .object({
    empresa_id: idSchema.optional().describe('Sem ela, a Empresa de quem escreve.'),
    texto: textoCurto(MAX_PASSAGEM),
  })
  .meta({
    id: 'PassagemDeTurnoCreate',
    examples: [{ empresa_id: 1, texto: 'Portão 2 travado, chaveiro chamado às 5h.' }],
  })
export type PassagemDeTurnoCreate = z.infer<typeof passagemDeTurnoCreateSchema>

export const livroQuerySchema = z.object({
  desde: instanteComFusoSchema.describe('Inclusive.'),
  ate: instanteComFusoSchema.describe(`Exclusive; até ${MAX_DIAS_LIVRO} dias depois de \`desde\`.`),
  empresa_id: idTexto.optional(),
  camera_id: idTexto.optional().describe('Só respostas desta câmera, sem passagens de turno.'),
})
export type LivroQuery = z.infer<typeof livroQuerySchema>

/** An incidente as the book shows it. Other fields are dropped. */
export const incidenteLivroSchema = incidenteSchema.pick({
  id: true,
  empresa_id: true,
  camera_id: true,
  camera_nome: true,
  tipos: true,
  prova: true,
  gravidade: true,
  inicio: true,
  placa: true,
})

export const livroSchema = z
  .object({
    completo: z.boolean().describe(`false: há mais de ${MAX_LIVRO} entradas no período; estas são as mais novas.`),
    respostas: z.array(
      z.object({
        id: z.int(),
        atendimento: atendimentoSchema,
        incidente: incidenteLivroSchema,
      }),
    ),
    passagens: z.array(passagemDeTurnoSchema),
  })
  .meta({
    id: 'Livro',
    description: 'Livro de ocorrências: respostas e passagens de turno de um período, as mais novas primeiro.',
  })
export type Livro = z.infer<typeof livroSchema>
