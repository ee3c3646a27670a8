import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { registerDocument } from '../../test/walks/register-document.ts'

const document = fileURLToPath(new URL('../../../../../docs/reference/data-register.md', import.meta.url))

it('is what docs/reference/data-register.md says', async () => {
  await expect(registerDocument()).toMatchFileSnapshot(document)
})

it('has lines of at most 120 columns', () => {
  expect(
    registerDocument()
      .split('\n')
      .filter((line) => line.length > 120),
  ).toEqual([])
})
