import { type CanalNotificacao, canalNotificacaoSchema, testeCanalSchema } from '@vigia/contracts/notificacoes'
import { z } from 'zod'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { LEITURA } from './annotations.ts'
import { canalId, empresaFiltro } from './ids.ts'
import { cutPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/** Fields to choose a canal; the detail contains its deliveries. */
const canalResumoSchema = canalNotificacaoSchema
  .pick({
    id: true,
    empresa_id: true,
    tipo: true,
    destino: true,
    destinatarios: true,
    ativo: true,
    camera_id: true,
    camera_ids: true,
    tipos_evento: true,
  })
  .extend({ ultimo_erro: z.string().nullable().describe('Da última entrega que falhou.') })
  .meta({ id: 'CanalResumo', description: 'O que identifica um canal de notificação.' })

const resumeCanal = (canal: CanalNotificacao): z.input<typeof canalResumoSchema> => {
  const { id, empresa_id, tipo, destino, destinatarios, ativo, camera_id, camera_ids, tipos_evento, entregas } = canal
  const { ultimo_erro } = entregas
  return { id, empresa_id, tipo, destino, destinatarios, ativo, camera_id, camera_ids, tipos_evento, ultimo_erro }
}

export const notificationTools = [
  defineTool({
    nome: 'listar_canais_notificacao',
    titulo: 'Listar canais de notificação',
    descricao:
      'Para onde vão os avisos de eventos confirmados, com destinos e filtros, resumidos. Use para achar um ' +
      '`canal_id`.',
    entrada: z.strictObject({ empresa_id: empresaFiltro, ...paginaEntrada }),
    saida: z.object({ canais: z.array(canalResumoSchema).describe('Os canais desta página.'), ...paginaSaida }),
    operacoes: ['listarCanaisNotificacao'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const query = queryOf({ empresa_id: entrada.empresa_id })
      const all = await ctx.json<CanalNotificacao[]>('listarCanaisNotificacao', { query })
      const { itens, ...pagina } = cutPage('canais', all, entrada)
      return { dados: { canais: itens.map(resumeCanal), ...pagina } }
    },
  }),
  routeTool({
    nome: 'obter_canal_notificacao',
    titulo: 'Obter canal de notificação',
    descricao:
      'Um canal inteiro: destinos, filtros, Agenda, e as entregas pendentes, feitas e desistidas com o último ' +
      'erro. Use quando um aviso não chegou.',
    rota: { operacao: 'verCanalNotificacao', resposta: canalNotificacaoSchema },
    registro: ['canal_id', canalId],
    devolve: ['canal', 'O canal inteiro.'],
    anotacoes: LEITURA,
  }),
  routeTool({
    nome: 'testar_canal_notificacao',
    titulo: 'Testar canal de notificação',
    descricao:
      'Manda agora um teste a todos os destinos do canal, também inativo: pessoas e sistemas de fora o ' +
      'recebem. Use depois de criar ou mudar um canal, com o acordo da pessoa.',
    rota: { operacao: 'testarCanalNotificacao', resposta: testeCanalSchema },
    registro: ['canal_id', canalId],
    repete: 'O canal que foi testado.',
    devolve: ['resultado', '`ok`: todos os destinos aceitaram; `erros`: uma frase por destino que falhou.'],
    anotacoes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  }),
]
