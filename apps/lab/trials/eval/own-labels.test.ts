import { nomesIas } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import { isUnderstood } from './expectations.ts'
import { ownLabels } from './own-labels.ts'

it('reads the labels of this project, of which every row says something about an IA', async () => {
  const [cctv, furg, vtest] = await Promise.all(['cctv', 'furg', 'vtest'].map(ownLabels))
  const rows = [cctv, furg, vtest].flatMap((one) => one?.labels ?? [])
  expect(rows.filter(({ event }) => !isUnderstood(event))).toEqual([])
  const expected = (ia: string) => rows.filter(({ event }) => event === `ia:${ia}`).length
  const counts = Object.fromEntries(nomesIas.map((ia) => [ia, expected(ia)] as const).filter(([, count]) => count > 0))
  expect(counts).toEqual({
    invasao: 4,
    cruzamento_linha: 6,
    permanencia: 1,
    aglomeracao: 1,
    epi: 4,
    veiculo: 2,
    fumaca: 1,
  })
  expect(Object.keys(cctv?.scenes ?? {})).toEqual(['one-by-one-person-detection.mp4'])
})

it('has none for other folders', async () => {
  expect(await ownLabels('patio')).toEqual({ labels: [], scenes: {} })
})
