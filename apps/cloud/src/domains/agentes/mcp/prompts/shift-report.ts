import type { Camera } from '@vigia/contracts/cameras'
import { invalid } from '@vigia/contracts/errors'
import { decisoes, type Queda } from '@vigia/contracts/eventos'
import { gravidades } from '@vigia/contracts/ias'
import { idTexto, instanteComFusoSchema } from '@vigia/contracts/values'
import { z } from 'zod'
import { definePrompt } from '../prompt.ts'
import type { ToolContext } from '../tool.ts'
import { resumeCamera } from '../tools/camera-summary.ts'
import { listReviewed } from '../tools/evento-list.ts'
import { queryOf } from '../tools/paging.ts'

/** Events that the report lists; the totals count all of them. */
const SHOWN = 100

/** Number of newest quedas that are searched for the shift: the largest page of the route. */
const SEARCHED = 200

type Query = Readonly<Record<string, string>>

/** Number of events that match `query`, without fetching them. */
async function countOf(ctx: ToolContext, query: Query): Promise<number> {
  const { headers } = await ctx.answer('listarEventos', { query: { ...query, limit: '1' } })
  return Number(headers['x-total-count'])
}

async function counts(ctx: ToolContext, query: Query, field: string, values: readonly string[]) {
  const pairs = await Promise.all(
    values.map(async (value) => [value, await countOf(ctx, { ...query, [field]: value })]),
  )
  return Object.fromEntries(pairs) as Record<string, number>
}

/** The newest quedas that overlap the shift. */
async function readQuedas(ctx: ToolContext, empresa: Query, inicio: string, fim: string): Promise<Queda[]> {
  const newest = await ctx.json<Queda[]>('listarQuedas', { query: { ...empresa, limit: String(SEARCHED) } })
  const [from, to] = [Date.parse(inicio), Date.parse(fim)]
  return newest.filter((queda) => Date.parse(queda.inicio) < to && (queda.fim === null || Date.parse(queda.fim) > from))
}

export const shiftReport = definePrompt({
  nome: 'relatorio_turno',
  titulo: 'Relatório do turno',
  descricao:
    'Relatório de um turno: o que houve, o que foi alarme falso, o que esteve fora do ar e o que pede atenção.',
  argumentos: z.strictObject({
    inicio: instanteComFusoSchema.describe('Início do turno: ISO 8601 com fuso. Exemplo: 2026-01-31T22:00:00-03:00.'),
    fim: instanteComFusoSchema.describe('Fim do turno: ISO 8601 com fuso. Exemplo: 2026-02-01T06:00:00-03:00.'),
    empresa_id: idTexto.optional().describe('Só desta Empresa (id de listar_empresas). Se faltar, todas no escopo.'),
  }),
  operacoes: ['listarEventos', 'verEvento', 'listarQuedas', 'listarCameras'],
  messages: async ({ inicio, fim, empresa_id }, ctx) => {
    if (Date.parse(inicio) >= Date.parse(fim))
      throw invalid(['body', 'fim'], 'O turno precisa terminar depois de começar.')
    const empresa = queryOf({ empresa_id })
    const period = { ...empresa, desde: inicio, ate: fim }
    const [shown, por_veredito, por_gravidade, quedas, cameras] = await Promise.all([
      listReviewed({ empresa_id, desde: inicio, ate: fim, limite: SHOWN }, ctx),
      counts(ctx, period, 'veredito', [...decisoes, 'pendente']),
      counts(ctx, period, 'gravidade', gravidades),
      readQuedas(ctx, empresa, inicio, fim),
      ctx.json<Camera[]>('listarCameras', { query: empresa }),
    ])
    const { eventos, total } = shown
    const fora = cameras.filter(({ status }) => status === 'offline')
    return [
      { texto: INSTRUCOES },
      { dados: { turno: { inicio, fim }, totais: { eventos: total, por_veredito, por_gravidade }, eventos } },
      {
        dados: {
          quedas_no_turno: quedas,
          total_fora_do_ar_agora: fora.length,
          cameras_fora_do_ar_agora: fora.slice(0, SHOWN).map(resumeCamera),
        },
      },
    ]
  },
})

const INSTRUCOES = `
Escreva o relatório de um turno de vigilância para quem assume o próximo, em português, com os dados dos blocos JSON \
que seguem.

1. Em duas frases: foi um turno calmo ou não, e o que pede ação agora.
2. Os eventos confirmados, do mais grave ao mais leve, cada um com hora local, câmera, o que foi visto e o id. Os que \
se repetem na mesma câmera, juntos.
3. Quantos foram refutados (alarmes falsos) e em que câmeras; se uma câmera concentra a maioria, diga-o. "revisao" é \
o que uma pessoa disse do evento, e vale mais que o veredito.
4. Os que ainda estão pendentes.
5. O que esteve fora do ar no turno, por quanto tempo, e o que está fora agora: ali ninguém vigiava.

"totais" conta todos os eventos do turno; "eventos" mostra só os ${SHOWN} mais novos. Se faltarem, busque-os com \
listar_eventos no mesmo período. As quedas são procuradas entre as ${SEARCHED} mais novas: para um turno antigo, \
confira com listar_quedas. Para descrever uma cena, olhe a imagem com obter_evento em vez de adivinhar. Não invente o \
que não está nos dados, e não mude nada: isto é só um relatório.
`.trim()
