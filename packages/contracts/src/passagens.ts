import { z } from 'zod'
import { camposPagina } from './paginas.ts'
import { listasPlaca, normalizePlaca, placaSchema } from './placas.ts'
import { idTexto, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'
import { coresVeiculo, direcoesPassagem, formasPlaca, tiposVeiculo } from './veiculos.ts'

/** Lists as a passage saw them; `desconhecida`: in none of them. */
export const situacoesPlaca = [...listasPlaca, 'desconhecida'] as const
export type SituacaoPlaca = (typeof situacoesPlaca)[number]

const leituraSchema = z
  .object({ placa: z.string(), pais: z.string(), forma: z.enum(formasPlaca), confianca: z.number().min(0).max(1) })
  .meta({ id: 'LeituraPlaca' })

const correcaoSchema = z
  .object({
    placa: z.string().nullable().describe('null: a pessoa não conseguiu ler.'),
    por: z.string(),
    em: instanteSchema,
  })
  .meta({ id: 'CorrecaoPlaca' })

export const passagemSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    camera_id: z.int(),
    camera_nome: z.string(),
    local: z.string().nullable(),
    placa: z.string().nullable().describe('A corrigida, ou a lida acima do limiar; null: sem leitura segura.'),
    mascarada: z.boolean().describe('O login não vê placas: `placa` e `candidatas` vêm cobertas, a foto também.'),
    pais: z.string().nullable(),
    forma: z.enum(formasPlaca).nullable(),
    confianca: z.number().min(0).max(1).nullable().describe('Da leitura; null: sem leitura.'),
    candidatas: z.array(leituraSchema).describe('Outras leituras, da mais à menos provável.'),
    correcao: correcaoSchema.nullable(),
    situacao: z.enum(situacoesPlaca).nullable().describe('null: sem placa.'),
    veiculo: z.enum(tiposVeiculo),
    cor: z.enum(coresVeiculo).nullable(),
    direcao: z.enum(direcoesPassagem).nullable().describe('Como cruzou a linha da câmera.'),
    sentido: z.enum(['entrada', 'saida']).nullable().describe('Pelo papel da câmera e pela direção.'),
    inicio: instanteSchema,
    ocorrido_em: instanteSchema.describe('Do melhor quadro.'),
    fim: instanteSchema.nullable().describe('null: o veículo ainda está diante da câmera.'),
    evento_id: z.int().nullable(),
    foto_url: z.string().nullable(),
    foto_placa_url: z.string().nullable(),
  })
  .meta({ id: 'Passagem', description: 'Um veículo que passou por uma câmera com leitura de placas.' })
export type Passagem = z.infer<typeof passagemSchema>

const busca = z
  .string()
  .max(20)
  .overwrite(normalizePlaca)
  .regex(/^[A-Z0-9*]{1,8}$/, { error: 'Use letras, números e *, por exemplo ABC*' })

const simNao = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .default(false)

const filtros = {
  empresa_id: idTexto.optional(),
  camera_id: idTexto.optional(),
  placa: busca.optional().describe('`*` vale por qualquer trecho. Um login que não vê placas recebe 403.'),
  semelhantes: simNao.describe('Com `placa` inteira: também as que diferem em um caractere.'),
  situacao: z.enum(situacoesPlaca).optional(),
  sem_placa: simNao.describe('Só as sem leitura segura.'),
  veiculo: z.enum(tiposVeiculo).optional(),
  cor: z.enum(coresVeiculo).optional(),
  desde: instanteComFusoSchema.optional(),
  ate: instanteComFusoSchema.optional(),
}

export const passagensQuerySchema = z.object({ ...filtros, ...camposPagina })
export type PassagensQuery = z.infer<typeof passagensQuerySchema>

/** Most rows of one CSV. */
export const MAX_PASSAGENS_CSV = 100_000
export const passagensCsvQuerySchema = z.object(filtros)
export type PassagensCsvQuery = z.infer<typeof passagensCsvQuerySchema>

export const corrigirPassagemSchema = z
  .strictObject({ placa: placaSchema.nullable().describe('null: não dá para ler.') })
  .meta({ id: 'CorrigirPassagem', examples: [{ placa: 'ABC1D23' }] })
export type CorrigirPassagem = z.infer<typeof corrigirPassagemSchema>

export const percursoSchema = z
  .object({
    placa: z.string(),
    passagens: z.array(passagemSchema).describe('Em todas as câmeras, da mais antiga à mais nova.'),
    permanencias: z
      .array(
        z.object({
          local: z.string(),
          entrada: instanteSchema,
          saida: instanteSchema.nullable().describe('null: ainda dentro, ou sem saída vista.'),
          segundos: z.int().nullable(),
        }),
      )
      .describe('Entradas e saídas por local.'),
  })
  .meta({ id: 'Percurso', description: 'Por onde uma placa passou em um período.' })
export type Percurso = z.infer<typeof percursoSchema>

export const percursoQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  desde: instanteComFusoSchema.optional(),
  ate: instanteComFusoSchema.optional(),
})
export type PercursoQuery = z.infer<typeof percursoQuerySchema>

/** After this time without an exit a stay is shown as a missed exit, in ms. */
export const SEM_SAIDA_MS = 24 * 3_600_000

export const permanenciaSchema = z
  .object({
    id: z.int().describe('Para encerrar à mão.'),
    empresa_id: z.int(),
    local: z.string(),
    placa: z.string(),
    mascarada: z.boolean(),
    situacao: z.enum(situacoesPlaca),
    entrada: instanteSchema,
    entrada_passagem_id: z.int(),
    segundos: z.int().describe('Desde a entrada.'),
    sem_saida: z.boolean().describe('Dentro há mais de 24 horas: talvez a saída não tenha sido vista.'),
  })
  .meta({ id: 'Permanencia', description: 'Um veículo que entrou em um local e não saiu.' })
export type Permanencia = z.infer<typeof permanenciaSchema>

export const presentesQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  local: textoCurto(80).optional(),
  ...camposPagina,
})
export type PresentesQuery = z.infer<typeof presentesQuerySchema>
