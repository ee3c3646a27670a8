import { cameraFailureText } from '@vigia/contracts/camera-failures'
import { failureText } from '@vigia/contracts/pedido-failures'
import { expect, it } from 'vitest'
import { WORKS } from './cells.ts'
import { problemsOf, runMatrix } from './run.ts'

const cells = { stream: WORKS, discovery: WORKS, picture: WORKS, clip: WORKS, live: WORKS, archive: WORKS }
const HOUR_MS = 3_600_000

it('reports a cell without an end, one without a sentence of the product, and repeated logins', () => {
  expect(problemsOf(cells, 0, 1_000)).toEqual([])
  expect(problemsOf({ ...cells, discovery: 'vazia', stream: cameraFailureText('sem_video') }, 8, HOUR_MS)).toEqual([])
  expect(problemsOf({ ...cells, live: null, clip: 'erro 461', archive: 'vazia' }, 9, HOUR_MS)).toEqual([
    'clip: no sentence of the product: erro 461',
    'live: neither works nor says why',
    'archive: no sentence of the product: vazia',
    '9 refused logins in 3600 s',
  ])
})

it('plays a device that works and one that refuses its login in all columns', async () => {
  const [macro, refused] = await runMatrix({ quirks: ['macro', 'recusa_senha'], lanes: 2, onRow() {} })
  expect(macro).toMatchObject({ cells, refusals: 0, problems: [] })
  expect(refused).toMatchObject({
    cells: { stream: cameraFailureText('senha_recusada'), discovery: failureText.senha_recusada },
    problems: [],
  })
  expect(refused?.refusals).toBeGreaterThan(0)
})
