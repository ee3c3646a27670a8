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
const loginSchema = meSchema.omit({ segundo_fator: true })

export const accountTools = [
  defineTool({
    nome: 'quem_sou',
    titulo: 'Quem sou',
    descricao:
      'Diz em nome de qual login você trabalha, com que papel (`administrador` muda coisas, `vigilante` atende ' +
      'incidentes e silencia câmeras, `usuario` só vê; quem foi autorizado ' +
      'só para ver trabalha como `usuario`, seja qual for o papel do login) e quais Empresas ele alcança. Use ' +
      'antes de prometer uma mudança, ou quando algo parecer faltar. Não recebe nada.',
    entrada: z.strictObject({}),
    saida: z.object({ login: loginSchema.describe('O login, o papel e as Empresas no escopo (null: todas).') }),
    operacoes: ['verMe'],
    anotacoes: LEITURA,
    run: async (_, ctx) => ({ dados: { login: loginSchema.parse(await ctx.json<Me>('verMe')) } }),
  }),
  defineTool({
    nome: 'listar_empresas',
    titulo: 'Listar Empresas',
    descricao:
      'As Empresas (contas que têm câmeras) que o login alcança, com fuso horário e limites. Use para achar um ' +
      '`empresa_id`, ou o fuso em que valem as horas de uma Agenda. Câmeras: listar_cameras. Quanto dos limites ' +
      'está em uso: listar_limites.',
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
      'Quantas câmeras, gravadores, caixas, logins, canais, agentes e chaves cada Empresa pode ter, com as que ' +
      'estão abaixo dela, ' +
      'quantos já tem e quantos ainda cabem (`livres`). Use antes de cadastrar muitas câmeras, ou quando um ' +
      'cadastro for recusado ' +
      'por limite. Nenhuma ferramenta muda limites: isso uma pessoa faz no painel.',
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
