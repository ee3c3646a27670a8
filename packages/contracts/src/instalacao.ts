import { z } from 'zod'
import { desfechosProva } from './provas.ts'
import { instanteSchema } from './values.ts'

/** The steps of an installation, in their order. */
export const passosInstalacao = ['caixa', 'gravador', 'canais', 'ias', 'zonas', 'prova'] as const
export type PassoInstalacao = (typeof passosInstalacao)[number]

/** Most cameras in the state of one installation. */
export const MAX_CAMERAS_INSTALACAO = 1_000

/** Where a camera watches, as far as a person has decided it. */
export const zonasInstalacao = ['desenhada', 'imagem_inteira', 'dispensada', 'falta'] as const
export type ZonaInstalacao = (typeof zonasInstalacao)[number]

const passoSchema = z.enum(passosInstalacao)

const cameraInstalacaoSchema = z
  .object({
    id: z.int(),
    nome: z.string(),
    imagem: z.boolean().describe('Já veio imagem dela pela caixa que a atende.'),
    ias: z.boolean().describe('Ao menos uma IA está ligada.'),
    zona: z
      .enum(zonasInstalacao)
      .describe(
        '`desenhada`; `imagem_inteira`: sem zona, de propósito; `dispensada`: nenhuma IA ligada usa zona nem linha; ' +
          '`falta`: ninguém decidiu, ou falta a linha que uma IA exige.',
      ),
    prova: z
      .object({
        aprovada: z.boolean(),
        fim: instanteSchema,
        feita_por: z.string(),
        desfecho: z.enum(desfechosProva).nullable(),
      })
      .nullable()
      .describe('A prova mais nova; null: nenhuma.'),
    falta: passoSchema.nullable().describe('O primeiro passo que falta a esta câmera; null: nenhum.'),
  })
  .meta({ id: 'CameraInstalacao' })
export type CameraInstalacao = z.infer<typeof cameraInstalacaoSchema>

export const instalacaoSchema = z
  .object({
    empresa_id: z.int(),
    passos: z
      .array(z.object({ passo: passoSchema, feito: z.boolean(), feitas: z.int(), total: z.int() }))
      .describe('Na ordem. `feitas` e `total` contam caixas, gravadores ou câmeras.'),
    proximo: z
      .object({ passo: passoSchema, camera_id: z.int().nullable() })
      .nullable()
      .describe('O primeiro passo que falta, e a primeira câmera a que ele falta; null: a instalação está pronta.'),
    cameras: z
      .array(cameraInstalacaoSchema)
      .max(MAX_CAMERAS_INSTALACAO)
      .describe('As câmeras ativas, na ordem em que foram cadastradas.'),
    completo: z
      .boolean()
      .describe(`false: só as primeiras ${MAX_CAMERAS_INSTALACAO} câmeras são mostradas e contadas.`),
  })
  .meta({ id: 'Instalacao' })
export type Instalacao = z.infer<typeof instalacaoSchema>
