import {
  livroQuerySchema,
  livroSchema,
  MAX_LIVRO,
  passagemDeTurnoCreateSchema,
  passagemDeTurnoSchema,
} from '@vigia/contracts/livro'
import { defineRoute, type Route } from '../../../http/route.ts'
import { readLivro } from './read-livro.ts'
import { type LivroDeps, writeHandOver } from './write-hand-over.ts'

const PATH = '/api/v1/livro'

export const livroRoutes = (deps: LivroDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: PATH,
    operacao: 'verLivro',
    acesso: 'sessao',
    efeito: null,
    resumo: 'O livro de ocorrências de um período: respostas, notas e passagens de turno',
    descricao: `Até ${MAX_LIVRO} entradas, as mais novas; \`completo\` diz se o período tem mais.`,
    query: livroQuerySchema,
    respostas: { 200: livroSchema },
    handler: async ({ caller, query }) => ({ status: 200, body: await readLivro(deps, caller, query) }),
  }),
  defineRoute({
    method: 'post',
    path: PATH,
    operacao: 'escreverPassagemDeTurno',
    acesso: 'trabalho',
    efeito: null,
    resumo: 'Escreve uma passagem de turno no livro',
    json: passagemDeTurnoCreateSchema,
    respostas: { 201: passagemDeTurnoSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await writeHandOver(deps, caller, json) }),
  }),
]
