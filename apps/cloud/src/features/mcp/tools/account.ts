import type { Empresa } from '@vigia/contracts/empresas'
import { empresaSchema } from '@vigia/contracts/empresas'
import { type Me, meSchema } from '@vigia/contracts/sessoes'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { cutPage, paginaEntrada, paginaSaida } from './paging.ts'

export const accountTools = [
  defineTool({
    nome: 'quem_sou',
    titulo: 'Quem sou',
    descricao:
      'Diz em nome de qual login você trabalha, com que papel (`administrador` muda coisas, `usuario` só vê; quem foi autorizado ' +
      'só para ver trabalha como `usuario`, seja qual for o papel do login) e quais Empresas ele alcança. Use antes de prometer uma mudança, ou quando algo parecer faltar. Não recebe nada.',
    entrada: z.strictObject({}),
    saida: z.object({ login: meSchema.describe('O login, o papel e as Empresas no escopo (null: todas).') }),
    operacoes: ['verMe'],
    anotacoes: LEITURA,
    run: async (_, ctx) => ({ dados: { login: await ctx.json<Me>('verMe') } }),
  }),
  defineTool({
    nome: 'listar_empresas',
    titulo: 'Listar Empresas',
    descricao:
      'As Empresas (contas que têm câmeras) que o login alcança, com fuso horário e limite de câmeras. Use para achar um ' +
      '`empresa_id`, ou o fuso em que valem as horas de uma Agenda. Câmeras: listar_cameras.',
    entrada: z.strictObject(paginaEntrada),
    saida: z.object({ empresas: z.array(empresaSchema).describe('As Empresas desta página.'), ...paginaSaida }),
    operacoes: ['listarEmpresas'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { itens, ...pagina } = cutPage('empresas', await ctx.json<Empresa[]>('listarEmpresas'), entrada)
      return { dados: { empresas: [...itens], ...pagina } }
    },
  }),
]
