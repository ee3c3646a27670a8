import {
  type FilaVerificacao,
  filaVerificacaoSchema,
  type Pendencia,
  pendenciaSchema,
  tiposPendencia,
} from '@vigia/contracts/pendencias'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { empresaFiltro } from './ids.ts'
import { askPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

export const pendingWorkTools = [
  defineTool({
    nome: 'consultar_fila_verificacao',
    titulo: 'Consultar fila de verificação',
    descricao:
      'Quantos eventos de cada Empresa esperam o veredito, e há quantos segundos o mais antigo. Use quando ' +
      'alertas parecem demorar. O que parou: listar_pendencias.',
    entrada: z.strictObject({ empresa_id: empresaFiltro }),
    saida: z.object({ filas: z.array(filaVerificacaoSchema).describe('Uma por Empresa em que algum evento espera.') }),
    operacoes: ['verFilaVerificacao'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const filas = await ctx.json<FilaVerificacao[]>('verFilaVerificacao', { query: queryOf(entrada) })
      return { dados: { filas } }
    },
  }),
  defineTool({
    nome: 'listar_pendencias',
    titulo: 'Listar pendências',
    descricao:
      'Verificações e notificações que pararam, com o motivo. Use para um evento sem veredito ou um aviso que ' +
      'não chegou. Tentar de novo é de uma pessoa, na página Pendências.',
    entrada: z.strictObject({
      empresa_id: empresaFiltro,
      tipo: z.enum(tiposPendencia).optional().describe('Só as deste tipo.'),
      ...paginaEntrada,
    }),
    saida: z.object({ pendencias: z.array(pendenciaSchema).describe('As pendências desta página.'), ...paginaSaida }),
    operacoes: ['listarPendencias'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { itens, ...pagina } = await askPage<Pendencia>('listarPendencias', entrada, ctx)
      return { dados: { pendencias: [...itens], ...pagina } }
    },
  }),
]
