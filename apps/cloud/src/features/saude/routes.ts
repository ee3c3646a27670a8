import { VigiaError } from '@vigia/contracts/errors'
import { saudeSchema } from '@vigia/contracts/saude'
import type { Database } from '../../db/open.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import type { MachineWarnings } from './machine-warnings.ts'
import { readSomething } from './store.ts'

interface SaudeDeps {
  readonly db: Database
  readonly warnings: Pick<MachineWarnings, 'list'>
}

export const saudeRoutes = ({ db, warnings }: SaudeDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/healthz',
    operacao: 'verSaude',
    acesso: 'publico',
    resumo: 'O serviço está de pé',
    descricao:
      'Responde 200 enquanto as consultas funcionam. `avisos` só vem quando há algo para quem opera o servidor: ' +
      '`disco_baixo` (pouco espaço), `disco_cheio` (mudanças são recusadas com 503 e os eventos ficam nas caixas), ' +
      '`disco_somente_leitura` (o disco não grava), `enlace_fora` (sem conexão com o broker há mais de 10 s).',
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
]
