import { calibracaoViewSchema, perfilSchema, templatesSchema } from '@vigia/contracts/calibracao'
import { gravidades, ia as iaNamed, nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cameraId } from './ids.ts'

const limiarSchema = z.object({
  nome: z.string(),
  descricao: z.string(),
  unidade: z.string().describe('`fracao` é de 0 a 1; `s` são segundos; `booleano`, true ou false.'),
  padrao: z.union([z.number(), z.boolean()]),
  minimo: z.number(),
  maximo: z.number(),
})

const iaSchema = z.object({
  nome: z.enum(nomesIas),
  titulo: z.string(),
  descricao: z.string(),
  gravidade: z.enum(gravidades),
  geometria: z.enum(['nenhuma', 'zona', 'linha']).describe('`linha` é necessária para disparar; `zona` só restringe.'),
  limiares: z.array(limiarSchema),
})

/** Description of an IA, and its thresholds with their limits. */
export const describeIa = (nome: (typeof nomesIas)[number]): z.input<typeof iaSchema> => {
  const { titulo, descricao, gravidade, geometria, limiares } = iaNamed(nome)
  return {
    nome,
    titulo,
    descricao,
    gravidade,
    geometria,
    limiares: Object.entries(limiares).map(([name, limiar]) => ({ nome: name, ...limiar })),
  }
}

export const calibrationTools = [
  routeTool({
    nome: 'obter_calibracao',
    titulo: 'Obter calibração',
    descricao:
      'Os limiares de cada IA de uma câmera: `salva` são os próprios, `efetiva` os em vigor. Leia antes de ' +
      'alterar_calibracao. O que cada um quer dizer: listar_modelos_calibracao.',
    rota: { operacao: 'verCalibracao', resposta: calibracaoViewSchema },
    registro: ['camera_id', cameraId],
    repete: 'De qual câmera é.',
    devolve: ['calibracao', '`salva` e `efetiva`: IA → limiar → valor.'],
    anotacoes: LEITURA,
  }),
  defineTool({
    nome: 'listar_modelos_calibracao',
    titulo: 'Listar modelos de calibração',
    descricao:
      'O catálogo: as IAs e seus limiares (padrão, limites, unidade), a calibração de cada caso de uso e os ' +
      'Perfis de criar_camera e cadastrar_gravador.',
    entrada: z.strictObject({}),
    saida: z.object({
      ias: z.array(iaSchema).describe('As IAs e seus limiares.'),
      templates: templatesSchema.shape.templates.describe('Calibração de cada caso de uso.'),
      perfis: z.array(perfilSchema).describe('Casos de uso prontos: IAs, calibração e Agenda.'),
    }),
    operacoes: ['listarTemplates', 'listarPerfis'],
    anotacoes: LEITURA,
    run: async (_, ctx) => {
      const { templates } = await ctx.json<z.infer<typeof templatesSchema>>('listarTemplates')
      const perfis = await ctx.json<z.infer<typeof perfilSchema>[]>('listarPerfis')
      return { dados: { ias: nomesIas.map(describeIa), templates, perfis } }
    },
  }),
]
