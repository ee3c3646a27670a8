import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { expect, it } from 'vitest'
import { guidePictures } from './guide-pictures.ts'
import { screens } from './pages.ts'
import { LOGIN, sizes } from './take-pictures.ts'

/** Addresses of the router (`pages-document.test.ts` compares both) but for those that lead to another page. */
function pageAddresses(): string[] {
  const document = readFileSync(join(repositoryRoot, 'docs/reference/pages.md'), 'utf8')
  return document.split('\n').flatMap((row) => {
    const address = /^\| [^|]+ \| `(\/[^`]*)` \|/.exec(row)?.[1]
    return address === undefined || row.includes('redirect of an earlier address') ? [] : [address]
  })
}

it('has a picture of each page of the dashboard', () => {
  const taken = screens.map(({ path, opens }) => opens ?? path.replace(/\?.*/, '').replaceAll(/\/\d+/g, '/{id}'))
  const addresses = pageAddresses()
  expect(addresses.length).toBeGreaterThan(40)
  expect(addresses.filter((address) => !['/login', ...taken].includes(address))).toEqual([])
})

it('takes each picture that a guide or README shows', () => {
  const names = [LOGIN, ...screens.map(({ name }) => name)]
  const taken = new Set(names.flatMap((name) => Object.keys(sizes).map((size) => `${name}-${size}`)))
  const shown = guidePictures()
  expect(shown.length).toBeGreaterThan(5)
  expect(shown.filter(({ picture }) => !taken.has(picture))).toEqual([])
})

it('has a file for each picture that a guide shows, and no other', () => {
  const files = readdirSync(join(repositoryRoot, 'docs/pt/imagens')).map((name) => `docs/pt/imagens/${name}`)
  const shown = guidePictures().map(({ file }) => file)
  expect(['docs/dashboard.png', ...files].toSorted()).toEqual([...new Set(shown)].toSorted())
})

it('is shown by both README files', () => {
  for (const name of ['README.md', 'README.pt.md'])
    expect(readFileSync(join(repositoryRoot, name), 'utf8')).toContain('](docs/dashboard.png)')
})
