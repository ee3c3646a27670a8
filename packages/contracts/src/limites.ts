import { z } from 'zod'
import { idSchema, idTexto, instanteSchema } from './values.ts'

interface Limite {
  /** Default limit of a new Empresa. */
  readonly padrao: number
  /** Plural noun for sentences and dashboard. */
  readonly nome: string
  /** Roles that may change it: the administrador of a parent Empresa and the operator, or only the operator. */
  readonly quemMuda: 'acima' | 'operador'
}

/** Kinds of objects with a limit per Empresa; the count includes all Empresas below it. */
export const limites = {
  cameras: { padrao: 64, nome: 'câmeras', quemMuda: 'acima' },
  gravadores: { padrao: 1000, nome: 'gravadores', quemMuda: 'operador' },
  edges: { padrao: 1000, nome: 'caixas', quemMuda: 'operador' },
  usuarios: { padrao: 1000, nome: 'logins', quemMuda: 'operador' },
  canais: { padrao: 1000, nome: 'canais de notificação', quemMuda: 'operador' },
  agentes: { padrao: 1000, nome: 'agentes', quemMuda: 'operador' },
  chaves: { padrao: 1000, nome: 'chaves de integração', quemMuda: 'operador' },
} as const satisfies Record<string, Limite>

export type TipoLimite = keyof typeof limites
/** The limit of bytes of media, which the operator sets. null: none. */
const LIMITE_BYTES_MIN = 100_000_000
const limiteBytes = z
  .int()
  .min(LIMITE_BYTES_MIN)
  .max(2 ** 50)
const SOBRE_BYTES = 'Máximo de bytes de imagens, clipes e registros desta Empresa com as que estão abaixo dela.'
const LIMITE_DE_CIMA = 'null: nenhum além do da Empresa acima e do disco.'
/** Field of an Empresa, as set. */
export const limiteBytesShape = { limite_bytes: z.int().nullable().describe(`${SOBRE_BYTES} ${LIMITE_DE_CIMA}`) }
export const limiteBytesInputShape = {
  limite_bytes: limiteBytes
    .nullable()
    .optional()
    .describe(`${SOBRE_BYTES} Pelo menos 100 MB. Só o operador da instalação informa. ${LIMITE_DE_CIMA}`),
}

/** Why the boxes of an Empresa wait with their records; `clipes`: only with clips and recordings. */
export const motivosEspera = ['limite', 'clipes', 'disco'] as const
export type MotivoEspera = (typeof motivosEspera)[number]

export type CampoLimite = `limite_${TipoLimite}`
/** The limit fields of an Empresa. */
export type Limites = Record<CampoLimite, number>

export const tiposLimite = Object.keys(limites) as TipoLimite[]
export const campoLimite = <T extends TipoLimite>(tipo: T): `limite_${T}` => `limite_${tipo}`

/** Largest value of any limit. */
const LIMITE_MAX = 100_000

/** Builds an object with one value per limit. */
export const porLimite = <T>(value: (campo: CampoLimite, tipo: TipoLimite) => T): Record<CampoLimite, T> =>
  Object.fromEntries(tiposLimite.map((tipo) => [campoLimite(tipo), value(campoLimite(tipo), tipo)])) as Record<
    CampoLimite,
    T
  >

/** Builds an object with one value per kind. */
export const porTipoLimite = <T>(value: (tipo: TipoLimite) => T): Record<TipoLimite, T> =>
  Object.fromEntries(tiposLimite.map((tipo) => [tipo, value(tipo)])) as Record<TipoLimite, T>

const valor = z.int().min(0).max(LIMITE_MAX)

export const limitesShape = porLimite((_campo, tipo) =>
  z.int().describe(`Máximo de ${limites[tipo].nome} desta Empresa com as que estão abaixo dela.`),
)

const quemMuda = (tipo: TipoLimite) =>
  limites[tipo].quemMuda === 'acima' ? 'quem administra uma Empresa acima desta, ou o operador,' : 'o operador'

export const limitesCreateShape = porLimite((_campo, tipo) =>
  valor
    .optional()
    .describe(
      `Só ${quemMuda(tipo)} informa. Se faltar, ${limites[tipo].padrao}, ou menos onde a Empresa acima tem menos.`,
    ),
)

export const limitesPatchShape = porLimite((_campo, tipo) =>
  valor.nullish().describe(`Só ${quemMuda(tipo)} muda; nunca acima do limite da Empresa acima desta.`),
)

const usoSchema = z
  .object({
    limite: z.int(),
    uso: z.int().describe('Quantos há, contando os das Empresas abaixo. Pode passar de um limite que foi reduzido.'),
    livres: z.int().describe('Quantos ainda cabem: o menor número livre desta Empresa e de todas as que estão acima.'),
  })
  .meta({ id: 'UsoLimite' })
export type UsoLimite = z.infer<typeof usoSchema>

const usoBytesSchema = z
  .object({
    limite: z.int().nullable().describe('O menor entre o da Empresa e os das que estão acima; null: nenhum.'),
    uso: z.int().describe('Bytes guardados, contando os das Empresas abaixo.'),
    livres: z.int().nullable().describe('Bytes que ainda cabem; null: sem limite.'),
    espera: z
      .object({
        desde: instanteSchema,
        motivo: z.enum(motivosEspera),
        texto: z.string().describe('O que foi visto e o que fazer.'),
      })
      .nullable()
      .describe('As caixas desta Empresa guardam os registros e esperam por espaço; null: não esperam.'),
  })
  .meta({ id: 'UsoBytes' })
export type UsoBytes = z.infer<typeof usoBytesSchema>

export const limitesEmpresaSchema = z
  .object({
    empresa_id: idSchema,
    nome: z.string(),
    empresa_pai_id: z.int().nullable(),
    limites: z.object(porTipoLimite(() => usoSchema)),
    bytes: usoBytesSchema,
  })
  .meta({ id: 'LimitesEmpresa', description: 'Os limites de uma Empresa e o que deles está em uso.' })
export type LimitesEmpresa = z.infer<typeof limitesEmpresaSchema>

export const limitesQuerySchema = z.object({ empresa_id: idTexto.optional() })
