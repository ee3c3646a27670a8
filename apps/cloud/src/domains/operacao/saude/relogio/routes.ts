import { relogioServidorSchema } from '@vigia/contracts/saude'
import { defineRoute, type Route } from '../../../../http/route.ts'
import { type ClockDeps, confirmClock, viewClock } from './confirm-clock.ts'

const PATH = '/api/v1/relogio'

export const relogioRoutes = (deps: ClockDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'verRelogio',
    acesso: 'escrita',
    efeito: 'so_login',
    resumo: 'A hora do servidor, a hora pela qual os prazos contam, e apagamentos que esperam',
    descricao: 'Só para o operador. `duvida` vem quando o relógio mudou mais de um dia sem confirmação.',
    respostas: { 200: relogioServidorSchema },
    handler: async ({ caller }) => ({ status: 200, body: await viewClock(deps, caller) }),
  }),
  defineRoute({
    method: 'post',
    path: `${PATH}/confirmacao`,
    operacao: 'confirmarRelogio',
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Confirma que a hora do servidor está certa',
    descricao:
      'Só para o operador, e não se desfaz: os prazos passam a contar pela hora do servidor, e os apagamentos ' +
      'retidos continuam na próxima varredura.',
    respostas: { 200: relogioServidorSchema },
    handler: async ({ caller }) => ({ status: 200, body: await confirmClock(deps, caller) }),
  }),
]
