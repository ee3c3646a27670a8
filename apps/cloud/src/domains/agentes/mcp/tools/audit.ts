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
    'Quem mudou o quê, quando, por onde, e os valores antes e depois, do mais novo ao mais antigo; segredos ' +
    'são `****`.',
  entrada: z.strictObject({
    empresa_id: empresaFiltro,
    usuario_id: idSchema.optional().describe('Só o que este login fez.'),
    objeto: z.enum(objetosAuditoria).optional().describe('Só deste tipo.'),
    objeto_id: idLongoSchema.optional().describe('Com `objeto`: só deste id.'),
    acao: z.enum(acoesAuditoria).optional().describe('Só esta ação.'),
    canal: z.enum(canaisAuditoria).optional().describe('Por onde veio.'),
    desde: instanteComFusoSchema.optional().describe('ISO 8601 com fuso.'),
    ate: instanteComFusoSchema.optional().describe('Até, exclusive.'),
    ...paginaEntrada,
    // A record contains the values before and after a change. Fifty records may exceed the result limit of a client.
    limite: z.int().min(1).max(200).default(20).describe('De 1 a 200; se faltar, 20.'),
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
