import { z } from 'zod'
import { horaIncertaSchema } from './hora-incerta.ts'
import { camposPagina } from './paginas.ts'
import { listasPlaca, normalizePlaca, placaSchema } from './placas.ts'
import { idTexto, instanteComFusoSchema, instanteSchema } from './values.ts'
import { coresVeiculo, direcoesPassagem, formasPlaca, tiposVeiculo } from './veiculos.ts'

/** Lists as a passage saw them; `desconhecida`: in none of them. */
export const situacoesPlaca = [...listasPlaca, 'desconhecida'] as const
export type SituacaoPlaca = (typeof situacoesPlaca)[number]

const leituraSchema = z
  .object({ placa: z.string(), pais: z.string(), forma: z.enum(formasPlaca), confianca: z.number().min(0).max(1) })
  .meta({ id: 'LeituraPlaca' })

export const passagemSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    camera_id: z.int(),
    camera_nome: z.string(),
    local: z.string().nullable(),
    placa: z.string().nullable().describe('null: nenhuma leitura acima do limiar da câmera.'),
    pais: z.string().nullable(),
    forma: z.enum(formasPlaca).nullable(),
    confianca: z.number().min(0).max(1).nullable().describe('Da leitura; null: sem leitura.'),
    candidatas: z.array(leituraSchema).describe('Outras leituras, da mais à menos provável.'),
    situacao: z.enum(situacoesPlaca).nullable().describe('Pelas listas, ao chegar; null: sem placa.'),
    correcao: z
      .object({ placa_lida: z.string().nullable(), por: z.string(), em: instanteSchema })
      .nullable()
      .describe('Quem corrigiu a placa, e a leitura da câmera; null: ninguém.'),
    portao_em: instanteSchema.nullable().describe('Quando pediu para abrir o portão; null: nunca.'),
    veiculo: z.enum(tiposVeiculo).nullable().describe('null: só a placa foi vista.'),
    cor: z.enum(coresVeiculo).nullable(),
    direcao: z.enum(direcoesPassagem).nullable().describe('Como cruzou a linha da câmera.'),
    sentido: z.enum(['entrada', 'saida']).nullable().describe('Pelo papel da câmera e pela direção.'),
    inicio: instanteSchema,
    ocorrido_em: instanteSchema.describe('Do melhor quadro.'),
    hora_incerta: horaIncertaSchema.optional(),
    fim: instanteSchema.nullable().describe('null: o veículo ainda está diante da câmera.'),
    evento_id: z.int().nullable(),
    foto_url: z.string().nullable(),
    foto_placa_url: z.string().nullable(),
  })
  .meta({ id: 'Passagem', description: 'Um veículo que passou por uma câmera com leitura de placas.' })
export type Passagem = z.infer<typeof passagemSchema>

export const correcaoPassagemSchema = z
  .strictObject({ placa: placaSchema.nullable().describe('O que se lê na foto; null: não dá para ler.') })
  .meta({ id: 'CorrecaoPassagem', examples: [{ placa: 'ABC1D23' }] })
export type CorrecaoPassagem = z.infer<typeof correcaoPassagemSchema>

const busca = z
  .string()
  .max(20)
  .overwrite(normalizePlaca)
  .regex(/^[A-Z0-9*]{1,8}$/, { error: 'Use letras, números e *, por exemplo ABC*' })

const simNao = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .default(false)

const filtrosPassagens = {
  empresa_id: idTexto.optional(),
  camera_id: idTexto.optional(),
  placa: busca.optional().describe('`*` vale por qualquer trecho.'),
  semelhantes: simNao.describe('Com `placa` inteira: também as que diferem em um caractere.'),
  situacao: z.enum(situacoesPlaca).optional(),
  com_placa: simNao.describe('Só as com leitura segura.'),
  sem_placa: simNao.describe('Só as sem leitura segura.'),
  veiculo: z.enum(tiposVeiculo).optional(),
  cor: z.enum(coresVeiculo).optional(),
  desde: instanteComFusoSchema.optional(),
  ate: instanteComFusoSchema.optional(),
}

export const passagensQuerySchema = z.object({ ...filtrosPassagens, ...camposPagina })
export type PassagensQuery = z.infer<typeof passagensQuerySchema>

export const passagensExportarQuerySchema = z.object(filtrosPassagens)
export type PassagensExportarQuery = z.infer<typeof passagensExportarQuerySchema>

export const fotoPassagemQuerySchema = z.object({
  papel: z.enum(['veiculo', 'placa']).default('veiculo').describe('O veículo com o entorno, ou só a placa.'),
})
