import { VigiaError } from '@vigia/contracts/errors'
import { prontidaoSchema, saudeSchema } from '@vigia/contracts/saude'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Readiness } from '../../../http/readiness.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import type { MachineWarnings } from './machine-warnings.ts'
import type { AgeClock } from './relogio/age-clock.ts'
import { relogioRoutes } from './relogio/routes.ts'
import { readSomething } from './store.ts'

interface SaudeDeps {
  readonly db: Database
  readonly warnings: Pick<MachineWarnings, 'list'>
  readonly readiness: Pick<Readiness, 'isDraining'>
  readonly clock: Clock
  readonly ages: AgeClock
}

export const saudeRoutes = ({ db, warnings, readiness, clock, ages }: SaudeDeps): Route[] => [
  ...relogioRoutes({ db, clock, ages }),
  defineRoute({
    method: 'get',
    path: '/healthz',
    operacao: 'verSaude',
    acesso: 'publico',
    efeito: null,
    resumo: 'O serviço está de pé',
    descricao:
      'Responde 200 enquanto as consultas funcionam. `avisos` só vem quando há algo para quem opera o servidor: ' +
      '`disco_baixo` (pouco espaço), `disco_cheio` (mudanças são recusadas com 503 e os eventos ficam nas caixas), ' +
      '`disco_somente_leitura` (o disco não grava), `enlace_fora` (sem conexão com o broker há mais de 10 s), ' +
      '`relogio_duvidoso` e `apagamento_retido` (o operador confere a hora do servidor), `imagens_com_versoes` (o ' +
      'bucket guarda o que foi apagado).',
    erros: [503],
    respostas: { 200: saudeSchema },
    handler: async () => {
      await readSomething(db).catch((cause: unknown) => {
        throw new VigiaError('indisponivel', { detalhe: 'O banco de dados não pode ser lido.', cause })
      })
      const avisos = warnings.list()
      return { status: 200, body: { status: 'ok' as const, ...(avisos.length > 0 && { avisos }) } }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/readyz',
    operacao: 'verProntidao',
    acesso: 'publico',
    efeito: null,
    resumo: 'O serviço aceita pedidos',
    descricao:
      'Para o balanceador de carga: 200 enquanto esta réplica aceita pedidos; 503 enquanto o banco não responde, e ' +
      'desde que a réplica começou a parar. Sem conexão com o broker ela continua pronta.',
    erros: [503],
    respostas: { 200: prontidaoSchema },
    handler: async () => {
      if (readiness.isDraining)
        throw new VigiaError('indisponivel', { detalhe: 'Esta réplica está parando. Use outra.' })
      await readSomething(db).catch((cause: unknown) => {
        throw new VigiaError('indisponivel', { detalhe: 'O banco de dados não pode ser lido.', cause })
      })
      return { status: 200, body: { status: 'ok' as const } }
    },
  }),
]
