import { diagnosticoSchema } from '@vigia/contracts/pedidos'
import { idTexto } from '@vigia/contracts/values'
import { alcanceVarreduraSchema, equipamentoSchema } from '@vigia/contracts/varredura'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { diagnoseEdge } from './diagnose-edge.ts'
import { type ScanDeps, scanNetwork, showScanScope } from './scan-network.ts'

const params = z.object({ id: idTexto })

/** Questions to an edge: its state, and the recorders in its networks. */
export const commandRoutes = (deps: ScanDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/edges/{id}/diagnostico',
    operacao: 'diagnosticarEdge',
    erros: [503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Pergunta à caixa como ela está agora',
    params,
    respostas: { 200: diagnosticoSchema },
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await diagnoseEdge(deps, caller, id, request.signal),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/edges/{id}/varredura',
    operacao: 'verAlcanceVarredura',
    erros: [503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Redes e portas em que a caixa procuraria gravadores, sem procurar',
    params,
    respostas: { 200: alcanceVarreduraSchema },
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await showScanScope(deps, caller, id, request.signal),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/edges/{id}/varredura',
    operacao: 'varrerRede',
    erros: [429, 503],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Procura gravadores e câmeras nas redes privadas da caixa; uma vez por minuto',
    params,
    respostas: { 200: z.array(equipamentoSchema) },
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await scanNetwork(deps, caller, id, request.signal),
    }),
  }),
]
