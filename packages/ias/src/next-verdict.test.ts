import { expect, it } from 'vitest'
import { type CurrentVerdict, type LaterOpinion, nextVerdict } from './next-verdict.ts'

const doubtful: CurrentVerdict = { decisao: 'confirmado', certeza: 'baixa', primeiraConfianca: 0.4, probabilidade: 0.3 }
const said = (decisao: 'confirmado' | 'refutado', certeza: 'alta' | 'baixa', confianca = 0.9) => ({
  decisao,
  certeza,
  confianca,
  motivo: `${decisao} ${certeza}`,
  fonte: 'local:m',
})
const picture = (opiniao: LaterOpinion['opiniao'], rest: Partial<LaterOpinion> = {}): LaterOpinion => ({
  fonte: 'sub',
  dtMs: 1_000,
  redetectada: true,
  opiniao,
  ...rest,
})
const absent = said('refutado', 'alta', 0.97)

it.each<[string, CurrentVerdict, LaterOpinion[], string | null]>([
  [
    'raises baixa with one sure picture',
    doubtful,
    [picture(said('confirmado', 'alta')), picture(absent)],
    'confirmado',
  ],
  ['refutes with two pictures that agree', doubtful, [picture(absent), picture(absent)], 'refutado'],
  ['refutes with one picture of the main stream', doubtful, [picture(absent, { fonte: 'principal' })], 'refutado'],
  [
    'refutes with weaker pictures if the first picture agrees',
    { ...doubtful, probabilidade: 0.1 },
    [picture(said('refutado', 'alta', 0.91)), picture(absent)],
    'refutado',
  ],
  [
    'does not refute with weaker pictures against the first one',
    { ...doubtful, probabilidade: 0.11 },
    [picture(said('refutado', 'alta', 0.91)), picture(absent)],
    null,
  ],
  ['does not refute with one picture of the sub stream', doubtful, [picture(absent)], null],
  [
    'does not refute against a doubtful picture',
    doubtful,
    [picture(absent), picture(absent), picture(said('confirmado', 'baixa'))],
    null,
  ],
  [
    'counts a picture within 500 ms',
    doubtful,
    [0, -500].map((dtMs) => picture(absent, { dtMs, redetectada: false })),
    'refutado',
  ],
  [
    'ignores absence in a later picture without the track',
    doubtful,
    [501, -501].map((dtMs) => picture(absent, { dtMs, redetectada: false, fonte: 'principal' })),
    null,
  ],
  [
    'confirms by a later picture without the track',
    doubtful,
    [picture(said('confirmado', 'alta'), { dtMs: 9_000, redetectada: false })],
    'confirmado',
  ],
  [
    'does not refute a sure first model',
    { ...doubtful, primeiraConfianca: 0.6 },
    [picture(absent), picture(absent)],
    null,
  ],
  ['keeps a certain verdict', { ...doubtful, certeza: 'alta' }, [picture(absent), picture(absent)], null],
  ['keeps a verdict of an older release', { ...doubtful, certeza: null }, [picture(absent), picture(absent)], null],
  [
    'keeps a refutation',
    { ...doubtful, decisao: 'refutado', certeza: 'alta' },
    [picture(said('confirmado', 'alta'))],
    null,
  ],
  ['keeps the verdict without pictures', doubtful, [], null],
])('%s', (_what, current, later, expected) => {
  expect(nextVerdict(current, later)?.decisao ?? null).toBe(expected)
})
