import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseHatLabels, parseHeadLabels, parsePersonLabels } from './ppe-labels.ts'

const read = (name: string) => readFile(new URL(`../../labels/${name}`, import.meta.url), 'utf8')

const people = parsePersonLabels(await read('ppe-people.csv'))
const heads = parseHeadLabels(await read('ppe-heads.csv'))
const wrong = parseHeadLabels(await read('ppe-heads-wrong.csv'), 'ppe-heads-wrong.csv')
const hats = parseHatLabels(await read('ppe-hats-heads.csv'))

const countBy = <Row>(rows: readonly Row[], key: (row: Row) => string) =>
  Object.fromEntries([...Map.groupBy(rows, key)].map(([name, some]) => [name, some.length]))

test('the label files hold the counts that their README states', () => {
  expect(countBy(people, ({ vest }) => vest)).toEqual({ vest: 77, no_vest: 176, not_visible: 99 })
  expect(countBy(people, ({ head }) => head)).toEqual({
    hard_hat: 159,
    bare: 76,
    cap_or_hat: 3,
    motorcycle_helmet: 5,
    not_visible: 109,
  })
  expect(people.filter(({ headBox }) => headBox)).toHaveLength(292)
  expect(countBy(heads, ({ given, seen }) => `${given} ${seen}`)).toEqual({
    'hardhat hard_hat': 118,
    'hardhat bare': 2,
    'hardhat motorcycle_helmet': 3,
    'hardhat unclear': 6,
    'hardhat no_head': 1,
    'no_hardhat bare': 60,
    'no_hardhat cap_or_hat': 3,
    'no_hardhat hard_hat': 2,
    'no_hardhat unclear': 3,
  })
  const folder = (file: string) => file.split('/')[0]
  expect(countBy(wrong, ({ file, seen }) => `${folder(file)} ${seen}`)).toEqual({
    'ppe-heads-train bare': 3,
    'ppe-heads-train cap_or_hat': 41,
    'ppe-heads-train hard_hat': 5,
    'ppe-heads-train motorcycle_helmet': 1,
    'ppe-heads-train no_head': 4,
    'ppe-heads-train unclear': 73,
    'ppe-more-train cap_or_hat': 38,
    'ppe-more-train hard_hat': 5,
    'ppe-more-train no_head': 9,
    'ppe-more-train unclear': 13,
    'ppe-train cap_or_hat': 20,
    'ppe-train no_head': 10,
    'ppe-train unclear': 11,
  })
  expect(countBy(hats, (row) => row.class)).toEqual({
    bare: 390,
    cap_or_hat: 213,
    motorcycle_helmet: 11,
    hard_hat: 3,
    unclear: 66,
  })
})

test('each mosaic that shows a measured picture has a part that shows it', async () => {
  const files = async (name: string) => {
    const [, ...lines] = (await read(name)).trimEnd().split('\n')
    return { lines, names: new Set(lines.map((line) => line.split(',')[0])) }
  }
  const [pairs, parts] = [await files('ppe-train-overlap.csv'), await files('ppe-train-overlap-parts.csv')]
  expect([pairs.lines.length, pairs.names.size, parts.lines.length]).toEqual([1191, 631, 968])
  expect(parts.names).toEqual(pairs.names)
})

test('each picture has one hash, each box an area inside its picture', () => {
  for (const rows of [people, heads, wrong, hats]) {
    const hashes = new Map<string, string>()
    for (const { file, sha256, box } of rows) {
      expect(sha256).toBe(hashes.get(file) ?? sha256)
      hashes.set(file, sha256)
      expect(Math.min(box.w, box.h), file).toBeGreaterThan(0)
      expect(Math.max(box.x + box.w, box.y + box.h), file).toBeLessThanOrEqual(1)
    }
  }
})

test('a line with an unknown class, a wrong number or a wrong number of fields is refused with its number', () => {
  const header = 'file,x,y,w,h,class,sha256,note'
  const good = `a.jpg,0.5,0.5,0.1,0.1,bare,${'0'.repeat(64)},`
  expect(parseHatLabels(`${header}\n${good}\n`)).toHaveLength(1)
  for (const bad of [good.replace('bare', 'wig'), good.replace('0.5', '5'), good.replace(',0.1', ''), `${good},x`])
    expect(() => parseHatLabels(`${header}\n${good}\n${bad}\n`)).toThrow(/linha 3/)
})
