import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { openBackstage } from '../test/clouds/backstage.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import { ownRecords } from '../test/records/own-records.ts'
import { fetchDocument } from '../test/walks/api-document.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))
const records = fixture(async () => ownRecords(backstage, await app.account('Loja')))

interface Parameter {
  readonly name: string
  readonly schema: { readonly maximum?: number }
}
const parametersOf = (path: string): Parameter[] =>
  (document.paths[path] as { get?: { parameters?: Parameter[] } } | undefined)?.get?.parameters ?? []

it('no list skips more than 10,000 rows; the refusal names the cursor, which every list accepts', async () => {
  const lists = Object.keys(document.paths).filter((path) => parametersOf(path).some(({ name }) => name === 'offset'))
  expect(lists).toContain('/api/v1/events')
  expect(lists.length).toBeGreaterThan(4)
  for (const template of lists) {
    const [offset, cursor] = ['offset', 'cursor'].map((wanted) =>
      parametersOf(template).find(({ name }) => name === wanted),
    )
    const path = await records.path(template)
    expect([path, offset?.schema.maximum, cursor?.name]).toEqual([path, 10_000, 'cursor'])
    expect([path, (await app.operator.send('GET', `${path}?offset=10000`)).status]).toEqual([path, 200])
    for (const deep of ['10001', '999000', '9007199254740993', '9999999999999999']) {
      const refused = await app.operator.send<{ detail: unknown[] }>('GET', `${path}?offset=${deep}`)
      expect([path, deep, refused.status]).toEqual([path, deep, 422])
      expect(refused.body.detail).toEqual([
        { loc: ['query', 'offset'], type: 'offset_too_deep', msg: expect.stringContaining('use `cursor`') },
      ])
    }
    const strange = await app.operator.send('GET', `${path}?cursor=eA`)
    expect([path, strange.status]).toEqual([path, 422])
  }
})
