import type { Empresa } from '@vigia/contracts/empresas'
import { empresaSchema } from '@vigia/contracts/empresas'
import { type LimitesEmpresa, limitesEmpresaSchema } from '@vigia/contracts/limites'
import { type Me, meSchema } from '@vigia/contracts/sessoes'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { empresaFiltro } from './ids.ts'
import { cutPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/** Agents get no information about the authentication of the login. */
const loginSchema = meSchema.omit({ segundo_fator: true, mensagens_com_link: true })

export const accountTools = [
  defineTool({
    nome: 'quem_sou',
    titulo: 'Quem sou',
    descricao:
      'Em nome de qual login você trabalha, com que papel (`administrador` muda coisas, `vigilante` atende e ' +
      'silencia, `usuario` só vê) e que Empresas alcança.',
    entrada: z.strictObject({}),
    saida: z.object({ login: loginSchema.describe('O login, o papel e as Empresas no escopo (null: todas).') }),
    operacoes: ['verMe'],
    anotacoes: LEITURA,
    run: async (_, ctx) => ({ dados: { login: loginSchema.parse(await ctx.json<Me>('verMe')) } }),
  }),
  defineTool({
    nome: 'listar_empresas',
    titulo: 'Listar Empresas',
    descricao: 'As Empresas que o login alcança, com fuso horário e limites. O que está em uso: listar_limites.',
    entrada: z.strictObject(paginaEntrada),
    saida: z.object({ empresas: z.array(empresaSchema).describe('As Empresas desta página.'), ...paginaSaida }),
    operacoes: ['listarEmpresas'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { itens, ...pagina } = cutPage('empresas', await ctx.json<Empresa[]>('listarEmpresas'), entrada)
      return { dados: { empresas: [...itens], ...pagina } }
    },
  }),
  defineTool({
    nome: 'listar_limites',
    titulo: 'Listar limites',
    descricao:
      'Quantas câmeras, gravadores, caixas, logins, canais, agentes e chaves cada Empresa tem, pode ter, e ' +
      'quantos cabem (`livres`). `bytes` é o espaço de imagens e clipes, e se as caixas esperam por ele.',
    entrada: z.strictObject({ empresa_id: empresaFiltro, ...paginaEntrada }),
    saida: z.object({
      limites: z.array(limitesEmpresaSchema).describe('Os limites das Empresas desta página.'),
      ...paginaSaida,
    }),
    operacoes: ['listarLimites'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const all = await ctx.json<LimitesEmpresa[]>('listarLimites', {
        query: queryOf({ empresa_id: entrada.empresa_id }),
      })
      const { itens, ...pagina } = cutPage('limites', all, entrada)
      return { dados: { limites: [...itens], ...pagina } }
    },
  }),
]
