import { type CanalGravador, canalGravadorSchema, type Gravador, gravadorSchema } from '@vigia/contracts/gravadores'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { empresaFiltro, gravadorId } from './ids.ts'
import { cutPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/**
 * The password is omitted, because results stay in the conversation of the agent. Administradores see the password in
 * the dashboard.
 */
const gravadorSemSenhaSchema = gravadorSchema
  .omit({ senha: true })
  .meta({ id: 'GravadorSemSenha', description: 'Um gravador (DVR ou NVR), sem a senha.' })

const withoutPassword = ({ senha: _, ...gravador }: Gravador) => gravador

export const gravadorTools = [
  defineTool({
    nome: 'listar_gravadores',
    titulo: 'Listar gravadores',
    descricao: 'Os gravadores (DVR, NVR) cadastrados: endereço, fabricante, câmeras em seus canais; a senha nunca vem.',
    entrada: z.strictObject({ empresa_id: empresaFiltro, ...paginaEntrada }),
    saida: z.object({
      gravadores: z.array(gravadorSemSenhaSchema).describe('Os gravadores desta página.'),
      ...paginaSaida,
    }),
    operacoes: ['listarGravadores'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const query = queryOf({ empresa_id: entrada.empresa_id })
      const all = await ctx.json<Gravador[]>('listarGravadores', { query })
      const { itens, ...pagina } = cutPage('gravadores', all, entrada)
      return { dados: { gravadores: itens.map(withoutPassword), ...pagina } }
    },
  }),
  defineTool({
    nome: 'obter_gravador',
    titulo: 'Obter gravador',
    descricao:
      'Um gravador e seus canais, cada um com sua câmera (`camera_id` null: livre, para criar_camera). A senha ' +
      'nunca vem.',
    entrada: z.strictObject({ gravador_id: gravadorId }),
    saida: z.object({
      gravador: gravadorSemSenhaSchema.describe('O gravador.'),
      canais: z.array(canalGravadorSchema).describe('Os canais em ordem; nas URLs, a senha é `****`.'),
    }),
    operacoes: ['verGravador', 'listarCanais'],
    anotacoes: LEITURA,
    run: async ({ gravador_id }, ctx) => {
      const params = { gravador_id: String(gravador_id) }
      const gravador = withoutPassword(await ctx.json<Gravador>('verGravador', { params }))
      return { dados: { gravador, canais: await ctx.json<CanalGravador[]>('listarCanais', { params }) } }
    },
  }),
]
