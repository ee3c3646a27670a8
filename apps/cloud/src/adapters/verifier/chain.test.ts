import { expect, it } from 'vitest'
import { JPEG } from '../../test/records/records.ts'
import { createChain } from './chain.ts'
import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from './interface.ts'

const candidato: CandidatoVerificacao = {
  crop: JPEG,
  quadro: null,
  caixas: [],
  ia: 'invasao',
  detalhes: {},
  calibracao: {},
  instrucoes: [],
}
const said = (
  decisao: 'confirmado' | 'refutado',
  certeza: 'alta' | 'baixa',
  fonte: string,
  confianca = 0.6,
): ResultadoVerificacao => ({ ok: true, decisao, certeza, confianca, motivo: `Frase de ${fonte}.`, fonte })
const failed = (falha: 'sem_suporte' | 'indisponivel' | 'imagem_ilegivel'): ResultadoVerificacao => ({
  ok: false,
  falha,
  detalhe: falha,
})

/** A verifier with fixed answers that records what was asked. */
function member(answer: ResultadoVerificacao | (() => Promise<ResultadoVerificacao>), atOnce = 1) {
  let asked = 0
  const verifier: Verifier = {
    atOnce,
    async verify() {
      asked += 1
      return typeof answer === 'function' ? answer() : answer
    },
    stop: async () => {},
  }
  return { verifier, asked: () => asked }
}
const unsure = said('confirmado', 'baixa', 'local', 0.4)

it.each([
  ['a sure confirmation', said('confirmado', 'alta', 'local')],
  ['a refutation', said('refutado', 'alta', 'local')],
  ['an unavailable verifier, which comes back', failed('indisponivel')],
  ['an unreadable picture', failed('imagem_ilegivel')],
])('asks no second verifier after %s', async (_name, first) => {
  const second = member(said('confirmado', 'alta', 'vlm'))
  const chain = createChain([member(first).verifier, second.verifier])
  expect(await chain.verify(candidato)).toEqual(first)
  expect(second.asked()).toBe(0)
})

it.each([
  ['confirms', said('confirmado', 'alta', 'vlm', 0.8), said('confirmado', 'alta', 'vlm', 0.8)],
  [
    'is unsure too',
    said('confirmado', 'baixa', 'vlm', 0.5),
    { ...unsure, motivo: 'Frase de local. Frase de vlm.', fonte: 'local, vlm' },
  ],
  ['fails', failed('indisponivel'), unsure],
  ['may not be asked', failed('sem_suporte'), unsure],
])('an unsure verdict, and the second verifier %s', async (_name, second, expected) => {
  const chain = createChain([member(unsure).verifier, member(second).verifier])
  expect(await chain.verify(candidato)).toEqual(expected)
})

it.each([failed('indisponivel'), failed('sem_suporte'), said('confirmado', 'baixa', 'vlm')])(
  'without support of the first verifier the second decides',
  async (second) => {
    const chain = createChain([member(failed('sem_suporte')).verifier, member(second).verifier])
    expect(await chain.verify(candidato)).toEqual(second)
  },
)

it('asks each verifier at most as often at once as it allows', async () => {
  const counts = { local: 0, vlm: 0, mostLocal: 0, mostVlm: 0 }
  const slow = (name: 'local' | 'vlm', most: 'mostLocal' | 'mostVlm', answer: ResultadoVerificacao) => async () => {
    counts[name] += 1
    counts[most] = Math.max(counts[most], counts[name])
    await new Promise((resolve) => setImmediate(resolve))
    counts[name] -= 1
    return answer
  }
  const chain = createChain([
    member(slow('local', 'mostLocal', unsure), 1).verifier,
    member(slow('vlm', 'mostVlm', said('confirmado', 'alta', 'vlm')), 4).verifier,
  ])
  expect(chain.atOnce).toBe(4)
  const results = await Promise.all(Array.from({ length: 12 }, () => chain.verify(candidato)))
  expect(results.every((result) => result.ok && result.certeza === 'alta')).toBe(true)
  expect(counts.mostLocal).toBe(1)
  expect(counts.mostVlm).toBeLessThanOrEqual(4)
})

it('gives no verdict while it stops, so that the event is verified again', async () => {
  const answer = Promise.withResolvers<ResultadoVerificacao>()
  const chain = createChain([member(unsure).verifier, member(() => answer.promise).verifier])
  const pending = chain.verify(candidato)
  await chain.stop()
  answer.resolve(failed('indisponivel'))
  expect(await pending).toMatchObject({ ok: false, falha: 'indisponivel' })
})
