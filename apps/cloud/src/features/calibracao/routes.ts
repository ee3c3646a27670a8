import { perfilSchema, templatesSchema } from '@vigia/contracts/calibracao'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { z } from 'zod'
import { defineRoute, type Route } from '../../http/route.ts'

const perfis = nomesPerfis.map(perfil)

export const calibracaoRoutes = (): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/calibracao/templates',
    operacao: 'listarTemplates',
    acesso: 'sessao',
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
    resumo: 'Perfis que a criação de câmera aceita',
    respostas: { 200: z.array(perfilSchema) },
    handler: () => ({ status: 200, body: perfis.map((p) => ({ ...p, ias: [...p.ias] })) }),
  }),
]
