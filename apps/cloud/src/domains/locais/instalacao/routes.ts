import { instalacaoSchema } from '@vigia/contracts/instalacao'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { viewInstalacao } from './view-instalacao.ts'

/** How far the installation of an Empresa has come. */
export const instalacaoRoutes = (deps: Parameters<typeof viewInstalacao>[0]): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas/{empresa_id}/instalacao',
    operacao: 'verInstalacao',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Até onde chegou a instalação de uma Empresa',
    descricao:
      'Caixa, gravador, canais, o que vigiar, zonas e prova, cada passo com a conta do que já está feito, e cada ' +
      'câmera ativa com o que lhe falta. O servidor deriva tudo do que existe; Empresas abaixo não contam.',
    params: z.object({ empresa_id: idTexto }),
    respostas: { 200: instalacaoSchema },
    handler: async ({ caller, params: { empresa_id } }) => ({
      status: 200,
      body: await viewInstalacao(deps, caller, empresa_id),
    }),
  }),
]
