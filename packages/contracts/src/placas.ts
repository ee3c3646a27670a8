import { z } from 'zod'
import { camposPagina } from './paginas.ts'
import { idSchema, idTexto, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

/** A plate in its stored form: 5 to 8 letters and digits, upper case (`ABC1234`, `ABC1D23`). */
export const PLACA = /^[A-Z0-9]{5,8}$/

/** Upper case, without hyphens, dots and blanks. */
export const normalizePlaca = (text: string): string => text.toUpperCase().replace(/[\s.·-]/g, '')

/** The input may have any case and a hyphen. */
export const placaSchema = z
  .string()
  .max(20)
  .overwrite(normalizePlaca)
  .regex(PLACA, { error: 'Use uma placa com 5 a 8 letras e números, por exemplo ABC1234 ou ABC1D23' })

/** Lists that a plate can be in. */
export const listasPlaca = ['permitida', 'bloqueada'] as const
export type ListaPlaca = (typeof listasPlaca)[number]

/** Largest number of plates in the lists of one Empresa. */
export const MAX_PLACAS = 50_000

const camposPlaca = {
  lista: z.enum(listasPlaca),
  nota: textoCurto(500).nullish().describe('Por que a placa está na lista.'),
  dono: textoCurto(200).nullish().describe('Pessoa, apartamento ou empresa.'),
  validade: instanteComFusoSchema.nullish().describe('Até quando vale; null: até sair da lista.'),
}

export const placaCreateSchema = z
  .strictObject({
    placa: placaSchema.describe('Única na Empresa.'),
    ...camposPlaca,
    empresa_id: idSchema.optional().describe('Se faltar, a Empresa de quem cria. O operador precisa dizer.'),
  })
  .meta({
    id: 'PlacaCreate',
    examples: [{ placa: 'ABC1D23', lista: 'permitida', dono: 'Apartamento 42', empresa_id: 1 }],
  })
export type PlacaCreate = z.infer<typeof placaCreateSchema>

export const placaPatchSchema = z.strictObject({ ...camposPlaca, lista: z.enum(listasPlaca).optional() }).meta({
  id: 'PlacaPatch',
  description: 'Muda só os campos enviados; null esvazia.',
  examples: [{ lista: 'bloqueada' }],
})
export type PlacaPatch = z.infer<typeof placaPatchSchema>

export const placaListadaSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    placa: z.string(),
    lista: z.enum(listasPlaca),
    nota: z.string().nullable(),
    dono: z.string().nullable(),
    validade: instanteSchema.nullable(),
    vencida: z.boolean().describe('A validade passou: a placa conta como desconhecida.'),
    criada_em: instanteSchema,
    atualizada_em: instanteSchema,
  })
  .meta({ id: 'PlacaListada', description: 'Uma placa das listas da Empresa.' })
export type PlacaListada = z.infer<typeof placaListadaSchema>

export const placasQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  lista: z.enum(listasPlaca).optional(),
  placa: z
    .string()
    .max(20)
    .overwrite(normalizePlaca)
    .regex(/^[A-Z0-9*]{1,8}$/, { error: 'Use letras, números e *, por exemplo ABC*' })
    .optional()
    .describe('`*` vale por qualquer trecho.'),
  busca: textoCurto(100).optional().describe('Trecho da placa, do dono ou da nota, com ou sem maiúsculas.'),
  ...camposPagina,
})
export type PlacasQuery = z.infer<typeof placasQuerySchema>

export const placasExportarQuerySchema = z.object({
  empresa_id: idTexto.optional().describe('Se faltar, a Empresa de quem exporta. O operador precisa dizer.'),
  lista: z.enum(listasPlaca).optional(),
})
export type PlacasExportarQuery = z.infer<typeof placasExportarQuerySchema>

/** Largest file of plates, in characters. */
const MAX_CSV = 4 * 1024 * 1024

export const placasImportarSchema = z
  .strictObject({
    csv: z
      .string()
      .min(1)
      .max(MAX_CSV)
      .describe('O arquivo: um cabeçalho com `placa`, `lista`, `nota`, `dono`, `validade`, e uma placa por linha.'),
    empresa_id: idSchema.optional().describe('Se faltar, a Empresa de quem importa. O operador precisa dizer.'),
  })
  .meta({
    id: 'PlacasImportar',
    examples: [{ csv: 'placa;lista;dono\r\nABC1D23;permitida;Apartamento 42\r\n', empresa_id: 1 }],
  })
export type PlacasImportar = z.infer<typeof placasImportarSchema>

export const placasImportadasSchema = z
  .object({ criadas: z.int(), alteradas: z.int(), iguais: z.int().describe('Já estavam assim.') })
  .meta({ id: 'PlacasImportadas', description: 'Quantas placas o arquivo mudou.' })
export type PlacasImportadas = z.infer<typeof placasImportadasSchema>
