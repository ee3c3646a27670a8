import {
  acoesAuditoria,
  canaisAuditoria,
  objetosAuditoria,
  type RegistroAuditoria,
  registroAuditoriaSchema,
} from '@vigia/contracts/auditoria'
import { idLongoSchema, idSchema, instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { empresaFiltro } from './ids.ts'
import { askPage, paginaEntrada, paginaSaida } from './paging.ts'

export const queryAudit = defineTool({
  nome: 'consultar_auditoria',
  titulo: 'Consultar auditoria',
  descricao:
    'Quem mudou o quê, quando, por onde (painel, API, agente) e como estava antes e depois, do mais novo ao ' +
    'mais antigo; segredos aparecem ' +
    'como `****`. Use para explicar uma mudança ou conferir o que você mesmo mudou (`canal`: `agente`). Não ' +
    'mostra eventos de câmeras.',
  entrada: z.strictObject({
    empresa_id: empresaFiltro,
    usuario_id: idSchema
      .optional()
      .describe('Só o que este login fez (`usuario_id` de um registro, ou o de quem_sou).'),
    objeto: z.enum(objetosAuditoria).optional().describe('Só mudanças deste tipo de coisa. Exemplo: camera.'),
    objeto_id: idLongoSchema.optional().describe('Só mudanças da coisa com este id; use com `objeto`.'),
    acao: z.enum(acoesAuditoria).optional().describe('Só esta ação. Exemplo: alterar.'),
    canal: z
      .enum(canaisAuditoria)
      .optional()
      .describe('Só o que veio por aí: `painel`, `api`, `agente`, `edge`, `sistema`.'),
    desde: instanteComFusoSchema.optional().describe('A partir daqui: ISO 8601 com fuso. 2026-01-31T22:00:00-03:00.'),
    ate: instanteComFusoSchema.optional().describe('Antes daqui (exclusive): ISO 8601 com fuso.'),
    ...paginaEntrada,
    // A record contains the values before and after a change. Fifty records may exceed the result limit of a client.
    limite: z.int().min(1).max(200).default(20).describe('Registros por página, de 1 a 200. Se faltar, 20.'),
  }),
  saida: z.object({
    registros: z.array(registroAuditoriaSchema).describe('Os registros desta página.'),
    ...paginaSaida,
  }),
  operacoes: ['listarAuditoria'],
  anotacoes: LEITURA,
  run: async (entrada, ctx) => {
    const { itens, ...pagina } = await askPage<RegistroAuditoria>('listarAuditoria', entrada, ctx)
    return { dados: { registros: [...itens], ...pagina } }
  },
})
