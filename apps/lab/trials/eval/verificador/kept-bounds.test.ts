import { readFile } from 'node:fs/promises'
import { judgeScored } from '@vigia/ias/judging'
import { expect, it } from 'vitest'
import type { Outcome } from './outcome.ts'
import { summarize } from './summary.ts'
import { judgeVerifier } from './verifier-bounds.ts'

/**
 * Recorded scores of campus candidates, evenly spaced, of all versions of the pictures. A line is one candidate of
 * `npm run lab -- eval --verificador --json FILE`.
 */
async function readOutcomes(): Promise<Outcome[]> {
  const text = await readFile(new URL('./scores-sample.csv', import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [grupo, ...values] = line.split(',')
      const [verdadeiro = 0, primeira = 0, twice = 0, thrice = 0, noise = 0, light = 0] = values.map(Number)
      const sharpness = values[6] ? Number(values[6]) : null
      const onMain = grupo === 'pessoa_principal'
      const region = {
        first: { rotulo: 'person', confianca: primeira },
        seen: [twice, thrice],
        quality: { noise, light, sharpness },
      }
      const fonte = onMain ? 'principal' : 'sub'
      const alarm = { caixas: [], rotulos: ['person'], conf: 0.1, detalhes: {}, fonte } as const
      const found = { kind: 'detected', modelo: 'm', regions: [region] } as const
      const { decisao, certeza, confianca } = judgeScored(found, alarm, 0)
      return {
        grupo: onMain ? 'pessoa_principal' : 'pessoa',
        fonte: 'campus',
        versao: 'limpa',
        alturaPx: 0,
        primeira,
        verdadeiro: verdadeiro === 1,
        ruido: noise,
        luz: light,
        nitidez: sharpness,
        segundo: {},
        decisao,
        certeza,
        confianca,
      }
    })
}

it('keeps the bounds of people that the campus reaches', async () => {
  const bounds = judgeVerifier(summarize(await readOutcomes()))
  expect(bounds.filter(({ ok }) => ok).map(({ nome }) => nome)).toEqual(
    expect.arrayContaining([
      'pessoas: verdadeiras refutadas',
      'pessoas: verdadeiras refutadas em cada linha',
      'pessoas: verdadeiras confirmadas com certeza',
      'pessoas: o mesmo, primeiro modelo ≥ 0,45',
      'pessoas: falsas confirmadas com certeza',
      'pessoas, imagem principal: verdadeiras refutadas',
      'pessoas, imagem principal: falsas refutadas (uma cena)',
    ]),
  )
})

it('keeps the false candidates that one picture of the sub stream refutes', async () => {
  const [people] = summarize(await readOutcomes())
  expect(people?.linhas[0].falsos.refutados.k).toBeGreaterThanOrEqual(REFUTED)
})

/** Number out of 163 false ones. */
const REFUTED = 16
