import { perfilSchema, templatesSchema } from '@vigia/contracts/calibracao'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { simulacaoCreateSchema, simulacaoSchema } from '@vigia/contracts/simulacao'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type SimulationDeps, simulateCalibracao } from './simulate-calibracao.ts'

const perfis = nomesPerfis.map(perfil)

export const calibracaoRoutes = (deps: SimulationDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/calibracao/templates',
    operacao: 'listarTemplates',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Calibração padrão e a de cada caso de uso',
    respostas: { 200: templatesSchema },
    handler: () => ({
      status: 200,
      body: {
        padrao: calibracaoPadrao,
        templates: perfis.map(({ nome, titulo, descricao, config_ia }) => ({ nome, titulo, descricao, config_ia })),
      },
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/calibracao/perfis',
    operacao: 'listarPerfis',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Perfis que a criação de câmera aceita',
    respostas: { 200: z.array(perfilSchema) },
    handler: () => ({ status: 200, body: perfis.map((p) => ({ ...p, ias: [...p.ias] })) }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/cameras/{camera_id}/simular-calibracao',
    operacao: 'simularCalibracao',
    erros: [429],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Que eventos teriam vindo com outros valores',
    descricao:
      'Responde com os candidatos guardados, por padrão das últimas 24 horas, e não muda nada. `exato: false` marca ' +
      'uma estimativa: zonas, linha, e o que a caixa não guardou depois do evento. 422 com uma frase quando os ' +
      'candidatos guardados não respondem. Dez vezes por minuto e login.',
    params: z.object({ camera_id: idTexto }),
    json: simulacaoCreateSchema,
    respostas: { 200: simulacaoSchema },
    handler: async ({ caller, params: { camera_id }, json }) => ({
      status: 200,
      body: await simulateCalibracao(deps, caller, camera_id, json),
    }),
  }),
]
